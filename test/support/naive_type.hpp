// test/support/naive_type.hpp - the oracle for datatypes: a type map written out byte by byte.
//
// Nothing here knows src/layout. A type is the list of its bytes' displacements in type-map order, its bounds,
// and whether the bounds were set explicitly (MPI-5.0 section 5.1.7: where elements with explicit bounds are
// among a struct's elements, only theirs count). Constructors loop over elements as the standard's text does.
//
//   naive::vector(2, 1, 2, naive::named(2)).map == {0, 1, 4, 5}
// Cost: proportional to the bytes. Thread rule: pure functions.
#pragma once

#include <vector>

#include "layout/type.hpp"  // argument types of darray and the array order only

namespace collate::naive {

struct Type {
  std::vector<Offset> map;
  Offset lower = 0;
  Length extent = 0;
  bool marked = false;  // bounds set by resized, subarray or darray
  [[nodiscard]] Length size() const { return static_cast<Length>(map.size()); }
};

[[nodiscard]] Type named(Length size);
[[nodiscard]] Type pair(Length first, Length second, Offset second_offset, Length extent);
[[nodiscard]] Type contiguous(Count count, const Type& old);
[[nodiscard]] Type vector(Count count, Count block, Count stride, const Type& old);
[[nodiscard]] Type hvector(Count count, Count block, Offset stride, const Type& old);
[[nodiscard]] Type hindexed(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const Type& old);
[[nodiscard]] Type indexed(const std::vector<Count>& blocks, const std::vector<Count>& displacements, const Type& old);
[[nodiscard]] Type structure(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const std::vector<Type>& old);
[[nodiscard]] Type subarray(const std::vector<Count>& sizes, const std::vector<Count>& subsizes, const std::vector<Count>& starts,
                            layout::ArrayOrder order, const Type& old);
[[nodiscard]] Type darray(const layout::DarrayArguments& arguments, const Type& old);
[[nodiscard]] Type resized(Offset lower, Length extent, const Type& old);

// The bytes of `count` consecutive elements.
[[nodiscard]] std::vector<Offset> repeated(Count count, const Type& type);

// Every byte after the one before, none twice.
[[nodiscard]] bool ascending(const std::vector<Offset>& map);
[[nodiscard]] bool without_repeats(std::vector<Offset> map);

}  // namespace collate::naive
