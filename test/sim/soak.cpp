// As many random cases as asked, with a line of progress every few seconds: COLLATE_SIM_CASES=1000000 soak
// Ends with status 1 at the first failure, having printed the seed that repeats it.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "support/random_case.hpp"

int main() {
  const auto number_from = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  };
  const std::uint64_t cases = number_from("COLLATE_SIM_CASES", 100000);
  const std::uint64_t seed = number_from("COLLATE_SIM_SEED", 1000000);
  const auto start = std::chrono::steady_clock::now();
  double told = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::string failure = collate::sim::run_case(collate::sim::make_case(seed + i));
    if (!failure.empty()) {
      std::printf("case %llu failed: %s\n", static_cast<unsigned long long>(i), failure.c_str());
      return 1;
    }
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (elapsed < told + 5 && i + 1 < cases) continue;
    told = elapsed;
    std::printf("%llu of %llu cases agree, %.0f a second, seed now %llu\n", static_cast<unsigned long long>(i + 1),
                static_cast<unsigned long long>(cases), static_cast<double>(i + 1) / elapsed, static_cast<unsigned long long>(seed + i));
    std::fflush(stdout);
  }
  return 0;
}
