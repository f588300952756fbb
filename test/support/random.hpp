// test/support/random.hpp - a seeded stream of choices; the same seed gives the same choices everywhere.
//
//   Random random(42);
//   random.below(6);        // 0 .. 5
//   random.between(-2, 2);  // -2 .. 2
//   random.chance(30);      // true in 30 of 100 cases
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

namespace collate::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // splitmix64
  std::uint64_t bits() noexcept {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  std::int64_t below(std::int64_t bound) noexcept { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(bound)); }
  std::int64_t between(std::int64_t least, std::int64_t most) noexcept { return least + below(most - least + 1); }
  bool chance(int percent) noexcept { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) noexcept {
    return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace collate::sim
