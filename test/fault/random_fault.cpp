// Random cases with a random driver call of a random rank failing: nobody hangs, all ranks fail alike, and bytes
// that nobody wrote stay. COLLATE_SIM_SEED and COLLATE_SIM_CASES as in sim/random_sim.cpp.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>

#include "support/random_case.hpp"

namespace collate::sim {
namespace {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomFault, NobodyHangsAndAllRanksAgree) {
  const std::uint64_t cases = number_from("COLLATE_SIM_CASES", 8000);
  const std::uint64_t seed = number_from("COLLATE_SIM_SEED", 500000);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case made = make_case(seed + i);
    Random random(seed + i);
    for (int attempt = 0; attempt < 3; ++attempt) {
      const Mishap mishap{static_cast<int>(random.below(made.world.ranks)), random.between(1, 30), random.chance(50) ? EIO : ENOSPC};
      bool injected = false;
      const std::string failure = run_case_with(made, mishap, injected);
      ASSERT_TRUE(failure.empty()) << failure;
      hits += injected ? 1 : 0;
    }
  }
  EXPECT_GT(hits, cases / 4);
}

}  // namespace
}  // namespace collate::sim
