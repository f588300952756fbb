// execute/node_exchange.hpp - collective exchange through shared windows, for ranks that share memory.
//
// The file is cut into aligned windows; a few of them (slots) are in shared memory at a time, in file order.
// Write: every rank whose range meets a window copies its pieces into it; the last to arrive moves the window with
//   one system call and frees the slot. Read: the first to come fetches the window, everybody copies out of it, the
//   last to leave frees the slot. There is no step that involves all ranks, so ranks drift apart by as many windows
//   as there are slots, and one rank's system call overlaps the others' copying.
// Holes: ranks add up, per window, a hash of the ends of their pieces. The sum telescopes to the window's own two
//   ends exactly when the pieces tile it (each byte once; a false match has probability 2^-64). Where they do not,
//   nothing of the window is moved as a whole: every rank moves its own pieces of it by itself. So a byte nobody
//   wrote is never written, whatever overlaps or is missing.
// Errors: the first rank to fail leaves its Error in shared memory; later windows are passed through without file
//   access, so nobody waits for ever, and all ranks return that Error.
//
// Guarantees: returns the same Error on all ranks; memory is slots x window. Waiting sleeps. Thread rule: one
// exchange at a time per file.
#pragma once

#include "base/task.hpp"
#include "execute/independent.hpp"
#include "port/comm.hpp"

namespace collate::execute {

class NodeExchange {
 public:
  // Collective over all ranks, which share a node; null on all ranks when memory cannot be shared.
  static Task<std::unique_ptr<NodeExchange>> make(port::Comm& comm, Length window, int slots);

  // Collective. `spans` are the ranks' file ranges, empty where a rank has no data; `own` is how this rank moves
  // pieces of a window that is not full. Returns the bytes this rank moved.
  Task<Result<Length>> run(const plan::CollectivePlan& plan, std::span<const ByteRange> spans, const plan::IndependentPlan& own,
                           const view::Transfer& transfer, Bench bench);

  [[nodiscard]] bool fits(const plan::CollectivePlan& plan) const noexcept { return plan.windows.size == window_ && plan.slots == slots_; }

 private:
  struct Slot;
  struct Header;
  class Pass;
  NodeExchange(port::Comm& comm, std::unique_ptr<port::SharedSegment> segment, Length window, int slots);

  [[nodiscard]] Header& header();
  [[nodiscard]] Slot& slot(std::size_t index);
  [[nodiscard]] std::byte* window_memory(std::size_t index);

  port::Comm& comm_;
  std::unique_ptr<port::SharedSegment> segment_;
  Length window_;
  int slots_;
  std::uint64_t passed_ = 0;      // windows of all exchanges so far, the same on all ranks
  std::uint32_t exchanges_ = 0;   // exchanges so far
};

}  // namespace collate::execute
