// port/comm.hpp - what the engine needs from the ranks of one file. Interface only.
//
// Implemented over MPI by the door and by the simulated world of the tests. Collective members are called by
// all ranks in the same order. Nothing here ever waits: members that need other ranks return a Pending to
// `co_await`. Failures of the message layer itself abort as MPI does; there is no error to return.
//
// Thread rule: one call at a time per Comm.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/result.hpp"
#include "base/task.hpp"
#include "base/units.hpp"

namespace collate::port {

// Memory that the ranks of one node see together, zeroed at creation. Unmapped on destruction.
class SharedSegment {
 public:
  virtual ~SharedSegment() = default;
  [[nodiscard]] virtual std::span<std::byte> memory() = 0;
};

// Names a segment for the other ranks of the node.
struct SegmentToken {
  std::array<char, 56> text{};
};

class Comm {
 public:
  virtual ~Comm() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Number of the node each rank runs on, 0, 1, ... in order of first appearance.
  [[nodiscard]] virtual std::span<const int> node_of_rank() const = 0;
  // Cores this rank's node offers to the ranks on it.
  [[nodiscard]] virtual int cores() const = 0;

  // Collective: `all` receives every rank's `mine` (same size everywhere), in rank order. Both stay valid
  // until the Pending is ready.
  [[nodiscard]] virtual std::unique_ptr<Pending> allgather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  // Messages from one rank to another on one channel (0, 1, ...) arrive in the order they were sent; a rank may
  // send to itself. The receiver's buffer is large enough; `received` is set when ready.
  [[nodiscard]] virtual std::unique_ptr<Pending> send(int to, int channel, std::span<const std::byte> message) = 0;
  [[nodiscard]] virtual std::unique_ptr<Pending> receive(int from, int channel, std::span<std::byte> message, Length& received) = 0;

  // Node-shared memory: one rank creates, tells the token, the others attach, then the creator unlinks.
  [[nodiscard]] virtual Result<std::unique_ptr<SharedSegment>> create_segment(Length bytes, SegmentToken& token) = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<SharedSegment>> attach_segment(Length bytes, const SegmentToken& token) = 0;
  virtual void unlink_segment(const SegmentToken& token) = 0;

  // Sleeps until `word` (in shared memory) differs from `seen`; may return early. Spins first only while the
  // node has a core for every rank.
  virtual void park(const std::atomic<std::uint32_t>& word, std::uint32_t seen) = 0;
  // Wakes everyone parked on `word`; called after changing it.
  virtual void unpark(std::atomic<std::uint32_t>& word) = 0;
};

// Ready when `word` no longer holds `seen`.
class WordChanged final : public Pending {
 public:
  WordChanged(Comm& comm, const std::atomic<std::uint32_t>& word, std::uint32_t seen) : comm_(comm), word_(word), seen_(seen) {}
  [[nodiscard]] bool ready() override { return word_.load(std::memory_order_acquire) != seen_; }
  void block() override { comm_.park(word_, seen_); }

 private:
  Comm& comm_;
  const std::atomic<std::uint32_t>& word_;
  std::uint32_t seen_;
};

}  // namespace collate::port
