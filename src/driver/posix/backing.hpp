// driver/posix/backing.hpp - make sure that a range of a file has room on the disk, keeping its bytes.
#pragma once

#include <cstdint>

#include "base/units.hpp"

namespace collate::driver {

enum class Growth : std::uint8_t { keep_size, grow };

// 0 or an errno; EOPNOTSUPP where the file system cannot. Some file systems undo a long allocation when any
// signal arrives: after the first interruption it is tried again with signals held back. Cost: one fallocate,
// about nothing where the room is there already on ext4 and xfs, 20 ns per page on tmpfs.
[[nodiscard]] int back_range(int descriptor, ByteRange range, Growth growth);

}  // namespace collate::driver
