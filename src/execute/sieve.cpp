// Data sieving, window by window: pieces whose holes are small are moved with their holes in one transfer.
//
// A window starts at a piece and grows while the hole to the next piece is at most plan.hole and the window at most
// plan.buffer; a larger hole ends it, so large holes are never touched. Reading: transfer the window, pick the
// pieces out. Writing (read-modify-write): under an exclusive lock of the window alone, read it, lay the pieces
// over it, write it back. (Thakur, Gropp, Lusk 1999.)
#include <algorithm>
#include <cstring>

#include "execute/copy.hpp"
#include "execute/independent.hpp"

namespace collate::execute {
namespace {

struct Window {
  ByteRange range;
  Length to = 0;  // stream position behind its last byte of data
};

// Finds windows, walking the file side only.
class WindowFinder {
 public:
  WindowFinder(const plan::IndependentPlan& plan, const Part& part) : plan_(plan), to_(part.to), position_(part.from), feed_(part.transfer.file) {
    feed_.seek(part.transfer.start + part.from);
  }

  bool next(Window& window) {
    window.range = {0, 0};
    bool open = false;
    while (position_ < to_ && feed_.fill(to_ - position_)) {
      const layout::Run run = feed_.front();
      if (!open) {
        window.range = {run.offset, run.offset};
        open = true;
      }
      const Length taken = take_from(run, window.range);
      if (taken == 0) break;
      feed_.take(taken);
      position_ += taken;
    }
    window.to = position_;
    return open;
  }

 private:
  // How many bytes of `run` belong to the window; grows it.
  Length take_from(const layout::Run& run, ByteRange& range) const {
    const bool first = range.empty();
    const Length room = range.begin + plan_.buffer - run.offset;
    if (!first && (run.offset - range.end > plan_.hole || room < run.length)) return 0;
    const Length length = first ? std::min(run.length, plan_.buffer) : run.length;
    Count count = 1;
    const bool more = run.count > 1 && length == run.length && run.stride - run.length <= plan_.hole;
    if (more) count = std::clamp<Count>((room - run.length) / run.stride + 1, 1, run.count);
    range.end = run.offset + (count - 1) * (more ? run.stride : 0) + length;
    return length * count;
  }

  const plan::IndependentPlan& plan_;
  Length to_;
  Length position_;
  view::RunFeed feed_;
};

class Siever {
 public:
  Siever(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench)
      : plan_(plan), direction_(direction), part_(part), bench_(bench), cursor_(part.transfer) {
    cursor_.seek(part.from);
  }

  Result<Length> run() {
    staged_ = bench_.staging.reserve(plan_.buffer);
    if (staged_ == nullptr) return refusal(ErrorClass::no_memory, ErrorDetail::out_of_memory);
    WindowFinder finder(plan_, part_);
    Window window;
    while (finder.next(window)) {
      const Length planned = window.to;
      const Result<void> moved = direction_ == Direction::read ? load(window) : rewrite(window);
      if (!moved) return moved.error();
      if (cursor_.position() < planned) break;  // the end of the file
    }
    return cursor_.position() - part_.from;
  }

 private:
  Result<void> load(const Window& window) {
    const Result<Length> got = transfer(Direction::read, window.range);
    if (!got) return got.error();
    Length to = window.to;
    if (*got < window.range.size()) to = std::min(to, part_.transfer.bytes_below(window.range.begin + *got));
    copy_pieces(to, window);
    return {};
  }

  Result<void> rewrite(const Window& window) {
    Result<void> locked = bench_.file.lock(Direction::write, window.range);
    if (!locked) return locked;
    const Result<void> rewritten = rewrite_locked(window);
    const Result<void> unlocked = bench_.file.unlock(window.range);
    return rewritten ? unlocked : rewritten;
  }

  Result<void> rewrite_locked(const Window& window) {
    const Result<Length> got = transfer(Direction::read, window.range);
    if (!got) return got.error();
    std::memset(staged_ + *got, 0, static_cast<std::size_t>(window.range.size() - *got));
    copy_pieces(window.to, window);
    const Result<Length> written = transfer(Direction::write, window.range);
    if (!written) return written.error();
    return {};
  }

  void copy_pieces(Length to, const Window& window) {
    copy_until(cursor_, to, direction_, {staged_, window.range.begin}, part_.transfer.origin, [](const view::CopyRun&) {});
  }

  Result<Length> transfer(Direction direction, const ByteRange& range) {
    const port::Segment segment{staged_, range.size()};
    return bench_.file.transfer(direction, range.begin, {&segment, 1});
  }

  const plan::IndependentPlan& plan_;
  Direction direction_;
  Part part_;
  Bench bench_;
  view::TransferCursor cursor_;
  std::byte* staged_ = nullptr;
};

}  // namespace

Result<Length> move_sieved(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  return Siever(plan, direction, part, bench).run();
}

}  // namespace collate::execute
