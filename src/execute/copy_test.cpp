#include "execute/copy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace collate::execute {
namespace {

constexpr std::size_t room = 8192;

struct Sides {
  std::vector<std::byte> file = std::vector<std::byte>(room);
  std::vector<std::byte> memory = std::vector<std::byte>(room);
  Sides() {
    for (std::size_t i = 0; i < room; ++i) {
      file[i] = static_cast<std::byte>(i * 7 + 1);
      memory[i] = static_cast<std::byte>(i * 13 + 5);
    }
  }
  // One byte after the other, the first `bytes` only.
  void naively(Direction direction, const view::CopyRun& run, Length bytes) {
    for (Length k = 0; k < bytes; ++k) {
      const Offset piece = k / run.length;
      const Offset inside = k % run.length;
      std::byte& in_file = file[static_cast<std::size_t>(run.file - 100 + piece * run.file_stride + inside)];
      std::byte& in_memory = memory[static_cast<std::size_t>(run.memory + piece * run.memory_stride + inside)];
      if (direction == Direction::write) in_file = in_memory;
      else in_memory = in_file;
    }
  }
};

// Every fixed-size kernel and its neighbours, contiguous and strided on either side, both directions.
TEST(Copy, EverySizeAndShapeMatchesBytewiseCopying) {
  for (Length length = 1; length <= 140; ++length) {
    for (const Offset gap_in_file : {0, 3}) {
      for (const Offset gap_in_memory : {0, 5}) {
        for (const Direction direction : {Direction::read, Direction::write}) {
          const view::CopyRun run{107, length + gap_in_file, 11, length + gap_in_memory, length, 13};
          Sides sides;
          Sides expected;
          copy(direction, {sides.file.data(), 100}, sides.memory.data(), run);
          expected.naively(direction, run, run.bytes());
          ASSERT_EQ(sides.file, expected.file) << length;
          ASSERT_EQ(sides.memory, expected.memory) << length;
        }
      }
    }
  }
}

TEST(Copy, APrefixStopsAtItsByte) {
  for (Length bytes = 0; bytes <= 50; ++bytes) {
    const view::CopyRun run{100, 12, 0, 9, 8, 5};
    Sides sides;
    Sides expected;
    EXPECT_EQ(copy_prefix(Direction::read, {sides.file.data(), 100}, sides.memory.data(), run, bytes), std::min<Length>(bytes, 40));
    expected.naively(Direction::read, run, std::min<Length>(bytes, 40));
    ASSERT_EQ(sides.memory, expected.memory) << bytes;
    ASSERT_EQ(sides.file, expected.file) << bytes;
  }
}

TEST(Copy, NegativeStridesInMemory) {
  const view::CopyRun run{100, 4, 400, -8, 4, 10};
  Sides sides;
  Sides expected;
  copy(Direction::write, {sides.file.data(), 100}, sides.memory.data(), run);
  expected.naively(Direction::write, run, run.bytes());
  EXPECT_EQ(sides.file, expected.file);
}

}  // namespace
}  // namespace collate::execute
