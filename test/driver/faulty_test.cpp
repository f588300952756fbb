// The faulty decorator fails exactly where it is told to, and nowhere else.
#include "driver/faulty/faulty_driver.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

#include "driver/memory/memory_driver.hpp"
#include "support.hpp"

namespace collate::test {
namespace {

using driver::Call;
using driver::Fault;
using driver::FaultPlan;
using driver::FaultRecord;
using driver::make_faulty_driver;
using driver::MemoryStore;

// One call of every kind; how many of them failed, and the first error.
int one_of_each(port::FileDriver& driver, std::optional<Error>& first) {
  int failures = 0;
  const auto note = [&](const auto& result) {
    if (!result.ok()) {
      ++failures;
      if (!first) first = result.error();
    }
    return result.ok();
  };
  auto opened = driver.open({.path = "f", .write = true, .create = true});
  if (!note(opened)) return failures;
  port::OpenFile& file = **opened;
  note(write_at(file, 10, pattern(100, 1)));
  Bytes memory(50);
  const port::Segment segment = {memory.data(), 50};
  note(file.transfer(Direction::read, 20, {&segment, 1}));
  note(file.resize(200));
  note(file.preallocate(300));
  note(file.size());
  note(file.lock(Direction::write, {0, 10}));
  note(file.unlock({0, 10}));
  auto mapping = file.map(Direction::write, {0, 100});
  if (note(mapping)) note((*mapping)->guarded([](void*) {}, nullptr));
  note(file.sync());
  note(file.close());
  note(driver.remove("f"));
  return failures;
}

constexpr Count calls_of_each = 13;

TEST(Faulty, EveryCallCanFailOnceAndOnlyThatOne) {
  for (Count number = 1; number <= calls_of_each + 1; ++number) {
    const auto record = std::make_shared<FaultRecord>();
    const auto driver = make_faulty_driver(make_memory_driver(std::make_shared<MemoryStore>()), {.faults = {{Call::any, number, EIO}}}, record);
    std::optional<Error> first;
    const int failures = one_of_each(*driver, first);
    EXPECT_EQ(record->injected(), number <= calls_of_each ? 1 : 0) << "call " << number;
    EXPECT_EQ(failures, record->injected()) << "call " << number;
    if (first) {
      EXPECT_EQ(first->system_error, EIO);
    }
    if (number > calls_of_each) {
      EXPECT_EQ(record->calls(), calls_of_each);
    }
  }
}

TEST(Faulty, KindsAreCountedApart) {
  const std::vector<Call> kinds = {Call::open, Call::remove, Call::read, Call::write, Call::map, Call::guarded, Call::lock,
                                   Call::unlock, Call::size, Call::resize, Call::preallocate, Call::sync, Call::close};
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(calls_of_each));
  for (const Call kind : kinds) {
    const auto record = std::make_shared<FaultRecord>();
    const auto driver = make_faulty_driver(make_memory_driver(std::make_shared<MemoryStore>()), {.faults = {{kind, 1, EDQUOT}}}, record);
    std::optional<Error> first;
    EXPECT_EQ(one_of_each(*driver, first), 1);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->code, ErrorClass::quota);
    EXPECT_EQ(record->calls(kind), 1);
  }
}

TEST(Faulty, OnceOrFromThenOn) {
  for (const bool from_then_on : {false, true}) {
    const auto store = std::make_shared<MemoryStore>();
    const auto driver = make_faulty_driver(make_memory_driver(store), {.faults = {{Call::write, 2, ENOSPC, from_then_on}}});
    const auto file = open_file(*driver, "f");
    ASSERT_TRUE(file);
    EXPECT_TRUE(write_at(*file, 0, pattern(5, 1)).ok());
    const Result<Length> second = write_at(*file, 5, pattern(5, 2));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorClass::no_space);
    EXPECT_EQ(second.error().offset, 5);
    EXPECT_EQ(store->contents("f"), pattern(5, 1));  // a failed call did nothing
    EXPECT_EQ(write_at(*file, 5, pattern(5, 2)).ok(), !from_then_on);
    EXPECT_EQ(read_at(*file, 0, 5), pattern(5, 1));
  }
}

TEST(Faulty, CutsTransfersDifferentlyForEverySeed) {
  std::vector<Count> pieces;
  for (const std::uint64_t seed : {1u, 2u, 1u}) {
    const auto store = std::make_shared<MemoryStore>();
    const auto record = std::make_shared<FaultRecord>();
    const auto driver = make_faulty_driver(make_memory_driver(store), {.largest_piece = 37, .seed = seed}, record);
    const auto file = open_file(*driver, "f");
    ASSERT_TRUE(write_at(*file, 0, pattern(10000, 3)).ok());
    EXPECT_EQ(store->contents("f"), pattern(10000, 3));
    EXPECT_EQ(store->statistics().writes, record->pieces());
    EXPECT_GT(record->pieces(), 10000 / 37);
    EXPECT_EQ(record->calls(Call::write), 1);
    pieces.push_back(record->pieces());
  }
  EXPECT_EQ(pieces[0], pieces[2]);
  EXPECT_NE(pieces[0], pieces[1]);
}

TEST(Faulty, FullFromAByteTakesWhatLiesBelow) {
  const auto store = std::make_shared<MemoryStore>();
  const auto driver = make_faulty_driver(make_memory_driver(store), {.full_from = 1000});
  const auto file = open_file(*driver, "f");
  ASSERT_TRUE(write_at(*file, 0, pattern(1000, 1)).ok());
  const Result<Length> crossing = write_at(*file, 900, pattern(200, 2));
  ASSERT_FALSE(crossing.ok());
  EXPECT_EQ(crossing.error().code, ErrorClass::no_space);
  EXPECT_EQ(crossing.error().offset, 1000);
  EXPECT_EQ(read_at(*file, 900, 200), Bytes(pattern(100, 2)));
  const Result<Length> beyond = write_at(*file, 5000, pattern(1, 2));
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.error().offset, 5000);
  EXPECT_EQ(*file->size(), 1000);
  EXPECT_EQ(file->resize(1001).error().code, ErrorClass::no_space);
  EXPECT_EQ(file->preallocate(1001).error().code, ErrorClass::no_space);
  EXPECT_TRUE(file->resize(1000).ok());
  EXPECT_FALSE(file->map(Direction::write, {999, 1001}).ok());
}

TEST(Faulty, AFailedUnlockOrCloseHasReleased) {
  const auto store = std::make_shared<MemoryStore>();
  const auto driver = make_faulty_driver(make_memory_driver(store), {.faults = {{Call::unlock, 1, EIO}, {Call::close, 1, EIO}}});
  const auto one = open_file(*driver, "f");
  const auto two = open_file(*driver, "f");
  ASSERT_TRUE(one->lock(Direction::write, {0, 10}).ok());
  EXPECT_FALSE(one->unlock({0, 10}).ok());
  EXPECT_TRUE(two->lock(Direction::write, {0, 10}).ok());
  EXPECT_FALSE(two->close().ok());
  EXPECT_TRUE(one->lock(Direction::write, {0, 10}).ok());
}

}  // namespace
}  // namespace collate::test
