// Everything of an open file but data access: view and pointer, hints, sizes, consistency, closing.
#include "file/opened.hpp"

#include <algorithm>

#include "hints/read.hpp"

namespace collate::file {

Opened::Opened(Session& session, Parts parts)
    : session_(session),
      parts_(std::move(parts)),
      agreement_(*parts_.comm, parts_.board ? parts_.board->memory().data() : nullptr),
      bench_{*parts_.driver_file, staging_},
      collective_(*parts_.comm, agreement_, execute::Bench{*parts_.driver_file, collective_staging_}),
      position_(parts_.start) {
  report_hints();
}

plan::Topology Opened::topology() const {
  plan::Topology topology;
  topology.rank = parts_.comm->rank();
  const int pretended = parts_.hints.values().collate_ranks_per_node;
  const std::span<const int> real = parts_.comm->node_of_rank();
  for (std::size_t rank = 0; rank < real.size(); ++rank) {
    topology.node_of_rank.push_back(pretended > 0 ? static_cast<int>(rank) / pretended : real[rank]);
  }
  topology.nodes = 1 + *std::max_element(topology.node_of_rank.begin(), topology.node_of_rank.end());
  topology.shared_memory = parts_.board != nullptr || parts_.comm->size() == 1;
  return topology;
}

bool Opened::leads_node() const {
  const std::span<const int> nodes = parts_.comm->node_of_rank();
  const auto me = static_cast<std::size_t>(parts_.comm->rank());
  return std::find(nodes.begin(), nodes.end(), nodes[me]) - nodes.begin() == static_cast<std::ptrdiff_t>(me);
}

void Opened::report_hints() {
  const hints::Hints& values = parts_.hints.values();
  parts_.hints.report(hints::HintId::romio_filesystem_type, parts_.driver_file->traits().name);
  if (values.cb_nodes == 0) parts_.hints.report(hints::HintId::cb_nodes, std::to_string(topology().nodes));
  plain_ = !atomic_ && values.romio_ds_write != hints::Toggle::enable && values.collate_strategy != plan::Strategy::rmw;
}

plan::Summary Opened::stamp(plan::Call call, std::int64_t argument) {
  plan::Summary summary;
  summary.call = call;
  summary.sequence = ++calls_;
  summary.argument = argument;
  return summary;
}

Task<Result<void>> Opened::agree(plan::Summary stamp, Result<void> outcome) {
  const std::optional<Error> error = co_await agreement_.first_error(stamp, outcome);
  if (error) co_return *error;
  co_return Result<void>();
}

Task<Result<void>> Opened::same_call(plan::Summary stamp) {
  const std::span<const plan::Summary> all = co_await agreement_.gather(stamp);
  std::optional<Error> error = plan::first_refusal(all);
  for (std::size_t rank = 1; rank < all.size() && !error; ++rank) {
    if (all[rank].argument == all[0].argument) continue;
    error = refusal(ErrorClass::not_same, ErrorDetail::size_differs);
    error->rank = static_cast<int>(rank);
  }
  if (error) co_return *error;
  co_return Result<void>();
}

Task<Result<void>> Opened::close() {
  const plan::Summary mine = stamp(plan::Call::close);
  Result<void> outcome = co_await same_call(mine);
  const Result<void> closed = parts_.driver_file->close();
  if (!outcome) co_return outcome;  // the others are in another call and would not answer again
  if (!closed) outcome = closed.error();
  if (parts_.mode.delete_on_close) {
    outcome = co_await agree(mine, outcome);  // nobody has it open any more
    if (outcome && parts_.comm->rank() == 0) outcome = session_.driver->remove(parts_.system_path);
  }
  outcome = co_await agree(mine, outcome);
  say_farewell();
  co_return outcome;
}

Task<Result<void>> Opened::change_size(plan::Call call, Length size, Result<void> (port::OpenFile::*work)(Length)) {
  plan::Summary mine = stamp(call, size);
  mine.refused = size < 0 || parts_.mode.read_only || parts_.mode.sequential;
  mine.error = size < 0 ? refusal(ErrorClass::argument, ErrorDetail::negative_argument)
               : parts_.mode.sequential ? refusal(ErrorClass::unsupported_operation, ErrorDetail::sequential_needs_shared_pointer)
                                        : refusal(ErrorClass::read_only, ErrorDetail::nothing_written_in_read_only);
  Result<void> outcome = co_await same_call(mine);
  if (!outcome) co_return outcome;
  mine.refused = false;
  if (parts_.comm->rank() == 0) outcome = (*parts_.driver_file.*work)(size);
  outcome = co_await agree(mine, outcome);
  co_return outcome;
}

Task<Result<void>> Opened::set_size(Length size) { return change_size(plan::Call::set_size, size, &port::OpenFile::resize); }

Task<Result<void>> Opened::preallocate(Length size) { return change_size(plan::Call::preallocate, size, &port::OpenFile::preallocate); }

// What a node's ranks wrote is in one page cache: one flush per node makes all of it durable.
Task<Result<void>> Opened::sync() {
  const plan::Summary mine = stamp(plan::Call::sync);
  Result<void> outcome = co_await same_call(mine);
  if (!outcome) co_return outcome;
  if (leads_node() && !parts_.mode.read_only) outcome = parts_.driver_file->sync();
  outcome = co_await agree(mine, outcome);
  co_return outcome;
}

Task<Result<void>> Opened::set_info(InfoEntries info) {
  Result<void> outcome = co_await same_call(stamp(plan::Call::set_info));
  if (!outcome) co_return outcome;
  std::string text;
  for (const auto& [key, value] : info) text += key + '\0' + value + '\0';
  text = co_await share_text(*parts_.comm, std::move(text));
  InfoEntries shared;
  for (std::size_t at = 0; at < text.size();) {
    const std::string key = text.substr(at, text.find('\0', at) - at);
    at += key.size() + 1;
    const std::string value = text.substr(at, text.find('\0', at) - at);
    at += value.size() + 1;
    shared.emplace_back(key, value);
  }
  hints::Reading reading = hints::amend(parts_.hints, shared);
  parts_.hints = reading.hints;
  report_hints();
  if (parts_.comm->rank() == 0 && session_.notice) {
    for (const std::string& warning : reading.warnings) session_.notice(parts_.path + ": " + warning);
  }
  co_return Result<void>();
}

Result<void> Opened::set_view(ViewArguments arguments) {
  if (arguments.datarep != "native" && arguments.datarep != "internal") {
    return refusal(ErrorClass::unsupported_datarep, ErrorDetail::unknown_datarep);
  }
  Result<view::FileView> made = view::FileView::make(arguments.displacement, arguments.etype, arguments.filetype);
  if (!made) return made.error();
  view_ = std::move(*made);
  datarep_ = std::move(arguments.datarep);
  position_ = 0;
  return {};
}

Result<void> Opened::seek(Offset offset, Whence whence) {
  if (parts_.mode.sequential) return refusal(ErrorClass::unsupported_operation, ErrorDetail::sequential_needs_shared_pointer);
  Offset origin = 0;
  if (whence == Whence::current) origin = position_;
  if (whence == Whence::end) {
    const Result<Length> size = this->size();
    if (!size) return size.error();
    origin = view_.position_at(*size);
  }
  const auto target = checked_add(origin, offset);
  if (!target) return refusal(ErrorClass::argument, ErrorDetail::position_overflow);
  if (*target < 0) return refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  position_ = *target;
  return {};
}

Task<Result<void>> Opened::set_atomicity(bool atomic) {
  plan::Summary mine = stamp(plan::Call::set_atomicity, atomic ? 1 : 0);
  if (atomic && !parts_.driver_file->traits().range_locks) {
    mine.refused = true;
    mine.error = refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot);
  }
  Result<void> outcome = co_await same_call(mine);
  if (!outcome) co_return outcome;
  atomic_ = atomic;
  report_hints();
  co_return outcome;
}

void Opened::say_farewell() {
  if (!session_.environment.verbose || parts_.comm->rank() != 0 || !session_.notice) return;
  std::string ways;
  for (std::size_t i = 0; i < strategies; ++i) {
    if (tally_.accesses[i] == 0) continue;
    ways += (ways.empty() ? "; " : ", ") + std::to_string(tally_.accesses[i].load()) + " " + std::string(to_text(static_cast<plan::Strategy>(i)));
  }
  session_.notice(parts_.path + ": rank 0 of " + std::to_string(parts_.comm->size()) + " wrote " + std::to_string(tally_.bytes[1].load()) + " bytes, read " +
                  std::to_string(tally_.bytes[0].load()) + " bytes" + ways + (tally_.last_plan.empty() ? "" : "; last collective access: " + tally_.last_plan));
}

}  // namespace collate::file
