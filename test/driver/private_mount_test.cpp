// Full disks and odd file systems, mounted in a namespace of a child process so that nothing is left behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "driver/posix/posix_driver.hpp"
#include "support.hpp"

namespace collate::test {
namespace {

constexpr int cannot_mount = 77;

bool enter_namespace() {
  if (geteuid() == 0) return unshare(CLONE_NEWNS) == 0;
  const std::string uid = "0 " + std::to_string(geteuid()) + " 1";
  const std::string gid = "0 " + std::to_string(getegid()) + " 1";
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << uid;
  std::ofstream("/proc/self/gid_map") << gid;
  return true;
}

// Runs the check with a file system of that type mounted at the folder it is given.
int in_private_mount(const char* type, unsigned long flags, const char* options, const std::function<void(const std::string&)>& check) {
  const Folder folder;
  const std::string place = folder / ".";
  const pid_t child = fork();
  if (child == 0) {
    if (!enter_namespace() || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", place.c_str(), type, flags, options) != 0) {
      _exit(cannot_mount);
    }
    check(place + "/");
    std::fflush(stdout);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void store_everywhere(void* argument) {
  const auto memory = *static_cast<std::span<std::byte>*>(argument);
  std::memset(memory.data(), 9, memory.size());
}

TEST(PrivateMount, AFullDiskIsNoSpaceInEveryCall) {
  const int end = in_private_mount("tmpfs", 0, "size=64k", [](const std::string& place) {
    const auto driver = driver::make_posix_driver();
    const auto file = open_file(*driver, place + "f");
    ASSERT_TRUE(file);
    const Result<Length> moved = write_at(*file, 0, pattern(100000, 1));
    ASSERT_FALSE(moved.ok());
    EXPECT_EQ(moved.error().code, ErrorClass::no_space);
    EXPECT_EQ(moved.error().offset, 65536);
    EXPECT_EQ(read_at(*file, 0, 100000), Bytes(pattern(65536, 1)));
    ASSERT_TRUE(file->resize(200000).ok());
    EXPECT_EQ(file->preallocate(200000).error().code, ErrorClass::no_space);
    const auto mapping = file->map(Direction::write, {60000, 200000});  // partly holes
    ASSERT_FALSE(mapping.ok());
    EXPECT_EQ(mapping.error().code, ErrorClass::no_space);
    EXPECT_TRUE(file->map(Direction::write, {0, 65536}).ok());  // room it has
  });
  if (end == cannot_mount) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(end, 0);
}

TEST(PrivateMount, APageWithoutRoomIsNoSpaceNotDeath) {
  const int end = in_private_mount("tmpfs", 0, "size=64k", [](const std::string& place) {
    const auto driver = driver::make_posix_driver();
    const auto file = open_file(*driver, place + "f");
    const auto other = open_file(*driver, place + "g");
    ASSERT_TRUE(file && other);
    ASSERT_TRUE(file->resize(40000).ok());
    const auto mapping = file->map(Direction::write, {0, 40000});
    ASSERT_TRUE(mapping.ok());
    ASSERT_TRUE(file->resize(0).ok());      // gives the pages back,
    ASSERT_TRUE(file->resize(40000).ok());  // is as long as before,
    ASSERT_FALSE(write_at(*other, 0, pattern(70000, 1)).ok());  // and somebody else takes all room
    std::span<std::byte> memory = (*mapping)->memory();
    const Result<void> stored = (*mapping)->guarded(store_everywhere, &memory);
    ASSERT_FALSE(stored.ok());
    EXPECT_EQ(stored.error().code, ErrorClass::no_space);
    EXPECT_EQ(stored.error().detail, ErrorDetail::page_not_backed);
    EXPECT_EQ(stored.error().offset, 0);
  });
  if (end == cannot_mount) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(end, 0);
}

TEST(PrivateMount, WithoutFallocateZerosAreWrittenBeyondTheEndOnly) {
  const int end = in_private_mount("ramfs", 0, nullptr, [](const std::string& place) {
    const auto driver = driver::make_posix_driver();
    const auto file = open_file(*driver, place + "f");
    ASSERT_TRUE(file);
    EXPECT_STREQ(file->traits().name, "ramfs");
    EXPECT_FALSE(file->traits().mapped_stores);
    EXPECT_EQ(file->map(Direction::write, {0, 1}).error().code, ErrorClass::unsupported_operation);
    const Bytes bytes = pattern(5000, 2);
    ASSERT_TRUE(write_at(*file, 0, bytes).ok());
    ASSERT_TRUE(file->preallocate(4000).ok());
    EXPECT_EQ(*file->size(), 5000);
    ASSERT_TRUE(file->preallocate((3 << 20) + 5).ok());
    EXPECT_EQ(*file->size(), (3 << 20) + 5);
    Bytes expected((3 << 20) + 5);
    std::copy(bytes.begin(), bytes.end(), expected.begin());
    EXPECT_EQ(read_at(*file, 0, 4 << 20), expected);
  });
  if (end == cannot_mount) GTEST_SKIP() << "may not mount here (ramfs needs root)";
  EXPECT_EQ(end, 0);
}

TEST(PrivateMount, AReadOnlyFileSystemIsReadOnly) {
  const int end = in_private_mount("tmpfs", MS_RDONLY, "size=64k", [](const std::string& place) {
    const auto driver = driver::make_posix_driver();
    EXPECT_EQ(driver->open({.path = place + "f", .write = true, .create = true}).error().code, ErrorClass::read_only);
    EXPECT_EQ(driver->open({.path = place + "f"}).error().code, ErrorClass::no_such_file);
    EXPECT_EQ(driver->remove(place + "f").error().code, ErrorClass::read_only);
  });
  if (end == cannot_mount) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(end, 0);
}

}  // namespace
}  // namespace collate::test
