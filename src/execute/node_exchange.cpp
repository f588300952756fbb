// The protocol of node_exchange.hpp, slot by slot.
//
// Window number q (counted over all exchanges, skipping windows nobody meets) uses slot q % slots for the
// (q / slots)-th time, its turn t. The slot's `turn` word tells the state and is what ranks sleep on:
//   2t      open: writers fill it / the first reader fetches it
//   2t + 1  write: not full, every rank moves its own pieces; read: fetched, ready to be copied out
//   2t + 2  done, open for the next window that uses the slot
#include "execute/node_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "execute/copy.hpp"
#include "execute/node_memory.hpp"

namespace collate::execute {
namespace {

constexpr std::size_t line = 128;
constexpr std::size_t page = 4096;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

// A fixed pseudo-random number for a file offset (the finaliser of splitmix64).
constexpr std::uint64_t scatter(Offset offset) noexcept {
  auto x = static_cast<std::uint64_t>(offset) + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// What the bytes [begin, end) add to a window's cover; adjacent ranges telescope.
constexpr std::uint64_t cover_of(Offset begin, Offset end) noexcept { return scatter(end) - scatter(begin); }

std::uint64_t cover_of(const view::CopyRun& run) noexcept {
  if (run.count == 1 || run.file_stride == run.length) return cover_of(run.file, run.file + run.bytes());
  std::uint64_t cover = 0;
  for (Count i = 0; i < run.count; ++i) {
    const Offset begin = run.file + i * run.file_stride;
    cover += cover_of(begin, begin + run.length);
  }
  return cover;
}

constexpr bool meets(const ByteRange& a, const ByteRange& b) noexcept { return a.begin < b.end && b.begin < a.end; }

}  // namespace

struct NodeExchange::Slot {
  alignas(line) std::atomic<std::uint32_t> turn;
  alignas(line) std::atomic<std::uint32_t> arrived;
  std::atomic<std::uint32_t> fetched;
  std::atomic<std::uint64_t> cover;
  std::atomic<Offset> valid_end;  // read: bytes up to here were in the file
};

struct NodeExchange::Header {
  alignas(line) std::atomic<std::uint32_t> failed;  // number of the last exchange that failed
  Error error;                                      // of that exchange
};

NodeExchange::NodeExchange(port::Comm& comm, std::unique_ptr<port::SharedSegment> segment, Length window, int slots)
    : comm_(comm), segment_(std::move(segment)), window_(window), slots_(slots) {}

Task<std::unique_ptr<NodeExchange>> NodeExchange::make(port::Comm& comm, Length window, int slots) {
  const std::size_t control = round_up(sizeof(Header) + static_cast<std::size_t>(slots) * sizeof(Slot), page);
  const Length bytes = static_cast<Length>(control) + slots * window;
  std::unique_ptr<port::SharedSegment> segment = co_await share_memory(comm, bytes);
  if (segment == nullptr) co_return nullptr;
  co_return std::unique_ptr<NodeExchange>(new NodeExchange(comm, std::move(segment), window, slots));
}

// One exchange, seen from one rank.
class NodeExchange::Pass {
 public:
  struct Setting {
    const plan::CollectivePlan& plan;
    std::span<const ByteRange> spans;
    const plan::IndependentPlan& own;
    const view::Transfer& transfer;
    Bench bench;
  };

  Pass(NodeExchange& exchange, const Setting& setting)
      : exchange_(exchange),
        set_(setting),
        direction_(setting.plan.direction),
        mine_(setting.spans[static_cast<std::size_t>(exchange.comm_.rank())]),
        cursor_(setting.transfer),
        visits_(static_cast<std::size_t>(exchange.slots_)) {}

  Task<Result<Length>> run() {
    const plan::Windows& windows = set_.plan.windows;
    for (Count k = 0; k < windows.count; ++k) {
      const ByteRange range = windows.range(k);
      const auto expected = static_cast<std::uint32_t>(
          std::count_if(set_.spans.begin(), set_.spans.end(), [&](const ByteRange& span) { return meets(span, range); }));
      if (expected == 0) continue;
      Visit& visit = visits_[exchange_.passed_ % visits_.size()];
      const bool mine = meets(mine_, range);
      if (mine || visit.expected > 0) co_await settle(visit);  // others may wait for this rank's pieces
      if (mine) {
        visit = next_visit(range, expected);
        if (direction_ == Direction::write) co_await deposit(visit);
        else co_await collect(visit);
      } else {
        visit = next_visit(range, 0);
      }
      ++exchange_.passed_;
    }
    for (Visit& visit : visits_) co_await settle(visit);
    const Header& header = exchange_.header();
    if (header.failed.load(std::memory_order_acquire) == exchange_.exchanges_) co_return header.error;
    co_return moved_;
  }

 private:
  // This rank's part in a window.
  struct Visit {
    Slot* slot = nullptr;
    std::byte* memory = nullptr;
    ByteRange range;              // of the window that lies within the span of all ranks
    std::uint32_t open = 0;       // the slot's turn while it is open
    std::uint32_t expected = 0;   // ranks that take part; 0 when this rank does not
    Length from = 0;              // stream positions of this rank's bytes
    Length to = 0;
    bool moved_alone = false;
  };

  Visit next_visit(const ByteRange& range, std::uint32_t expected) {
    const auto slots = static_cast<std::uint64_t>(exchange_.slots_);
    const std::size_t index = exchange_.passed_ % slots;
    const ByteRange within{std::max(range.begin, set_.plan.span.begin), std::min(range.end, set_.plan.span.end)};
    return {&exchange_.slot(index), exchange_.window_memory(index), within, static_cast<std::uint32_t>(2 * (exchange_.passed_ / slots)), expected, 0, 0, false};
  }

  [[nodiscard]] bool failed() const { return exchange_.header().failed.load(std::memory_order_acquire) == exchange_.exchanges_; }

  void fail(Error error) {
    Header& header = exchange_.header();
    std::uint32_t last = header.failed.load(std::memory_order_acquire);
    if (last == exchange_.exchanges_) return;
    if (!header.failed.compare_exchange_strong(last, exchange_.exchanges_, std::memory_order_acq_rel)) return;
    error.rank = exchange_.comm_.rank();
    header.error = error;  // read only after every window is done, which this rank's own window still is not
  }

  void turn_to(Visit& visit, std::uint32_t turn) {
    visit.slot->turn.store(turn, std::memory_order_release);
    exchange_.comm_.unpark(visit.slot->turn);
  }

  // True for the last of the ranks that take part.
  bool arrive(Visit& visit) {
    if (visit.slot->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != visit.expected) return false;
    visit.slot->arrived.store(0, std::memory_order_relaxed);
    return true;
  }

  Task<bool> wait_for_turn(Slot& slot, std::uint32_t wanted) {
    for (;;) {
      const std::uint32_t turn = slot.turn.load(std::memory_order_acquire);
      if (static_cast<std::int32_t>(turn - wanted) >= 0) co_return true;
      port::WordChanged changed(exchange_.comm_, slot.turn, turn);
      co_await changed;
    }
  }

  // Sees a window through to its end, moving this rank's own pieces if it turned out not to be full.
  Task<bool> settle(Visit& visit) {
    if (visit.slot == nullptr) co_return true;
    co_await wait_for_turn(*visit.slot, visit.open + 1);
    const bool alone = direction_ == Direction::write && visit.expected > 0 && !visit.moved_alone &&
                       visit.slot->turn.load(std::memory_order_acquire) == visit.open + 1;
    if (alone) {
      visit.moved_alone = true;
      move_alone(visit);
      if (arrive(visit)) turn_to(visit, visit.open + 2);
    }
    co_await wait_for_turn(*visit.slot, visit.open + 2);
    co_return true;
  }

  void move_alone(const Visit& visit) {
    if (visit.from == visit.to || failed()) return;
    const Part part{set_.transfer, visit.from, visit.to};
    const Result<Length> moved = run_part(set_.own, direction_, part, visit.range, set_.bench);
    if (!moved) fail(moved.error());
  }

  Task<bool> deposit(Visit& visit) {
    visit.from = cursor_.position();
    visit.to = set_.transfer.bytes_below(visit.range.end);
    co_await wait_for_turn(*visit.slot, visit.open);
    const FileBytes window{visit.memory, visit.range.begin};
    std::uint64_t cover = 0;
    copy_until(cursor_, visit.to, Direction::write, window, set_.transfer.origin, [&](const view::CopyRun& run) { cover += cover_of(run); });
    moved_ += visit.to - visit.from;
    visit.slot->cover.fetch_add(cover, std::memory_order_relaxed);
    if (arrive(visit)) write_window(visit);
    co_return true;
  }

  void write_window(Visit& visit) {
    const bool full = visit.slot->cover.exchange(0, std::memory_order_relaxed) == cover_of(visit.range.begin, visit.range.end);
    if (!full && !failed()) return turn_to(visit, visit.open + 1);
    if (!failed()) {
      const port::Segment segment{visit.memory, visit.range.size()};
      const Result<Length> written = transfer_window(set_.bench.file, Direction::write, visit.range.begin, segment, set_.own.locked);
      if (!written) fail(written.error());
    }
    turn_to(visit, visit.open + 2);
  }

  Task<bool> collect(Visit& visit) {
    visit.from = cursor_.position();
    visit.to = set_.transfer.bytes_below(visit.range.end);
    co_await wait_for_turn(*visit.slot, visit.open);
    if (visit.slot->fetched.exchange(1, std::memory_order_acq_rel) == 0) fetch_window(visit);
    co_await wait_for_turn(*visit.slot, visit.open + 1);
    const Offset valid_end = visit.slot->valid_end.load(std::memory_order_relaxed);
    const Length reached = valid_end < visit.range.end ? std::min(visit.to, set_.transfer.bytes_below(valid_end)) : visit.to;
    const FileBytes window{visit.memory, visit.range.begin};
    if (!ended_) copy_until(cursor_, reached, Direction::read, window, set_.transfer.origin, [](const view::CopyRun&) {});
    moved_ = cursor_.position();
    ended_ = ended_ || reached < visit.to;
    if (arrive(visit)) {
      visit.slot->fetched.store(0, std::memory_order_relaxed);
      turn_to(visit, visit.open + 2);
    }
    co_return true;
  }

  void fetch_window(Visit& visit) {
    Length got = 0;
    if (!failed()) {
      const port::Segment segment{visit.memory, visit.range.size()};
      const Result<Length> read = set_.bench.file.transfer(Direction::read, visit.range.begin, {&segment, 1});
      if (read) got = *read;
      else fail(read.error());
    }
    visit.slot->valid_end.store(visit.range.begin + got, std::memory_order_relaxed);
    turn_to(visit, visit.open + 1);
  }

  NodeExchange& exchange_;
  Setting set_;
  Direction direction_;
  ByteRange mine_;
  view::TransferCursor cursor_;
  std::vector<Visit> visits_;
  Length moved_ = 0;
  bool ended_ = false;  // read: the end of the file, or of what could be read, was met
};

NodeExchange::Header& NodeExchange::header() { return *reinterpret_cast<Header*>(segment_->memory().data()); }

NodeExchange::Slot& NodeExchange::slot(std::size_t index) {
  return reinterpret_cast<Slot*>(segment_->memory().data() + sizeof(Header))[index];
}

std::byte* NodeExchange::window_memory(std::size_t index) {
  const std::size_t control = round_up(sizeof(Header) + static_cast<std::size_t>(slots_) * sizeof(Slot), page);
  return segment_->memory().data() + control + index * static_cast<std::size_t>(window_);
}

Task<Result<Length>> NodeExchange::run(const plan::CollectivePlan& plan, std::span<const ByteRange> spans, const plan::IndependentPlan& own,
                                       const view::Transfer& transfer, Bench bench) {
  ++exchanges_;
  Pass pass(*this, {plan, spans, own, transfer, bench});
  Result<Length> moved = co_await pass.run();
  co_return moved;
}

}  // namespace collate::execute
