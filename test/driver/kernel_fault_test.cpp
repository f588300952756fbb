// What the posix driver makes of a kernel that misbehaves. This program brings its own pwrite, pwritev, fsync,
// fallocate and fcntl, which the driver inside it then calls; with no fault set they pass on to the kernel.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "driver/posix/posix_driver.hpp"
#include "support.hpp"

namespace {

struct Kernel {
  int calls = 0;
  int interrupt_every = 0;       // every so many calls answer EINTR
  long largest_write = 0;        // > 0: short writes
  bool no_progress = false;      // writes answer 0
  int sync_error = 0;            // the next fsync fails with it, once
  int syncs = 0;
  int lock_error = 0;
  bool interrupt_allocation = false;  // while signals may arrive, as older tmpfs does
};
Kernel kernel;

bool interrupted() {
  ++kernel.calls;
  if (kernel.interrupt_every == 0 || kernel.calls % kernel.interrupt_every != 0) return false;
  errno = EINTR;
  return true;
}

}  // namespace

extern "C" {

ssize_t pwrite(int descriptor, const void* from, size_t size, off_t offset) {
  if (interrupted()) return -1;
  if (kernel.no_progress) return 0;
  const size_t part = kernel.largest_write > 0 ? std::min(size, static_cast<size_t>(kernel.largest_write)) : size;
  return syscall(SYS_pwrite64, descriptor, from, part, offset);
}

ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  if (interrupted()) return -1;
  if (kernel.no_progress) return 0;
  if (kernel.largest_write > 0) {
    const size_t part = std::min(parts[0].iov_len, static_cast<size_t>(kernel.largest_write));
    return syscall(SYS_pwrite64, descriptor, parts[0].iov_base, part, offset);
  }
  return syscall(SYS_pwritev, descriptor, parts, count, offset, 0L);
}

int fsync(int descriptor) {
  ++kernel.syncs;
  if (kernel.sync_error != 0) {
    errno = kernel.sync_error;
    kernel.sync_error = 0;  // as Linux does: the second fsync says all is well
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  if (kernel.lock_error != 0 && (command == F_OFD_SETLKW || command == F_OFD_GETLK)) {
    errno = kernel.lock_error;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fcntl, descriptor, command, argument));
}

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  if (kernel.interrupt_allocation && sigismember(&blocked, SIGALRM) == 0) {
    errno = EINTR;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, size));
}

}  // extern "C"

namespace collate::test {
namespace {

class KernelFault : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel = Kernel{};
    file_ = open_file(*driver_, folder_ / "f");
    ASSERT_TRUE(file_);
  }
  void TearDown() override { kernel = Kernel{}; }

  Folder folder_;
  std::unique_ptr<port::FileDriver> driver_ = driver::make_posix_driver();
  std::unique_ptr<port::OpenFile> file_;
};

TEST_F(KernelFault, InterruptionsAndShortWritesAreInvisible) {
  Bytes bytes = pattern(5000, 1);
  kernel.interrupt_every = 2;
  kernel.largest_write = 7;
  const Result<Length> single = write_at(*file_, 3, bytes);
  ASSERT_TRUE(single.ok());
  EXPECT_EQ(*single, 5000);
  std::vector<port::Segment> parts;
  for (Length at = 0; at < 5000; at += 11) parts.push_back({bytes.data() + at, std::min<Length>(11, 5000 - at)});
  const Result<Length> several = file_->transfer(Direction::write, 6000, parts);
  ASSERT_TRUE(several.ok());
  EXPECT_EQ(*several, 5000);
  EXPECT_GT(kernel.calls, 2 * 2 * 5000 / 7);
  kernel = Kernel{};
  EXPECT_EQ(read_at(*file_, 3, 5000), bytes);
  EXPECT_EQ(read_at(*file_, 6000, 6000), bytes);
}

TEST_F(KernelFault, ASingleSegmentIsASingleCall) {
  ASSERT_TRUE(write_at(*file_, 0, pattern(100000, 1)).ok());
  EXPECT_EQ(kernel.calls, 1);
}

TEST_F(KernelFault, AWriteWithoutProgressEnds) {
  kernel.no_progress = true;
  const Result<Length> moved = write_at(*file_, 5, pattern(10, 1));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().code, ErrorClass::io);
  EXPECT_EQ(moved.error().detail, ErrorDetail::short_transfer);
  EXPECT_EQ(moved.error().offset, 5);
}

TEST_F(KernelFault, AFailedSyncIsNeverForgotten) {
  EXPECT_TRUE(file_->sync().ok());
  kernel.sync_error = EIO;
  for (int round = 0; round < 3; ++round) {
    const Result<void> result = file_->sync();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorClass::io);
    EXPECT_EQ(result.error().system_error, EIO);
  }
  EXPECT_EQ(kernel.syncs, 2);  // a tainted file is not asked again
  EXPECT_EQ(file_->close().error().system_error, EIO);
  EXPECT_EQ(file_->close().error().detail, ErrorDetail::file_is_closed);
}

TEST_F(KernelFault, AnInterruptedSyncIsTriedAgain) {
  kernel.sync_error = EINTR;
  EXPECT_TRUE(file_->sync().ok());
  EXPECT_EQ(kernel.syncs, 2);
  kernel.sync_error = ENOSPC;
  EXPECT_EQ(file_->sync().error().code, ErrorClass::no_space);
}

TEST_F(KernelFault, AnAllocationThatSignalsUndoIsHeldOut) {
  kernel.interrupt_allocation = true;
  ASSERT_TRUE(file_->preallocate(100000).ok());
  EXPECT_EQ(*file_->size(), 100000);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGALRM), 0);
}

TEST_F(KernelFault, MissingLocksAreAnErrorAndATrait) {
  for (const int missing : {ENOLCK, ENOSYS, EINVAL, EOPNOTSUPP}) {
    kernel.lock_error = missing;
    const Result<void> result = file_->lock(Direction::write, {0, 10});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorClass::unsupported_operation);
    EXPECT_EQ(result.error().system_error, missing);
    const auto again = open_file(*driver_, folder_ / "f");
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->traits().range_locks);
  }
}

}  // namespace
}  // namespace collate::test
