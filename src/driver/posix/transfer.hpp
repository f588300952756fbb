// driver/posix/transfer.hpp - move bytes between a descriptor and memory, whatever the kernel does in between.
//
// One preadv/pwritev takes at most IOV_MAX (1024) segments and 0x7ffff000 bytes, may move fewer bytes than
// asked, and may be interrupted. `move_bytes` goes on where the last call stopped until everything is moved, a
// read meets the end of the file, or an error. A single segment that moves whole is one pread or pwrite and
// nothing else; nothing is ever allocated. Thread rule: pure but for the calls.
#pragma once

#include <span>

#include "base/result.hpp"
#include "base/units.hpp"
#include "port/file_driver.hpp"

namespace collate::driver {

// The most bytes Linux moves in one call.
inline constexpr Length largest_call = 0x7ffff000;

[[nodiscard]] Result<Length> move_bytes(int descriptor, Direction direction, Offset offset, std::span<const port::Segment> segments);

// Blocks SIGXFSZ in this thread while it lives, and swallows the one that this thread's write beyond the limit
// on file sizes has raised, so that EFBIG is an error and not the end of the process. `active`: there is a limit.
class FileSizeSignal {
 public:
  explicit FileSizeSignal(bool active);
  ~FileSizeSignal();
  FileSizeSignal(const FileSizeSignal&) = delete;
  FileSizeSignal& operator=(const FileSizeSignal&) = delete;

 private:
  bool active_;
  bool was_blocked_ = false;
  bool was_pending_ = false;
};

}  // namespace collate::driver
