// Exact pieces: every contiguous piece of the file is one system call, and nothing else is touched.
//
// Pieces that are large and contiguous in memory go straight between user memory and file. Smaller ones, and
// pieces whose memory is scattered, are gathered into a batch as long as the next one continues the same file
// piece; a batch is one transfer through staging memory.
#include <array>

#include "execute/copy.hpp"
#include "execute/independent.hpp"

namespace collate::execute {
namespace {

// Below this a copy into staging is cheaper than an extra system call (bytes).
constexpr Length straight = 4096;
constexpr std::size_t batch_runs = 128;

class PieceMover {
 public:
  PieceMover(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench)
      : limit_(std::max<Length>(plan.buffer, 4096)), direction_(direction), part_(part), bench_(bench) {}

  Result<Length> run() {
    view::TransferCursor cursor(part_.transfer);
    cursor.seek(part_.from);
    while (!ended_ && cursor.position() < part_.to) {
      const std::optional<view::CopyRun> run = cursor.next(part_.to - cursor.position());
      if (!run) break;
      const Result<void> added = add(*run);
      if (!added) return added.error();
    }
    const Result<void> flushed = flush();
    if (!flushed) return flushed.error();
    return moved_;
  }

 private:
  Result<void> add(const view::CopyRun& run) {
    if (run.count > 1 && run.file_stride == run.length) return add_touching(run);
    view::CopyRun piece = run;
    piece.count = 1;
    for (Count i = 0; i < run.count && !ended_; ++i) {
      const Result<void> added = add_piece(piece);
      if (!added) return added;
      piece.file += run.file_stride;
      piece.memory += run.memory_stride;
    }
    return {};
  }

  Result<void> add_piece(const view::CopyRun& piece) {
    if (piece.length < straight) return add_touching(piece);
    const Result<void> flushed = flush();
    if (!flushed || ended_) return flushed;
    return move(piece.file, {part_.transfer.origin + piece.memory, piece.length});
  }

  // Pieces that touch in the file, scattered in memory: append them to the batch, as much as fits at a time.
  Result<void> add_touching(view::CopyRun run) {
    while (run.count > 0 && !ended_) {
      const bool continues = batch_size_ > 0 && run.file == batch_begin_ + batch_bytes_;
      if (!continues || batch_size_ == batch_runs || batch_bytes_ + run.length > limit_) {
        const Result<void> flushed = flush();
        if (!flushed || ended_) return flushed;
        batch_begin_ = run.file;
      }
      view::CopyRun fitting = run;
      fitting.count = std::min(run.count, std::max<Count>(1, (limit_ - batch_bytes_) / run.length));
      batch_[batch_size_++] = fitting;
      batch_bytes_ += fitting.bytes();
      run.count -= fitting.count;
      run.file += fitting.count * run.file_stride;
      run.memory += fitting.count * run.memory_stride;
    }
    return {};
  }

  Result<void> flush() {
    if (batch_size_ == 0) return {};
    const std::size_t runs = std::exchange(batch_size_, 0);
    const Length bytes = std::exchange(batch_bytes_, 0);
    if (runs == 1 && batch_[0].count == 1) return move(batch_begin_, {part_.transfer.origin + batch_[0].memory, bytes});
    std::byte* const staged = bench_.staging.reserve(std::max(bytes, limit_));
    if (staged == nullptr) return refusal(ErrorClass::no_memory, ErrorDetail::out_of_memory);
    const FileBytes file{staged, batch_begin_};
    const bool write = direction_ == Direction::write;
    if (write) copy_batch(file, runs, bytes);
    const Length before = moved_;
    const Result<void> transferred = move(batch_begin_, {staged, bytes});
    if (!transferred) return transferred;
    if (!write) copy_batch(file, runs, moved_ - before);
    return {};
  }

  // Copies the first `bytes` bytes of the batch.
  void copy_batch(const FileBytes& file, std::size_t runs, Length bytes) {
    for (std::size_t i = 0; i < runs && bytes > 0; ++i) {
      bytes -= copy_prefix(direction_, file, part_.transfer.origin, batch_[i], bytes);
    }
  }

  Result<void> move(Offset offset, port::Segment segment) {
    const Result<Length> moved = bench_.file.transfer(direction_, offset, {&segment, 1});
    if (!moved) return moved.error();
    moved_ += *moved;
    // Pieces ascend: nothing can follow the end of the file. Where they do not, the next may lie before it.
    if (*moved < segment.size && part_.transfer.ordered) ended_ = true;
    return {};
  }

  Length limit_;
  Direction direction_;
  Part part_;
  Bench bench_;
  std::array<view::CopyRun, batch_runs> batch_;
  std::size_t batch_size_ = 0;
  Length batch_bytes_ = 0;
  Offset batch_begin_ = 0;
  Length moved_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<Length> move_pieces(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  return PieceMover(plan, direction, part, bench).run();
}

}  // namespace collate::execute
