#include "execute/agree.hpp"

#include <cstring>

#include "plan/plan.hpp"

namespace collate::execute {
namespace {

constexpr std::size_t line = 128;
constexpr std::size_t record_bytes = (sizeof(plan::Summary) + line - 1) / line * line;

}  // namespace

// In shared memory; lock-free atomics there work between processes.
struct Agreement::Board {
  alignas(line) std::atomic<std::uint32_t> arrived;
  alignas(line) std::atomic<std::uint32_t> generation;
  alignas(line) std::byte records[line];

  [[nodiscard]] std::byte* record(std::uint32_t side, int ranks, int rank) noexcept {
    return records + (static_cast<std::size_t>(side) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank)) * record_bytes;
  }
};

Agreement::Agreement(port::Comm& comm, std::byte* board)
    : comm_(comm), board_(reinterpret_cast<Board*>(board)), summaries_(static_cast<std::size_t>(comm.size())) {}

Length Agreement::board_bytes(int ranks) { return static_cast<Length>(sizeof(Board) + 2 * static_cast<std::size_t>(ranks) * record_bytes); }

Task<bool> Agreement::gather_on_board(const plan::Summary& mine) {
  const int ranks = comm_.size();
  const std::uint32_t side = side_;
  side_ ^= 1U;
  std::memcpy(board_->record(side, ranks, comm_.rank()), &mine, sizeof mine);
  const std::uint32_t generation = board_->generation.load(std::memory_order_acquire);
  if (board_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(ranks)) {
    board_->arrived.store(0, std::memory_order_relaxed);
    board_->generation.store(generation + 1, std::memory_order_release);
    comm_.unpark(board_->generation);
  } else {
    port::WordChanged changed(comm_, board_->generation, generation);
    co_await changed;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    std::memcpy(&summaries_[static_cast<std::size_t>(rank)], board_->record(side, ranks, rank), sizeof mine);
  }
  co_return true;
}

Task<std::span<const plan::Summary>> Agreement::gather(plan::Summary mine) {
  if (comm_.size() == 1) {
    summaries_[0] = mine;
  } else if (board_ != nullptr) {
    co_await gather_on_board(mine);
  } else {
    const auto gathered = comm_.allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(summaries_)));
    co_await *gathered;
  }
  co_return std::span<const plan::Summary>(summaries_);
}

Task<std::optional<Error>> Agreement::first_error(plan::Summary mine, Result<void> outcome) {
  mine.refused = !outcome.ok();
  if (!outcome) mine.error = outcome.error();
  const std::span<const plan::Summary> all = co_await gather(mine);
  co_return plan::first_refusal(all);
}

}  // namespace collate::execute
