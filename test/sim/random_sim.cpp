// Random end-to-end cases, engine against oracle, bit for bit: 20 batches.
//
// COLLATE_SIM_CASES   how many cases in all (30,000 unless told otherwise)
// COLLATE_SIM_SEED    the first case's seed; case number i has seed + i. A failure prints the seed that repeats it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "support/random_case.hpp"

namespace collate::sim {
namespace {

constexpr std::uint64_t batches = 20;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class SimRandom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimRandom, EngineAndOracleAgree) {
  const std::uint64_t cases = number_from("COLLATE_SIM_CASES", 30000);
  const std::uint64_t seed = number_from("COLLATE_SIM_SEED", 1);
  const std::uint64_t first = cases * GetParam() / batches;
  const std::uint64_t end = cases * (GetParam() + 1) / batches;
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(seed + first), static_cast<unsigned long long>(seed + end));
  for (std::uint64_t i = first; i < end; ++i) {
    const std::string failure = run_case(make_case(seed + i));
    ASSERT_TRUE(failure.empty()) << failure;
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, SimRandom, testing::Range<std::uint64_t>(0, batches));

}  // namespace
}  // namespace collate::sim
