// What only the posix driver promises: limits of the kernel's calls, signals, permissions, devices.
#include "driver/posix/posix_driver.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "support.hpp"

namespace collate::test {
namespace {

constexpr Length one_call = 0x7ffff000;

// Runs the check in a child process, which may change limits; whether nothing failed there.
int status_of_child(const std::function<void()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    check();
    fflush(stdout);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// Address space that costs no memory until touched.
class Reserved {
 public:
  explicit Reserved(Length size) : size_(static_cast<std::size_t>(size)) {
    at_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at_ != MAP_FAILED) madvise(at_, size_, MADV_HUGEPAGE);
  }
  ~Reserved() {
    if (at_ != MAP_FAILED) munmap(at_, size_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  [[nodiscard]] std::byte* data() const { return at_ == MAP_FAILED ? nullptr : static_cast<std::byte*>(at_); }

 private:
  std::size_t size_;
  void* at_;
};

TEST(Posix, SplitsWhatOneCallCannotTake) {
  const auto driver = driver::make_posix_driver();
  const auto sink = driver->open({.path = "/dev/null", .write = true});
  ASSERT_TRUE(sink.ok());
  const Length size = 2 * one_call + 12345;
  const Reserved memory(size);
  ASSERT_NE(memory.data(), nullptr);
  const port::Segment whole = {memory.data(), size};
  const Result<Length> single = (*sink)->transfer(Direction::write, 0, {&whole, 1});
  ASSERT_TRUE(single.ok());
  EXPECT_EQ(*single, size);
  const std::array<port::Segment, 3> parts = {{{memory.data(), 10}, {memory.data() + 10, one_call + 1}, {memory.data(), one_call - 1}}};
  const Result<Length> several = (*sink)->transfer(Direction::write, 0, parts);
  ASSERT_TRUE(several.ok());
  EXPECT_EQ(*several, 2 * one_call + 10);
}

// Every segment is the same megabyte of memory: what is left there is the last megabyte of the file, and it lies
// across the place where the second call starts.
TEST(Posix, ReadsMoreThanTwoGiBAtOnce) {
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "no tmpfs at /dev/shm";
  const Folder folder("/dev/shm");
  const auto driver = driver::make_posix_driver();
  const auto file = open_file(*driver, folder / "f");
  ASSERT_TRUE(file);
  constexpr Length period = 1 << 20;
  constexpr Length size = one_call + period / 2;
  const Bytes last = pattern(period, 1);
  ASSERT_TRUE(file->resize(size).ok());  // no memory but for the last megabyte
  ASSERT_TRUE(write_at(*file, size - period, last).ok());
  Bytes memory(period, std::byte{1});
  const std::vector<port::Segment> segments(size / period + 2, {memory.data(), period});
  std::vector<port::Segment> exact = segments;
  exact.resize(size / period + 1);
  exact.back().size = size % period;
  const Result<Length> moved = file->transfer(Direction::read, 0, exact);
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(*moved, size);
  Bytes expected(period);
  for (Length i = 0; i < period; ++i) expected[static_cast<std::size_t>((size + i) % period)] = last[static_cast<std::size_t>(i)];
  EXPECT_EQ(memory == expected, true);
  const Result<Length> beyond = file->transfer(Direction::read, size - 3 * period, segments);
  ASSERT_TRUE(beyond.ok());
  EXPECT_EQ(*beyond, 3 * period);
}

std::atomic<int> alarms{0};
void count_alarm(int) { ++alarms; }

// SIGALRM every 100 us, interrupting system calls.
class Storm {
 public:
  Storm() {
    struct sigaction action = {};
    action.sa_handler = count_alarm;
    sigaction(SIGALRM, &action, &before_);
    alarms = 0;
    const itimerval often = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Storm() {
    const itimerval never = {};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

 private:
  struct sigaction before_ = {};
};

TEST(Posix, TransfersSurviveAStormOfSignals) {
  const auto driver = driver::make_posix_driver();
  const auto source = driver->open({.path = "/dev/zero"});  // stops early at every signal, as regular files do not
  ASSERT_TRUE(source.ok());
  Bytes memory(8 << 20, std::byte{1});
  const Length size = static_cast<Length>(memory.size());
  const std::array<port::Segment, 3> parts = {
      {{memory.data(), 1}, {memory.data() + 1, size / 2}, {memory.data() + 1 + size / 2, size - size / 2 - 1}}};
  const Storm storm;
  for (int round = 0; round < 4; ++round) {
    std::fill(memory.begin(), memory.end(), std::byte{1});
    const Result<Length> moved = (*source)->transfer(Direction::read, 0, round == 0 ? std::span(parts).first(0) : std::span(parts));
    ASSERT_TRUE(moved.ok());
    EXPECT_EQ(*moved, round == 0 ? 0 : size);
    EXPECT_EQ(std::count(memory.begin(), memory.end(), std::byte{0}), *moved);
  }
  EXPECT_GT(alarms.load(), 5);
}

TEST(Posix, LocksAndAllocationSurviveAStormOfSignals) {
  const Folder folder(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "");
  const auto driver = driver::make_posix_driver();
  const auto holder = open_file(*driver, folder / "f");
  const auto asker = open_file(*driver, folder / "f");
  ASSERT_TRUE(holder && asker);
  ASSERT_TRUE(holder->lock(Direction::write, {0, 10}).ok());
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);  // inherited: the storm shall hit this thread, which waits
  std::thread releaser([&] {
    usleep(50000);
    EXPECT_TRUE(holder->unlock({0, 10}).ok());
  });
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const Storm storm;
  const Result<void> got = asker->lock(Direction::write, {0, 10});
  EXPECT_TRUE(got.ok());
  releaser.join();
  EXPECT_GT(alarms.load(), 10);
  ASSERT_TRUE(asker->preallocate(Length{200} << 20).ok());  // tmpfs undoes it when interrupted
  EXPECT_EQ(*asker->size(), Length{200} << 20);
  struct stat status = {};
  ASSERT_EQ(stat((folder / "f").c_str(), &status), 0);
  EXPECT_GE(status.st_blocks * 512, Length{200} << 20);
}

TEST(Posix, TheFileSizeLimitIsAnErrorNotADeath) {
  const Folder folder;
  const int status = status_of_child([&] {
    const rlimit limit = {10000, RLIM_INFINITY};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto driver = driver::make_posix_driver();
    const auto file = open_file(*driver, folder / "f");
    ASSERT_TRUE(file);
    for (int round = 0; round < 2; ++round) {
      const Result<Length> moved = write_at(*file, 9000, pattern(5000, 1));
      ASSERT_FALSE(moved.ok());
      EXPECT_EQ(moved.error().code, ErrorClass::no_space);
      EXPECT_EQ(moved.error().system_error, EFBIG);
      EXPECT_EQ(moved.error().offset, 10000);
    }
    EXPECT_EQ(*file->size(), 10000);
    EXPECT_EQ(file->resize(20000).error().system_error, EFBIG);
    EXPECT_EQ(file->preallocate(20000).error().system_error, EFBIG);
    EXPECT_TRUE(write_at(*file, 0, pattern(10000, 1)).ok());
    sigset_t pending;
    sigset_t blocked;
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
    EXPECT_EQ(sigismember(&blocked, SIGXFSZ), 0);
  });
  EXPECT_EQ(status, 0) << "ended by signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

TEST(Posix, AFullDeviceIsNoSpace) {
  const auto driver = driver::make_posix_driver();
  const auto file = driver->open({.path = "/dev/full", .write = true, .create = true});
  ASSERT_TRUE(file.ok());
  const Result<Length> moved = write_at(**file, 123, pattern(5000, 1));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().code, ErrorClass::no_space);
  EXPECT_EQ(moved.error().offset, 123);
}

TEST(Posix, NamesThatLeadNowhere) {
  const Folder folder;
  const auto driver = driver::make_posix_driver();
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_EQ(driver->open({.path = folder / "loop"}).error().code, ErrorClass::bad_file);
  EXPECT_EQ(driver->open({.path = folder / std::string(300, 'x'), .write = true, .create = true}).error().code, ErrorClass::bad_file);
  EXPECT_EQ(driver->open({.path = ""}).error().code, ErrorClass::no_such_file);
  std::filesystem::create_symlink("missing", folder / "dangling");
  EXPECT_EQ(driver->open({.path = folder / "dangling"}).error().code, ErrorClass::no_such_file);
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(driver->open({.path = folder / "fifo"}).error().code, ErrorClass::bad_file);  // and does not hang
  EXPECT_EQ(driver->open({.path = folder / "fifo", .write = true}).error().code, ErrorClass::bad_file);
}

TEST(Posix, PermissionsOfACreatedFileFollowTheUmask) {
  const Folder folder;
  const auto driver = driver::make_posix_driver();
  const mode_t before = umask(027);
  ASSERT_TRUE(open_file(*driver, folder / "f"));
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat((folder / "f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(Posix, AFileThatMayOnlyBeWrittenOpensWithoutReading) {
  const Folder folder;
  ASSERT_EQ(chmod((folder / ".").c_str(), 0777), 0);
  const int status = status_of_child([&] {
    if (geteuid() == 0) {
      ASSERT_EQ(seteuid(65534), 0);
    }
    const auto driver = driver::make_posix_driver();
    ASSERT_TRUE(open_file(*driver, folder / "f"));
    ASSERT_EQ(chmod((folder / "f").c_str(), 0200), 0);
    EXPECT_EQ(driver->open({.path = folder / "f", .read = true, .write = true}).error().code, ErrorClass::access);
    const auto file = driver->open({.path = folder / "f", .read = false, .write = true});
    ASSERT_TRUE(file.ok());
    EXPECT_FALSE((*file)->traits().readable);
    EXPECT_FALSE((*file)->traits().mapped_stores);
    EXPECT_TRUE(write_at(**file, 0, pattern(100, 1)).ok());
    Bytes memory(10);
    const port::Segment segment = {memory.data(), 10};
    EXPECT_EQ((*file)->transfer(Direction::read, 0, {&segment, 1}).error().code, ErrorClass::access);
    EXPECT_TRUE((*file)->lock(Direction::read, {0, 10}).ok());
    ASSERT_EQ(chmod((folder / "f").c_str(), 0400), 0);
    EXPECT_EQ(driver->open({.path = folder / "f", .read = false, .write = true}).error().code, ErrorClass::access);
    ASSERT_EQ(chmod((folder / ".").c_str(), 0777), geteuid() == 0 ? 0 : -1);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Posix, WriteOnlyIsReadableWhereAllowed) {
  const Folder folder;
  const auto driver = driver::make_posix_driver();
  const auto file = driver->open({.path = folder / "f", .read = false, .write = true, .create = true});
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->traits().readable);
  ASSERT_TRUE(write_at(**file, 0, pattern(100, 1)).ok());
  EXPECT_EQ(read_at(**file, 0, 100), pattern(100, 1));
}

TEST(Posix, DescriptorsAreNotInheritedAndNotLost) {
  const Folder folder;
  const auto driver = driver::make_posix_driver();
  const int before = dup(0);
  ::close(before);
  {
    const auto file = open_file(*driver, folder / "f");
    ASSERT_TRUE(file);
    const int flags = fcntl(before, F_GETFD);  // the lowest free number is the one it got
    ASSERT_GE(flags, 0);
    EXPECT_NE(flags & FD_CLOEXEC, 0);
    EXPECT_FALSE(driver->open({.path = folder / "."}).ok());
  }
  const int after = dup(0);
  ::close(after);
  EXPECT_EQ(after, before);
}

TEST(Posix, TraitsTellTheFileSystem) {
  const Folder folder("/dev/shm");
  const auto driver = driver::make_posix_driver();
  const auto file = open_file(*driver, folder / "f");
  ASSERT_TRUE(file);
  EXPECT_STREQ(file->traits().name, "tmpfs");
  EXPECT_TRUE(file->traits().mapped_stores);
  EXPECT_TRUE(file->traits().range_locks);
  EXPECT_GE(file->traits().block_size, 4096);
  const auto reader = driver->open({.path = folder / "f"});
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE((*reader)->traits().mapped_stores);
}

TEST(Posix, LocksExcludeAnotherProcess) {
  const Folder folder;
  const auto driver = driver::make_posix_driver();
  const auto file = open_file(*driver, folder / "f");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->lock(Direction::write, {100, 200}).ok());
  const int status = status_of_child([&] {
    const int descriptor = ::open((folder / "f").c_str(), O_RDWR | O_CLOEXEC);
    struct flock probe = {};
    probe.l_type = F_RDLCK;
    probe.l_whence = SEEK_SET;
    ASSERT_EQ(fcntl(descriptor, F_OFD_GETLK, &probe), 0);
    EXPECT_EQ(probe.l_type, F_WRLCK);
    EXPECT_EQ(probe.l_start, 100);
    EXPECT_EQ(probe.l_len, 100);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace collate::test
