#include "execute/collective.hpp"

namespace collate::execute {

// The shared windows are made at the first exchange and kept while their shape stays the same.
Task<bool> Collective::prepare_node_exchange(const plan::CollectivePlan& plan) {
  if (node_ != nullptr && node_->fits(plan)) co_return true;
  node_.reset();
  node_ = co_await NodeExchange::make(comm_, plan.windows.size, plan.slots);
  co_return node_ != nullptr;
}

Task<Result<Length>> Collective::finish(plan::Summary stamp, Result<Length> mine) {
  Result<void> outcome;
  if (!mine) outcome = mine.error();
  const std::optional<Error> error = co_await agreement_.first_error(stamp, outcome);
  if (error) co_return *error;
  co_return mine;
}

Task<Result<Length>> Collective::run(CollectiveSetting setting) {
  if (setting.plan.refusal) co_return *setting.plan.refusal;
  std::vector<ByteRange> spans;
  for (const plan::Summary& summary : setting.summaries) spans.push_back(summary.bytes > 0 ? summary.span : ByteRange{});
  if (setting.plan.bytes == 0) co_return Length{0};
  if (setting.plan.strategy == plan::Strategy::node) {
    const bool ready = co_await prepare_node_exchange(setting.plan);
    if (ready) {
      Result<Length> exchanged = co_await node_->run(setting.plan, spans, setting.own, setting.transfer, bench_);
      co_return exchanged;
    }
  }
  if (setting.plan.strategy == plan::Strategy::messages) {
    const MessageSetting messages{setting.plan, spans, setting.transfer, comm_, bench_.file, setting.own.locked};
    Result<Length> exchanged = co_await exchange_by_messages(messages);
    Result<Length> agreed = co_await finish(setting.stamp, exchanged);
    co_return agreed;
  }
  Result<Length> moved = run_independent(setting.own, setting.plan.direction, setting.transfer, bench_);
  Result<Length> agreed = co_await finish(setting.stamp, moved);
  co_return agreed;
}

}  // namespace collate::execute
