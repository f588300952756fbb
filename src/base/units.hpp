// base/units.hpp - integers that cannot overflow silently.
//
// Offset is a place in a file or relative to an address (may be negative in memory), Length a number of
// bytes, Count a number of things. All are 64-bit signed, as MPI_Offset and MPI_Count are. Arithmetic on
// values that come from a user goes through `checked_*`, which return nothing on overflow.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>

namespace collate {

using Offset = std::int64_t;
using Length = std::int64_t;
using Count = std::int64_t;

enum class Direction : std::uint8_t { read, write };

// Half-open [begin, end).
struct ByteRange {
  Offset begin = 0;
  Offset end = 0;
  [[nodiscard]] constexpr Length size() const noexcept { return end - begin; }
  [[nodiscard]] constexpr bool empty() const noexcept { return end <= begin; }
  friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Example: checked_add(INT64_MAX, 1) -> nothing; checked_multiply(3, 4) -> 12.
[[nodiscard]] constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

[[nodiscard]] constexpr std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Quotient rounded towards minus infinity; the divisor is positive.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t divisor) noexcept {
  const std::int64_t quotient = a / divisor;
  return quotient * divisor > a ? quotient - 1 : quotient;
}

// The largest multiple of `unit` (positive) not above `a`.
[[nodiscard]] constexpr std::int64_t align_down(std::int64_t a, std::int64_t unit) noexcept {
  return floor_divide(a, unit) * unit;
}

}  // namespace collate
