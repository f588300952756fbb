// door/common/comm.hpp - the engine's Comm over an MPI communicator of its own.
//
// The communicator is a duplicate, so our messages meet nobody else's. A message is cut into chunks of 1 GiB,
// the last one shorter than that (possibly empty), so its end is known without its length; chunks of one
// message carry its channel and its running number on it as tag, which keeps several messages apart.
// Failures of the MPI abort (the duplicate carries MPI_ERRORS_ARE_FATAL), as port/comm.hpp wants it.
// Thread rule: one call at a time per Comm.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "door/common/place.hpp"
#include "port/comm.hpp"

namespace collate::door {

class MpiComm final : public port::Comm {
 public:
  // Collective over `parent`.
  static Result<std::unique_ptr<MpiComm>> over(MPI_Comm parent);
  MpiComm(const MpiComm&) = delete;
  MpiComm& operator=(const MpiComm&) = delete;
  ~MpiComm() override;

  [[nodiscard]] MPI_Comm handle() const noexcept { return comm_; }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] std::span<const int> node_of_rank() const override { return nodes_; }
  [[nodiscard]] int cores() const override { return cores_; }

  [[nodiscard]] std::unique_ptr<Pending> allgather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  [[nodiscard]] std::unique_ptr<Pending> send(int to, int channel, std::span<const std::byte> message) override;
  [[nodiscard]] std::unique_ptr<Pending> receive(int from, int channel, std::span<std::byte> message, Length& received) override;

  [[nodiscard]] Result<std::unique_ptr<port::SharedSegment>> create_segment(Length bytes, port::SegmentToken& token) override;
  [[nodiscard]] Result<std::unique_ptr<port::SharedSegment>> attach_segment(Length bytes, const port::SegmentToken& token) override;
  void unlink_segment(const port::SegmentToken& token) override;

  void park(const std::atomic<std::uint32_t>& word, std::uint32_t seen) override;
  void unpark(std::atomic<std::uint32_t>& word) override;

 private:
  explicit MpiComm(MPI_Comm comm);
  void find_places();

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  int cores_ = 1;
  bool roomy_ = true;  // the node has a core for every rank
  std::vector<int> nodes_;
  std::vector<std::uint16_t> sent_;      // messages to each rank on each channel so far
  std::vector<std::uint16_t> received_;
};

}  // namespace collate::door
