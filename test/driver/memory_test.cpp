// What only the memory driver promises: its options and what a test can ask it.
#include "driver/memory/memory_driver.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "support.hpp"

namespace collate::test {
namespace {

using driver::make_memory_driver;
using driver::MemoryOptions;
using driver::MemoryStore;

std::shared_ptr<MemoryStore> store_with(const MemoryOptions& options) { return std::make_shared<MemoryStore>(options); }

TEST(Memory, DriversOfOneStoreSeeTheSameFiles) {
  const auto store = store_with({});
  const auto one = make_memory_driver(store);
  const auto two = make_memory_driver(store);
  const auto writer = open_file(*one, "/some/where/f");
  ASSERT_TRUE(writer);
  ASSERT_TRUE(write_at(*writer, 3, pattern(10, 1)).ok());
  const auto reader = open_file(*two, "/some/where/f", false);
  ASSERT_TRUE(reader);
  EXPECT_EQ(read_at(*reader, 3, 10), pattern(10, 1));
  EXPECT_TRUE(store->exists("/some/where/f"));
  EXPECT_EQ(store->contents("/some/where/f").size(), 13u);
  EXPECT_EQ(store->paths(), std::vector<std::string>{"/some/where/f"});
  store->set_contents("/some/where/f", pattern(4, 2));
  EXPECT_EQ(read_at(*reader, 0, 100), pattern(4, 2));
  EXPECT_TRUE(store->contents("missing").empty());
}

TEST(Memory, AFullStoreTakesWhatFits) {
  const auto store = store_with({.capacity = 1000});
  const auto driver = make_memory_driver(store);
  const auto file = open_file(*driver, "f");
  const auto other = open_file(*driver, "g");
  ASSERT_TRUE(file && other);
  ASSERT_TRUE(write_at(*other, 0, pattern(200, 1)).ok());
  const Result<Length> moved = write_at(*file, 500, pattern(400, 2));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().code, ErrorClass::no_space);
  EXPECT_EQ(moved.error().offset, 800);
  EXPECT_EQ(*file->size(), 800);
  EXPECT_EQ(read_at(*file, 500, 400), Bytes(pattern(300, 2)));
  EXPECT_EQ(file->resize(801).error().code, ErrorClass::no_space);
  EXPECT_EQ(file->preallocate(801).error().code, ErrorClass::no_space);
  EXPECT_EQ(*file->size(), 800);
  EXPECT_TRUE(write_at(*file, 0, pattern(800, 3)).ok());  // overwriting needs no room
  ASSERT_TRUE(file->resize(100).ok());
  EXPECT_TRUE(write_at(*other, 0, pattern(900, 1)).ok());  // the room was given back
  EXPECT_FALSE(write_at(*other, 2000, pattern(1, 1)).ok());
  EXPECT_EQ(*other->size(), 900);
}

TEST(Memory, RemovingGivesRoomBackWhenTheLastOpenIsGone) {
  const auto store = store_with({.capacity = 1000});
  const auto driver = make_memory_driver(store);
  auto file = open_file(*driver, "f");
  ASSERT_TRUE(write_at(*file, 0, pattern(1000, 1)).ok());
  ASSERT_TRUE(driver->remove("f").ok());
  const auto next = open_file(*driver, "f");
  EXPECT_FALSE(write_at(*next, 0, pattern(1, 1)).ok());
  file.reset();
  EXPECT_TRUE(write_at(*next, 0, pattern(1000, 1)).ok());
}

TEST(Memory, PermissionsAndReadOnlyStores) {
  const auto store = store_with({});
  const auto driver = make_memory_driver(store);
  store->set_contents("f", pattern(10, 1));
  store->set_permissions("f", false, true);
  EXPECT_EQ(driver->open({.path = "f"}).error().code, ErrorClass::access);
  const auto writer = driver->open({.path = "f", .read = false, .write = true});
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE((*writer)->traits().readable);
  store->set_permissions("f", true, false);
  EXPECT_EQ(driver->open({.path = "f", .write = true}).error().code, ErrorClass::access);
  const auto frozen = make_memory_driver(store_with({.read_only = true}));
  EXPECT_EQ(frozen->open({.path = "f", .write = true, .create = true}).error().code, ErrorClass::read_only);
}

TEST(Memory, TraitsAreWhatTheTestAsksFor) {
  MemoryOptions options;
  options.traits = {.name = "slow", .block_size = 1 << 20, .mapped_stores = false, .range_locks = false};
  const auto driver = make_memory_driver(store_with(options));
  const auto file = open_file(*driver, "f");
  ASSERT_TRUE(file);
  EXPECT_STREQ(file->traits().name, "slow");
  EXPECT_EQ(file->traits().block_size, 1 << 20);
  ASSERT_TRUE(file->resize(10).ok());
  EXPECT_EQ(file->map(Direction::write, {0, 10}).error().code, ErrorClass::unsupported_operation);
  EXPECT_EQ(file->lock(Direction::write, {0, 10}).error().code, ErrorClass::unsupported_operation);
}

TEST(Memory, ALockThatWouldWaitForEverIsOurFault) {
  const auto driver = make_memory_driver(store_with({}));
  const auto one = open_file(*driver, "f");
  auto two = open_file(*driver, "f");
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(two->lock(Direction::read, {0, 10}).ok());
  const Result<void> refused = one->lock(Direction::write, {9, 20});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorClass::internal);
  EXPECT_EQ(refused.error().system_error, EDEADLK);
  two.reset();  // forgotten without close: released all the same
  EXPECT_TRUE(one->lock(Direction::write, {9, 20}).ok());
  EXPECT_TRUE(one->lock(Direction::read, {9, 20}).ok());  // replaces its own
}

TEST(Memory, CountsWhatItDid) {
  const auto store = store_with({});
  const auto driver = make_memory_driver(store);
  const auto file = open_file(*driver, "f");
  ASSERT_TRUE(write_at(*file, 0, pattern(100, 1)).ok());
  ASSERT_TRUE(write_at(*file, 0, pattern(50, 1)).ok());
  static_cast<void>(read_at(*file, 90, 100));
  ASSERT_TRUE(file->lock(Direction::read, {0, 1}).ok());
  ASSERT_TRUE(file->sync().ok());
  ASSERT_TRUE(file->map(Direction::read, {0, 1}).ok());
  const driver::MemoryStatistics counted = store->statistics();
  EXPECT_EQ(counted.opens, 1);
  EXPECT_EQ(counted.writes, 2);
  EXPECT_EQ(counted.bytes_written, 150);
  EXPECT_EQ(counted.reads, 1);
  EXPECT_EQ(counted.bytes_read, 10);
  EXPECT_EQ(counted.locks, 1);
  EXPECT_EQ(counted.maps, 1);
  EXPECT_EQ(counted.syncs, 1);
}

TEST(Memory, AFileHasALargestSize) {
  const auto driver = make_memory_driver(store_with({.largest_file = 8192}));
  const auto file = open_file(*driver, "f");
  const Result<Length> moved = write_at(*file, 8000, pattern(500, 1));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().system_error, EFBIG);
  EXPECT_EQ(moved.error().offset, 8192);
  EXPECT_EQ(file->resize(8193).error().system_error, EFBIG);
  EXPECT_FALSE(write_at(*file, 100000, pattern(1, 1)).ok());
}

}  // namespace
}  // namespace collate::test
