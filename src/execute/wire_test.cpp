#include "execute/wire.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace collate::execute {
namespace {

std::vector<layout::Run> back(Offset origin, std::span<const std::byte> bytes) {
  RunReader reader(origin, bytes);
  std::vector<layout::Run> runs;
  while (const std::optional<layout::Run> run = reader.next()) runs.push_back(*run);
  return runs;
}

TEST(Wire, RandomRunsComeBackAsTheyWere) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto origin = static_cast<Offset>(random() % (1ULL << (random() % 60)));
    RunWriter writer(origin);
    std::vector<layout::Run> runs;
    const std::size_t count = random() % 20;
    for (std::size_t i = 0; i < count; ++i) {
      layout::Run run;
      run.offset = static_cast<Offset>(random() % (1ULL << (random() % 55)));
      run.length = 1 + static_cast<Length>(random() % (1ULL << (random() % 40)));
      if (random() % 2 == 0) {
        run.count = 2 + static_cast<Count>(random() % 1000);
        run.stride = static_cast<Offset>(random() % (1ULL << (random() % 45))) * (random() % 4 == 0 ? -1 : 1);
      }
      writer.add(run);
      runs.push_back(run);
    }
    ASSERT_EQ(back(origin, writer.bytes()), runs);
  }
}

TEST(Wire, ExtremesFit) {
  RunWriter writer(0);
  const std::vector<layout::Run> runs{{std::numeric_limits<Offset>::max() / 4, 1, 0, 1}, {0, std::numeric_limits<Length>::max() / 4, 0, 1}, {-5, 3, -7, 2}};
  for (const layout::Run& run : runs) writer.add(run);
  EXPECT_EQ(back(0, writer.bytes()), runs);
}

TEST(Wire, RegularRunsAreSmall) {
  RunWriter writer(1 << 20);
  writer.add({(1 << 20) + 64, 64, 256, 1 << 30});
  EXPECT_LE(writer.bytes().size(), 12U);
}

TEST(Wire, IrregularSmallPiecesTakeAFewBytesEach) {
  std::mt19937_64 random(9);
  RunWriter writer(0);
  Offset at = 0;
  for (int i = 0; i < 1000; ++i) {
    at += static_cast<Offset>(random() % 4000);
    writer.add({at, 64, 0, 1});
    at += 64;
  }
  EXPECT_LE(writer.bytes().size(), 4000U);
}

TEST(Wire, TruncatedBytesEnd) {
  RunWriter writer(0);
  writer.add({1'000'000, 300, 5000, 70});
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    EXPECT_LE(back(0, std::span(writer.bytes()).first(size)).size(), 1U);
  }
}

}  // namespace
}  // namespace collate::execute
