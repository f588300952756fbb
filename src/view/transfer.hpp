// view/transfer.hpp - one access as a lazy pairing of memory bytes with file bytes.
//
// Both sides are Layouts walked in the same order: byte i of the access is memory stream byte i and file stream
// byte `start + i`. TransferCursor yields CopyRuns: equal pieces at equal distance on both sides, so that a copy
// kernel handles thousands of pieces at once. Nothing is expanded.
//
//   file: 4 bytes every 16, memory contiguous -> one CopyRun {file 0, stride 16, memory 0, stride 4, length 4, n}
//
// Cost: a step is O(1) amortised, a seek O(depth x log entries). Thread rule: one thread per cursor.
#pragma once

#include <optional>

#include "layout/cursor.hpp"

namespace collate::view {

struct Transfer {
  layout::Layout file;        // absolute file offsets of the whole view
  Length start = 0;           // stream position in `file` of the first byte
  Length bytes = 0;
  ByteRange span;             // file bytes from the first to the last touched (a hull where not ordered)
  Count pieces = 0;           // contiguous file pieces, estimated from the filetype
  bool ordered = true;        // file pieces ascend and do not overlap
  layout::Layout memory;      // offsets relative to `origin`
  std::byte* origin = nullptr;

  [[nodiscard]] bool contiguous_in_file() const noexcept { return ordered && span.size() == bytes; }
  [[nodiscard]] bool contiguous_in_memory() const noexcept { return memory.contiguous(); }
  // Bytes of this access that lie below `offset` in the file (ordered transfers only).
  [[nodiscard]] Length bytes_below(Offset offset) const;
};

// `count` pieces of `length` bytes: piece i at file + i * file_stride and at memory + i * memory_stride.
struct CopyRun {
  Offset file = 0;
  Offset file_stride = 0;
  Offset memory = 0;
  Offset memory_stride = 0;
  Length length = 0;
  Count count = 1;
  [[nodiscard]] constexpr Length bytes() const noexcept { return length * count; }
};

// A Run that can be used up piecemeal.
class RunFeed {
 public:
  explicit RunFeed(layout::Layout layout) : cursor_(std::move(layout)) {}
  void seek(Length position);
  // Makes the current run non-empty; false at the end. Fetches at most `limit` bytes.
  bool fill(Length limit);
  // What can be taken now: a partial piece has count 1.
  [[nodiscard]] layout::Run front() const;
  // As front(), without a copy; only while no piece is partly taken.
  [[nodiscard]] const layout::Run& whole() const noexcept { return run_; }
  [[nodiscard]] bool partial() const noexcept { return head_ > 0; }
  void take(Length bytes);
  void take_all() noexcept { run_.count = 0; }

 private:
  layout::Cursor cursor_;
  layout::Run run_{0, 0, 0, 0};
  Length head_ = 0;  // bytes already taken of the first piece
};

class TransferCursor {
 public:
  explicit TransferCursor(const Transfer& transfer);
  // Goes to byte `position` of the access, 0 .. bytes.
  void seek(Length position);
  [[nodiscard]] Length position() const noexcept { return position_; }
  // The next CopyRun of at most `limit` bytes; nothing at the end of the access or when limit is 0.
  [[nodiscard]] std::optional<CopyRun> next(Length limit) {
    CopyRun run;
    if (!step(run, limit)) return std::nullopt;
    return run;
  }
  // The same without the optional: in a loop over irregular pieces it costs as much as the copying.
  [[nodiscard]] bool step(CopyRun& run, Length limit);

 private:
  void pair_runs(CopyRun& run, Length limit);

  Length start_;
  Length bytes_;
  Length position_ = 0;
  RunFeed file_;
  RunFeed memory_;
};

}  // namespace collate::view
