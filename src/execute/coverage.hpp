// execute/coverage.hpp - which bytes of a window have been filled, one bit a byte.
//
//   Coverage filled({1000, 2000});
//   filled.add(1000, 1500); filled.add(1600, 2000);
//   filled.for_each([](ByteRange range) { ... });   // [1000,1500) then [1600,2000)
//
// Cost: memory an eighth of the window; adding and scanning a word per 64 bytes. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace collate::execute {

class Coverage {
 public:
  explicit Coverage(ByteRange window) : window_(window), words_(static_cast<std::size_t>((window.size() + 63) / 64), 0) {}

  void add(Offset begin, Offset end) {
    auto first = static_cast<std::uint64_t>(begin - window_.begin);
    const auto last = static_cast<std::uint64_t>(end - window_.begin);
    while (first < last) {
      const std::uint64_t bit = first % 64;
      const std::uint64_t bits = std::min<std::uint64_t>(64 - bit, last - first);
      words_[first / 64] |= (bits == 64 ? ~0ULL : (1ULL << bits) - 1) << bit;
      first += bits;
    }
  }

  // Calls use(range) for every maximal filled range, ascending.
  template <class Use>
  void for_each(Use use) const {
    Offset at = window_.begin;
    while (at < window_.end) {
      const Offset begin = skip(at, false);
      at = skip(begin, true);
      if (begin < at) use(ByteRange{begin, at});
    }
  }

 private:
  // The first byte at or after `at` whose state is not `filled`.
  [[nodiscard]] Offset skip(Offset at, bool filled) const {
    while (at < window_.end) {
      const auto index = static_cast<std::uint64_t>(at - window_.begin);
      const std::uint64_t word = filled ? ~words_[index / 64] : words_[index / 64];
      const std::uint64_t rest = word >> (index % 64);
      if (rest != 0) return std::min(at + __builtin_ctzll(rest), window_.end);
      at += static_cast<Offset>(64 - index % 64);
    }
    return window_.end;
  }

  ByteRange window_;
  std::vector<std::uint64_t> words_;
};

}  // namespace collate::execute
