// driver/posix/posix_driver.hpp - files of any file system that Linux mounts, through system calls.
//
// A write-only file is opened for reading too where its permissions allow it, so that it can be mapped and
// sieved; traits().readable tells. O_TRUNC is never used, descriptors are close-on-exec, opening never waits
// for a FIFO. Range locks are open-file-description locks: they exclude other open files, also of the same
// process, and not other threads using the same OpenFile; closing another open of the same file keeps them.
// After a failed sync the file is tainted: every later sync and the close repeat the error, as the kernel may
// have dropped the unwritten pages and a second fsync would lie.
//
// Cost: transfer of one segment is one system call and no allocation. Thread rule: as port/file_driver.hpp;
// close() while another thread uses the same OpenFile is the caller's mistake.
//
//   auto driver = make_posix_driver();
//   auto file = driver->open({.path = "/scratch/out.dat", .read = false, .write = true, .create = true});
#pragma once

#include <memory>

#include "port/file_driver.hpp"

namespace collate::driver {

[[nodiscard]] std::unique_ptr<port::FileDriver> make_posix_driver();

}  // namespace collate::driver
