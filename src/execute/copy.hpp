// execute/copy.hpp - moves CopyRuns between user memory and a stretch of file bytes in memory.
//
// `copy_until` walks an access and copies all of a stretch; since irregular pieces may lie anywhere in memory, it
// looks a few runs ahead and has the processor fetch them while it copies. Small pieces of common sizes are copied with fixed-size loads and stores, others with memcpy; a run whose pieces
// touch on both sides is one copy. Cost: about 2 ns a piece up to 64 bytes. Thread rule: pure on its arguments.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "view/transfer.hpp"

namespace collate::execute {

// File bytes that stand in memory: the byte at file offset x is data[x - begin].
struct FileBytes {
  std::byte* data = nullptr;
  Offset begin = 0;
  [[nodiscard]] std::byte* at(Offset offset) const noexcept { return data + (offset - begin); }
};

struct Pieces {
  Length length = 0;
  Count count = 0;
};

// `pieces.count` pieces of `pieces.length` bytes at the given distances.
void copy_strided(std::byte* to, Offset to_stride, const std::byte* from, Offset from_stride, const Pieces& pieces);

// One piece; the sizes that irregular data has most are inlined.
inline void copy_piece(std::byte* to, const std::byte* from, Length size) {
  if (size == 64) std::memcpy(to, from, 64);
  else if (size == 8) std::memcpy(to, from, 8);
  else std::memcpy(to, from, static_cast<std::size_t>(size));
}

// Direction::write copies from `memory` to the file bytes, Direction::read the other way.
inline void copy(Direction direction, const FileBytes& file, std::byte* memory, const view::CopyRun& run) {
  std::byte* const in_file = file.at(run.file);
  std::byte* const in_memory = memory + run.memory;
  const bool write = direction == Direction::write;
  std::byte* const to = write ? in_file : in_memory;
  const std::byte* const from = write ? in_memory : in_file;
  if (run.count == 1 || (run.file_stride == run.length && run.memory_stride == run.length)) return copy_piece(to, from, run.bytes());
  const Offset to_stride = write ? run.file_stride : run.memory_stride;
  copy_strided(to, to_stride, from, write ? run.memory_stride : run.file_stride, {run.length, run.count});
}

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
  constexpr std::size_t ahead = 16;
  std::array<view::CopyRun, ahead> runs;
  while (cursor.position() < to) {
    std::size_t count = 0;
    while (count < ahead && cursor.step(runs[count], to - cursor.position())) fetch_ahead(memory, runs[count++]);
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      copy(direction, file, memory, runs[i]);
      each(runs[i]);
    }
  }
}

}  // namespace collate::execute
