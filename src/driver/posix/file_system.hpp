// driver/posix/file_system.hpp - what an open descriptor tells about the file system under it.
//
// A table of the magic numbers of statfs(2): name, whether it is reached over a network, whether stores through
// a mapping are byte exact and coherent with reads. Cost: fstat + fstatfs. Thread rule: pure but for the calls.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "port/driver_traits.hpp"

namespace collate::driver {

struct FileSystem {
  const char* name;
  bool network;          // another machine may have the same file open
  Length mapped_stride;  // 0: not mapped; else pieces up to this far apart are moved faster through a mapping (measured)
  bool populate;         // page faults cost more than filling the page table in one go (4 KiB pages: tmpfs)
};

// The file system of an open descriptor; "posix" where unknown or not told.
[[nodiscard]] FileSystem file_system_of(int descriptor);

// Traits of a regular file there, before access modes and locks are known.
[[nodiscard]] port::DriverTraits traits_of(const FileSystem& file_system, const struct stat& status);

// A number equal on two ranks exactly when both have the same file open. A local file system counts as another
// one on another node (the boot id tells nodes apart); on a network file system st_dev means nothing elsewhere
// and only the inode number is used.
[[nodiscard]] std::uint64_t identity_of(const FileSystem& file_system, const struct stat& status);

}  // namespace collate::driver
