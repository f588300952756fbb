#include "execute/coverage.hpp"

#include <gtest/gtest.h>

#include <random>

namespace collate::execute {
namespace {

std::vector<ByteRange> ranges(const Coverage& coverage) {
  std::vector<ByteRange> all;
  coverage.for_each([&](ByteRange range) { all.push_back(range); });
  return all;
}

TEST(Coverage, NothingAndEverything) {
  Coverage coverage({1000, 1130});
  EXPECT_TRUE(ranges(coverage).empty());
  coverage.add(1000, 1130);
  EXPECT_EQ(ranges(coverage), (std::vector<ByteRange>{{1000, 1130}}));
}

TEST(Coverage, TouchingAndOverlappingRangesBecomeOne) {
  Coverage coverage({0, 1000});
  coverage.add(10, 64);
  coverage.add(64, 128);
  coverage.add(100, 200);
  coverage.add(999, 1000);
  EXPECT_EQ(ranges(coverage), (std::vector<ByteRange>{{10, 200}, {999, 1000}}));
}

TEST(Coverage, RandomRangesAgainstOneFlagPerByte) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto begin = static_cast<Offset>(random() % 500);
    const auto size = static_cast<Length>(1 + random() % 400);
    Coverage coverage({begin, begin + size});
    std::vector<bool> naive(static_cast<std::size_t>(size), false);
    for (std::size_t i = 0; i < random() % 8; ++i) {
      const auto from = static_cast<Offset>(random() % static_cast<std::uint64_t>(size));
      const auto to = from + static_cast<Offset>(random() % static_cast<std::uint64_t>(size - from + 1));
      coverage.add(begin + from, begin + to);
      for (Offset at = from; at < to; ++at) naive[static_cast<std::size_t>(at)] = true;
    }
    std::vector<ByteRange> expected;
    for (Offset at = 0; at < size; ++at) {
      if (!naive[static_cast<std::size_t>(at)]) continue;
      if (!expected.empty() && expected.back().end == begin + at) ++expected.back().end;
      else expected.push_back({begin + at, begin + at + 1});
    }
    ASSERT_EQ(ranges(coverage), expected);
  }
}

}  // namespace
}  // namespace collate::execute
