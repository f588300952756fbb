// execute/copy.hpp - moves CopyRuns between user memory and a stretch of file bytes in memory.
//
// `copy_until` walks an access and copies all of a stretch; since irregular pieces may lie anywhere in memory, it
// looks a few runs ahead and has the processor fetch them while it copies. Small pieces of common sizes are copied with fixed-size loads and stores, others with memcpy; a run whose pieces
// touch on both sides is one copy. Cost: about 2 ns a piece up to 64 bytes. Thread rule: pure on its arguments.
#pragma once

#include <algorithm>
#include <array>

#include "view/transfer.hpp"

namespace collate::execute {

// File bytes that stand in memory: the byte at file offset x is data[x - begin].
struct FileBytes {
  std::byte* data = nullptr;
  Offset begin = 0;
  [[nodiscard]] std::byte* at(Offset offset) const noexcept { return data + (offset - begin); }
};

// Direction::write copies from `memory` to the file bytes, Direction::read the other way.
void copy(Direction direction, const FileBytes& file, std::byte* memory, const view::CopyRun& run);

// The same for the first `bytes` bytes of the run at most; returns how many that were.
Length copy_prefix(Direction direction, const FileBytes& file, std::byte* memory, view::CopyRun run, Length bytes);

// Asks for the first cache lines that a run touches in memory.
inline void fetch_ahead(const std::byte* memory, const view::CopyRun& run) {
  const std::byte* piece = memory + run.memory;
  const Count pieces = std::min<Count>(run.count, 8);
  for (Count i = 0; i < pieces; ++i, piece += run.memory_stride) {
    __builtin_prefetch(piece);
    __builtin_prefetch(piece + std::min<Length>(run.length, 64) - 1);
  }
}

// Copies from the cursor's position up to stream position `to`; calls each(run) for every run copied.
template <class Each>
void copy_until(view::TransferCursor& cursor, Length to, Direction direction, const FileBytes& file, std::byte* memory, Each each) {
  constexpr std::size_t ahead = 24;
  std::array<view::CopyRun, ahead> runs;
  while (cursor.position() < to) {
    std::size_t count = 0;
    while (count < ahead) {
      const std::optional<view::CopyRun> run = cursor.next(to - cursor.position());
      if (!run) break;
      fetch_ahead(memory, *run);
      runs[count++] = *run;
    }
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      copy(direction, file, memory, runs[i]);
      each(runs[i]);
    }
  }
}

}  // namespace collate::execute
