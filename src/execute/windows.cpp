// One algorithm for exact pieces, data sieving and read-modify-write: windows of the file, one transfer each.
//
// A window starts at a piece and grows while the hole to the next piece is at most `hole` bytes and the window at
// most plan.buffer; a larger hole ends it, so large holes are never touched.
//   exact pieces       hole = 0: a window is one contiguous stretch of the access
//   sieving (read)     the window is read with its holes and the pieces are picked out
//   read-modify-write  under an exclusive lock of the window alone: read it, lay the pieces over it, write it back; a
//                      window without holes needs no reading, but the lock all the same, for it may lie in a hole that
//                      another rank is rewriting
// A window whose bytes lie in one piece in memory too goes straight between memory and file, whatever its size;
// any other is gathered in, or spread from, staging memory. (Thakur, Gropp, Lusk 1999.)
#include <algorithm>
#include <cstring>
#include <limits>

#include "execute/copy.hpp"
#include "execute/independent.hpp"

namespace collate::execute {
namespace {

struct Window {
  ByteRange range;
  Length from = 0;  // stream positions of its data
  Length to = 0;
  [[nodiscard]] bool dense() const noexcept { return range.size() == to - from; }
};

struct Limits {
  Length hole = 0;
  Length size = 0;
  bool locked = false;  // each window on its own: other ranks may be rewriting holes, where this one's data are, right now
};

// Finds windows, walking the file side only.
class WindowFinder {
 public:
  WindowFinder(const Limits& limits, const Part& part) : limits_(limits), to_(part.to), position_(part.from), feed_(part.transfer.file) {
    feed_.seek(part.transfer.start + part.from);
  }

  bool next(Window& window) {
    window.range = {0, 0};
    window.from = position_;
    bool open = false;
    while (position_ < to_ && feed_.fill(to_ - position_)) {
      const layout::Run run = feed_.front();
      if (!open) window.range = {run.offset, run.offset};
      const Length taken = take_from(run, window.range, !open);
      open = true;
      if (taken == 0) break;
      feed_.take(taken);
      position_ += taken;
    }
    window.to = position_;
    return open;
  }

 private:
  // How many bytes of `run` belong to the window; grows it.
  Length take_from(const layout::Run& run, ByteRange& range, bool first) const {
    const Offset gap = run.offset - range.end;
    const Length room = limits_.size - (run.offset - range.begin);
    if (!first && (gap < 0 || gap > limits_.hole || room < run.length)) return 0;
    const Length length = std::min(run.length, room);
    const Offset between = run.stride - run.length;
    const bool more = run.count > 1 && length == run.length && between >= 0 && between <= limits_.hole;
    const Count count = more ? std::clamp<Count>((room - length) / run.stride + 1, 1, run.count) : 1;
    range.end = run.offset + (count - 1) * run.stride + length;
    return length * count;
  }

  Limits limits_;
  Length to_;
  Length position_;
  view::RunFeed feed_;
};

class WindowMover {
 public:
  WindowMover(const Limits& limits, Direction direction, const Part& part, Bench bench)
      : limits_(limits), direction_(direction), part_(part), bench_(bench), cursor_(part.transfer) {
    cursor_.seek(part.from);
  }

  Result<Length> run() {
    WindowFinder finder(limits_, part_);
    Window window;
    while (!ended_ && finder.next(window)) {
      const Result<void> moved = move(window);
      if (!moved) return moved.error();
      if (cursor_.position() != window.to) cursor_.seek(window.to);
    }
    return moved_;
  }

 private:
  Result<void> move(const Window& window) {
    if (window.dense()) {
      const std::optional<view::CopyRun> run = cursor_.next(window.to - window.from);
      const bool solid = run && run->bytes() == window.range.size() && (run->count == 1 || run->memory_stride == run->length);
      if (solid) return move_straight(window, part_.transfer.origin + run->memory);
      cursor_.seek(window.from);
    }
    staged_ = bench_.staging.reserve(std::max(window.range.size(), std::min<Length>(limits_.size, 64 * 1024)));
    if (staged_ == nullptr) return refusal(ErrorClass::no_memory, ErrorDetail::out_of_memory);
    if (direction_ == Direction::read) return load(window);
    return window.dense() ? store(window, limits_.locked) : rewrite(window);
  }

  Result<void> move_straight(const Window& window, std::byte* memory) {
    const port::Segment segment{memory, window.range.size()};
    const Result<Length> moved = transfer_window(bench_.file, direction_, window.range.begin, segment, limits_.locked);
    if (!moved) return moved.error();
    account(window, *moved);
    return {};
  }

  Result<void> load(const Window& window) {
    const Result<Length> got = read(window.range);
    if (!got) return got.error();
    Length to = window.to;
    if (window.dense()) to = window.from + *got;
    else if (*got < window.range.size()) to = std::clamp(part_.transfer.bytes_below(window.range.begin + *got), window.from, window.to);
    copy_pieces(window, to);
    account(window, to - window.from);
    return {};
  }

  Result<void> store(const Window& window, bool locked) {
    copy_pieces(window, window.to);
    const port::Segment segment{staged_, window.range.size()};
    const Result<Length> written = transfer_window(bench_.file, Direction::write, window.range.begin, segment, locked);
    if (!written) return written.error();
    account(window, window.to - window.from);
    return {};
  }

  Result<void> rewrite(const Window& window) {
    const Result<void> locked = bench_.file.lock(Direction::write, window.range);
    if (!locked) return locked;
    const Result<void> rewritten = rewrite_locked(window);
    const Result<void> unlocked = bench_.file.unlock(window.range);
    return rewritten ? unlocked : rewritten;
  }

  Result<void> rewrite_locked(const Window& window) {
    const Result<Length> got = read(window.range);
    if (!got) return got.error();
    std::memset(staged_ + *got, 0, static_cast<std::size_t>(window.range.size() - *got));
    return store(window, false);
  }

  // A short window is the end of the file. Pieces ascend, so nothing can follow it; where they do not, something may.
  void account(const Window& window, Length bytes) {
    moved_ += bytes;
    if (bytes < window.to - window.from && part_.transfer.ordered) ended_ = true;
  }

  void copy_pieces(const Window& window, Length to) {
    copy_until(cursor_, to, direction_, {staged_, window.range.begin}, part_.transfer.origin, [](const view::CopyRun&) {});
  }

  Result<Length> read(const ByteRange& range) {
    const port::Segment segment{staged_, range.size()};
    return bench_.file.transfer(Direction::read, range.begin, {&segment, 1});
  }

  Limits limits_;
  Direction direction_;
  Part part_;
  Bench bench_;
  view::TransferCursor cursor_;
  std::byte* staged_ = nullptr;
  Length moved_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<Length> move_windows(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  const bool holes = plan.strategy == plan::Strategy::sieve || plan.strategy == plan::Strategy::rmw;
  const bool straight = !holes && part.transfer.contiguous_in_memory();
  const Length size = straight ? std::numeric_limits<Length>::max() / 4 : std::max<Length>(plan.buffer, 1);
  return WindowMover({holes ? plan.hole : 0, size, plan.strategy == plan::Strategy::rmw}, direction, part, bench).run();
}

}  // namespace collate::execute
