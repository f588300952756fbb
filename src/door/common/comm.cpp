// MpiComm: collective steps and messages over nonblocking MPI, each a Pending that tests its request.
#include "door/common/comm.hpp"

#include <unistd.h>

#include <algorithm>

#include "door/common/native.hpp"
#include "door/common/segment.hpp"
#include "door/common/waiting.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

constexpr Length chunk_bytes = Length{1} << 30;
// MPI guarantees tags up to 32767: 2 bits of channel, 13 of running number.
constexpr int channels = 4;
constexpr int numbers_per_channel = 8192;
constexpr int steps_per_block = 4096;

// Waits for `pending` in steps, giving way where ranks share cores.
void wait_some(Pending& pending, bool roomy) {
  for (int step = 0; step < steps_per_block; ++step) {
    if (pending.ready()) return;
    give_way(step, roomy);
  }
}

class RequestPending final : public Pending {
 public:
  RequestPending(MPI_Request request, bool roomy) : request_(request), roomy_(roomy) {}
  [[nodiscard]] bool ready() override {
    int flag = 0;
    native()->Test(&request_, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
  }
  void block() override { wait_some(*this, roomy_); }

 private:
  MPI_Request request_;
  bool roomy_;
};

// Several requests: the chunks of a long message.
class RequestsPending final : public Pending {
 public:
  RequestsPending(std::vector<MPI_Request> requests, bool roomy) : requests_(std::move(requests)), roomy_(roomy) {}
  [[nodiscard]] bool ready() override {
    while (!requests_.empty()) {
      int flag = 0;
      native()->Test(&requests_.back(), &flag, MPI_STATUS_IGNORE);
      if (flag == 0) return false;
      requests_.pop_back();
    }
    return true;
  }
  void block() override { wait_some(*this, roomy_); }

 private:
  std::vector<MPI_Request> requests_;
  bool roomy_;
};

// Receives chunk after chunk until one is shorter than a whole one.
class ReceivePending final : public Pending {
 public:
  struct Source {
    MPI_Comm comm;
    int from;
    int tag;
  };
  ReceivePending(Source source, std::span<std::byte> message, Length& received, bool roomy)
      : source_(source), message_(message), received_(received), roomy_(roomy) {
    received_ = 0;
    post();
  }
  [[nodiscard]] bool ready() override {
    while (!done_) {
      int flag = 0;
      MPI_Status status{};
      native()->Test(&request_, &flag, &status);
      if (flag == 0) return false;
      MPI_Count bytes = 0;
      native()->Get_elements_x(&status, abi::byte(), &bytes);
      received_ += bytes;
      done_ = bytes < chunk_bytes;
      if (!done_) post();
    }
    return true;
  }
  void block() override { wait_some(*this, roomy_); }

 private:
  void post() {
    const Length room = std::min(static_cast<Length>(message_.size()) - received_, chunk_bytes);
    native()->Irecv(message_.data() + received_, static_cast<int>(room), abi::byte(), source_.from, source_.tag, source_.comm, &request_);
  }

  Source source_;
  std::span<std::byte> message_;
  Length& received_;
  bool roomy_;
  bool done_ = false;
  MPI_Request request_ = abi::request_null();
};

int next_tag(std::vector<std::uint16_t>& counters, int peer, int channel, int size) {
  if (counters.empty()) counters.resize(static_cast<std::size_t>(size) * channels);
  std::uint16_t& counter = counters[static_cast<std::size_t>(peer) * channels + static_cast<std::size_t>(channel)];
  const int tag = channel * numbers_per_channel + counter;
  counter = static_cast<std::uint16_t>((counter + 1) % numbers_per_channel);
  return tag;
}

}  // namespace

MpiComm::MpiComm(MPI_Comm comm) : comm_(comm) {
  const Native& mpi = *native();
  mpi.Comm_set_errhandler(comm_, abi::errors_are_fatal());
  mpi.Comm_rank(comm_, &rank_);
  mpi.Comm_size(comm_, &size_);
  find_places();
}

MpiComm::~MpiComm() {
  int finalized = 0;
  native()->Finalized(&finalized);
  if (finalized == 0) native()->Comm_free(&comm_);
}

Result<std::unique_ptr<MpiComm>> MpiComm::over(MPI_Comm parent) {
  MPI_Comm duplicate = abi::comm_null();
  MPI_Request request = abi::request_null();
  // Not MPI_Comm_dup: where ranks share cores, waiting in there costs a time slice each step.
  if (native()->Comm_idup(parent, &duplicate, &request) != MPI_SUCCESS) return refusal(ErrorClass::internal, ErrorDetail::none);
  RequestPending duplicated(request, false);
  while (!duplicated.ready()) duplicated.block();
  return std::unique_ptr<MpiComm>(new MpiComm(duplicate));
}

void MpiComm::find_places() {
  std::vector<Place> places(static_cast<std::size_t>(size_));
  const Place mine = here();
  places[0] = mine;
  if (size_ > 1) {
    roomy_ = false;  // unknown yet
    const auto gathered = allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(places)));
    while (!gathered->ready()) gathered->block();
  }
  static const int online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  nodes_ = number_nodes(places);
  cores_ = cores_of_node(places, rank_, online);
  const auto neighbours = std::count(nodes_.begin(), nodes_.end(), nodes_[static_cast<std::size_t>(rank_)]);
  roomy_ = neighbours <= cores_;
}

// The pieces are summaries of a fixed small size; their product with the rank count may pass 2 GiB, which is the
// MPI's own business.
std::unique_ptr<Pending> MpiComm::allgather(std::span<const std::byte> mine, std::span<std::byte> all) {
  MPI_Request request = abi::request_null();
  const int bytes = static_cast<int>(mine.size());
  native()->Iallgather(mine.data(), bytes, abi::byte(), all.data(), bytes, abi::byte(), comm_, &request);
  return std::make_unique<RequestPending>(request, roomy_);
}

std::unique_ptr<Pending> MpiComm::send(int to, int channel, std::span<const std::byte> message) {
  const int tag = next_tag(sent_, to, channel, size_);
  std::vector<MPI_Request> requests;
  for (Length sent = 0;;) {
    const Length part = std::min(static_cast<Length>(message.size()) - sent, chunk_bytes);
    MPI_Request request = abi::request_null();
    native()->Isend(message.data() + sent, static_cast<int>(part), abi::byte(), to, tag, comm_, &request);
    sent += part;
    if (part < chunk_bytes && requests.empty()) return std::make_unique<RequestPending>(request, roomy_);
    requests.push_back(request);
    if (part < chunk_bytes) return std::make_unique<RequestsPending>(std::move(requests), roomy_);
  }
}

std::unique_ptr<Pending> MpiComm::receive(int from, int channel, std::span<std::byte> message, Length& received) {
  const int tag = next_tag(received_, from, channel, size_);
  return std::make_unique<ReceivePending>(ReceivePending::Source{comm_, from, tag}, message, received, roomy_);
}

Result<std::unique_ptr<port::SharedSegment>> MpiComm::create_segment(Length bytes, port::SegmentToken& token) {
  return door::create_segment(bytes, token);
}

Result<std::unique_ptr<port::SharedSegment>> MpiComm::attach_segment(Length bytes, const port::SegmentToken& token) {
  return door::attach_segment(bytes, token);
}

void MpiComm::unlink_segment(const port::SegmentToken& token) { door::unlink_segment(token); }

void MpiComm::park(const std::atomic<std::uint32_t>& word, std::uint32_t seen) { door::park(word, seen, roomy_); }

void MpiComm::unpark(std::atomic<std::uint32_t>& word) { door::unpark(word); }

}  // namespace collate::door
