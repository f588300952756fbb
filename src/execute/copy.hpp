// execute/copy.hpp - moves CopyRuns between user memory and a stretch of file bytes in memory.
//
// Small pieces of common sizes are copied with fixed-size loads and stores, others with memcpy; a run whose pieces
// touch on both sides is one copy. Cost: about 2 ns a piece up to 64 bytes. Thread rule: pure on its arguments.
#pragma once

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

}  // namespace collate::execute
