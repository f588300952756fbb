#include "execute/message_exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "execute/copy.hpp"
#include "execute/coverage.hpp"
#include "execute/wire.hpp"

namespace collate::execute {
namespace {

constexpr std::size_t run_bytes_at_most = 40;
constexpr int to_aggregator = 0;  // channels
constexpr int from_aggregator = 1;

// A parcel: this header, the runs, and (in the direction the data flows) the data.
struct ParcelHeader {
  std::int64_t data = 0;       // bytes of data the runs describe
  std::int64_t runs = 0;       // bytes of packed runs
  std::int64_t last = 0;       // no parcel follows for this window
  std::int64_t valid_end = 0;  // answers: the file has no bytes from here on
};

// How much a parcel may hold: a quarter of a window, so that several ranks' parcels together are as large as one.
struct ParcelLimits {
  explicit ParcelLimits(const plan::CollectivePlan& plan) : data(std::clamp<Length>(plan.windows.size / 4, 64, 256 * 1024)) {}
  Length data;
  [[nodiscard]] std::size_t runs() const { return static_cast<std::size_t>(std::max<Length>(data / 64, 8)); }
  [[nodiscard]] std::size_t capacity() const { return sizeof(ParcelHeader) + runs() * run_bytes_at_most + static_cast<std::size_t>(data); }
};

constexpr bool meets(const ByteRange& a, const ByteRange& b) noexcept { return a.begin < b.end && b.begin < a.end; }

ParcelHeader header_of(const std::vector<std::byte>& parcel) {
  ParcelHeader header;
  std::memcpy(&header, parcel.data(), sizeof header);
  return header;
}

// The windows every rank visits, in the order both sides keep.
class Itinerary {
 public:
  explicit Itinerary(const plan::CollectivePlan& plan) : plan_(plan) {}
  [[nodiscard]] Count rounds() const { return plan_.windows_per_domain; }
  [[nodiscard]] int aggregators() const { return static_cast<int>(plan_.aggregators.size()); }
  [[nodiscard]] int rank_of(int aggregator) const { return plan_.aggregators[static_cast<std::size_t>(aggregator)]; }
  // The window of an aggregator in a round, cut to the span; empty when its domain is used up.
  [[nodiscard]] ByteRange window(int aggregator, Count round) const {
    const Count index = aggregator * plan_.windows_per_domain + round;
    if (index >= plan_.windows.count) return {0, 0};
    const ByteRange range = plan_.windows.range(index);
    return {std::max(range.begin, plan_.span.begin), std::min(range.end, plan_.span.end)};
  }

 private:
  const plan::CollectivePlan& plan_;
};

// One rank's side: describes its bytes to the owners of the windows, sends or receives them.
class Client {
 public:
  explicit Client(const MessageSetting& setting)
      : set_(setting), limits_(setting.plan), cursor_(setting.transfer), parcel_(limits_.capacity()), answer_(limits_.capacity()) {}

  Task<Result<Length>> run() {
    const Itinerary itinerary(set_.plan);
    const ByteRange mine = set_.spans[static_cast<std::size_t>(set_.comm.rank())];
    for (Count round = 0; round < itinerary.rounds(); ++round) {
      for (int aggregator = 0; aggregator < itinerary.aggregators(); ++aggregator) {
        const ByteRange window = itinerary.window(aggregator, round);
        if (meets(mine, window)) co_await visit(window, itinerary.rank_of(aggregator));
      }
    }
    co_return moved_;
  }

 private:
  Task<bool> visit(ByteRange window, int owner) {
    const Length to = set_.transfer.bytes_below(window.end);
    cursor_.seek(set_.transfer.bytes_below(window.begin));
    bool last = false;
    while (!last) {
      const std::size_t size = pack(window, to, last);
      const auto sent = set_.comm.send(owner, to_aggregator, std::span<const std::byte>(parcel_.data(), size));
      co_await *sent;
      if (set_.plan.direction == Direction::write) continue;
      Length received = 0;
      const auto answered = set_.comm.receive(owner, from_aggregator, answer_, received);
      co_await *answered;
      unpack();
    }
    co_return true;
  }

  // Fills the next parcel; `last` tells that it brings the access to the end of the window.
  std::size_t pack(ByteRange window, Length to, bool& last) {
    RunWriter runs(window.begin);
    ParcelHeader header;
    packed_.clear();
    while (packed_.size() < limits_.runs() && header.data < limits_.data && cursor_.position() < to) {
      const std::optional<view::CopyRun> run = cursor_.next(std::min(to - cursor_.position(), limits_.data - header.data));
      if (!run) break;
      runs.add({run->file, run->length, run->file_stride, run->count});
      packed_.push_back(*run);
      header.data += run->bytes();
    }
    last = cursor_.position() >= to;
    header.last = last ? 1 : 0;
    header.runs = static_cast<std::int64_t>(runs.bytes().size());
    std::memcpy(parcel_.data(), &header, sizeof header);
    std::copy(runs.bytes().begin(), runs.bytes().end(), parcel_.begin() + sizeof header);  // may be none
    const std::size_t used = sizeof header + runs.bytes().size();
    if (set_.plan.direction == Direction::read) return used;
    copy_packed(parcel_.data() + used, header.data);
    moved_ += header.data;
    return used + static_cast<std::size_t>(header.data);
  }

  // Between user memory and the parcel's data, where the pieces lie one after the other; the first `bytes` only.
  void copy_packed(std::byte* data, Length bytes) {
    Offset at = 0;
    for (view::CopyRun run : packed_) {
      run.file = at;
      run.file_stride = run.length;
      at += copy_prefix(set_.plan.direction, {data, 0}, set_.transfer.origin, run, bytes - at);
      if (at == bytes) return;
    }
  }

  // Windows come in no order of the file here, so each tells by itself how much of it there was.
  void unpack() {
    const ParcelHeader header = header_of(answer_);
    Length valid = 0;
    for (const view::CopyRun& run : packed_) {
      const Length in_run = bytes_before(run, header.valid_end);
      valid += in_run;
      if (in_run < run.bytes()) break;
    }
    copy_packed(answer_.data() + sizeof header, valid);
    moved_ += valid;
  }

  static Length bytes_before(const view::CopyRun& run, Offset end) {
    if (end <= run.file) return 0;
    const Offset stride = run.count > 1 ? run.file_stride : run.length;
    const Count whole = std::min(run.count - 1, (end - run.file) / stride);
    return whole * run.length + std::min(run.length, end - run.file - whole * stride);
  }

  const MessageSetting& set_;
  ParcelLimits limits_;
  view::TransferCursor cursor_;
  std::vector<std::byte> parcel_;
  std::vector<std::byte> answer_;
  std::vector<view::CopyRun> packed_;
  Length moved_ = 0;
};

// An aggregator's side: one window at a time, rank by rank.
class Owner {
 public:
  Owner(const MessageSetting& setting, int aggregator)
      : set_(setting), aggregator_(aggregator), parcel_(ParcelLimits(setting.plan).capacity()), answer_(parcel_.size()) {}

  Task<Result<void>> run() {
    const Itinerary itinerary(set_.plan);
    for (Count round = 0; round < itinerary.rounds(); ++round) {
      const ByteRange window = itinerary.window(aggregator_, round);
      if (window.empty() || std::none_of(set_.spans.begin(), set_.spans.end(), [&](const ByteRange& span) { return meets(span, window); })) continue;
      memory_.resize(static_cast<std::size_t>(window.size()));
      Coverage filled(window);
      if (set_.plan.direction == Direction::read) load(window);
      for (int rank = 0; rank < set_.comm.size(); ++rank) {
        if (meets(set_.spans[static_cast<std::size_t>(rank)], window)) co_await serve(window, rank, filled);
      }
      if (set_.plan.direction == Direction::write) store(window, filled);
    }
    co_return outcome_;
  }

 private:
  Task<bool> serve(ByteRange window, int rank, Coverage& filled) {
    bool last = false;
    while (!last) {
      Length received = 0;
      const auto arrived = set_.comm.receive(rank, to_aggregator, parcel_, received);
      co_await *arrived;
      const ParcelHeader header = header_of(parcel_);
      last = header.last != 0;
      if (set_.plan.direction == Direction::write) {
        overlay(window, header, filled);
        continue;
      }
      const std::size_t size = answer(window, header);
      const auto sent = set_.comm.send(rank, from_aggregator, std::span<const std::byte>(answer_.data(), size));
      co_await *sent;
    }
    co_return true;
  }

  // Copies between the window and packed data, in the order of the parcel's runs.
  template <class Each>
  void for_each_run(ByteRange window, const ParcelHeader& header, std::byte* data, Each each) {
    RunReader runs(window.begin, std::span<const std::byte>(parcel_.data() + sizeof header, static_cast<std::size_t>(header.runs)));
    Offset at = 0;
    while (const std::optional<layout::Run> run = runs.next()) {
      copy(set_.plan.direction, {memory_.data(), window.begin}, data, {run->offset, run->stride, at, run->length, run->length, run->count});
      at += run->bytes();
      each(*run);
    }
  }

  void overlay(ByteRange window, const ParcelHeader& header, Coverage& filled) {
    std::byte* const data = parcel_.data() + sizeof header + header.runs;
    for_each_run(window, header, data, [&](const layout::Run& run) {
      if (run.count > 1 && run.stride == run.length) return filled.add(run.offset, run.offset + run.bytes());
      for (Count i = 0; i < run.count; ++i) filled.add(run.offset + i * run.stride, run.offset + i * run.stride + run.length);
    });
  }

  std::size_t answer(ByteRange window, ParcelHeader header) {
    for_each_run(window, header, answer_.data() + sizeof header, [](const layout::Run&) {});
    header.valid_end = valid_end_;
    std::memcpy(answer_.data(), &header, sizeof header);
    return sizeof header + static_cast<std::size_t>(header.data);
  }

  void load(ByteRange window) {
    valid_end_ = window.begin;
    if (!outcome_) return;
    const port::Segment segment{memory_.data(), window.size()};
    const Result<Length> read = set_.file.transfer(Direction::read, window.begin, {&segment, 1});
    if (read) valid_end_ = window.begin + *read;
    else outcome_ = read.error();
  }

  void store(ByteRange window, const Coverage& filled) {
    filled.for_each([&](ByteRange range) {
      if (!outcome_) return;
      const port::Segment segment{memory_.data() + (range.begin - window.begin), range.size()};
      const Result<Length> written = transfer_window(set_.file, Direction::write, range.begin, segment, set_.locked);
      if (!written) outcome_ = written.error();
    });
  }

  const MessageSetting& set_;
  int aggregator_;
  std::vector<std::byte> parcel_;
  std::vector<std::byte> answer_;
  std::vector<std::byte> memory_;
  Offset valid_end_ = 0;
  Result<void> outcome_;
};

}  // namespace

Task<Result<Length>> exchange_by_messages(const MessageSetting& setting) {
  const auto& aggregators = setting.plan.aggregators;
  const auto place = std::find(aggregators.begin(), aggregators.end(), setting.comm.rank());
  Client client(setting);
  Strand<Result<Length>> asking(client.run());
  if (place == aggregators.end()) {
    AllOf one({&asking}, [] { sched_yield(); });
    co_await one;
    co_return asking.take();
  }
  Owner owner(setting, static_cast<int>(place - aggregators.begin()));
  Strand<Result<void>> serving(owner.run());
  AllOf both({&asking, &serving}, [] { sched_yield(); });
  co_await both;
  const Result<void> served = serving.take();
  if (!served) co_return served.error();
  co_return asking.take();
}

}  // namespace collate::execute
