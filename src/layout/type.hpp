// layout/type.hpp - MPI's derived datatypes as algebra: a Layout plus lower bound and extent.
//
// One function per constructor of MPI-5.0 chapter 5, taking the constructor's own arguments. The door calls
// them while it walks MPI_Type_get_contents; tests call them without any MPI.
//   Type row = *vector(3, 2, 4, *named(8));   // 3 blocks of 2 doubles, 4 apart: 48 bytes in 3 pieces
// Errors: anything that does not fit 64 bits is ErrorClass::type. Cost: O(entries of the constructor).
// Thread rule: pure functions on immutable values.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"
#include "layout/layout.hpp"

namespace collate::layout {

struct Type {
  Layout layout;     // the bytes of one element relative to its origin
  Offset lower = 0;  // lower bound
  Length extent = 0; // distance from one element to the next (may be 0 or negative after resized)
  bool marked = false;  // bounds were set (resized, subarray, darray): beside such elements others' do not count
  [[nodiscard]] Length size() const noexcept { return layout.size(); }
  [[nodiscard]] Offset upper() const noexcept { return lower + extent; }
};

enum class ArrayOrder : std::uint8_t { c, fortran };
enum class Distribution : std::uint8_t { none, block, cyclic };
inline constexpr Count default_distribution_argument = -1;  // stands for MPI_DISTRIBUTE_DFLT_DARG

struct DarrayArguments {
  int size = 1;  // of the process group
  int rank = 0;
  std::vector<Count> global_sizes;
  std::vector<Distribution> distributions;
  std::vector<Count> arguments;      // block sizes, or default_distribution_argument
  std::vector<Count> process_sizes;
  ArrayOrder order = ArrayOrder::c;
};

// A predefined type of `size` bytes without gaps.
[[nodiscard]] Result<Type> named(Length size);
// A predefined pair type with a gap inside (MPI_SHORT_INT): `first` bytes at 0, `second` at `second_offset`.
[[nodiscard]] Result<Type> pair(Length first, Length second, Offset second_offset, Length extent);
[[nodiscard]] Result<Type> contiguous(Count count, const Type& old);
[[nodiscard]] Result<Type> vector(Count count, Count block, Count stride, const Type& old);          // stride in elements
[[nodiscard]] Result<Type> hvector(Count count, Count block, Offset stride, const Type& old);        // stride in bytes
[[nodiscard]] Result<Type> hindexed(std::span<const Count> blocks, std::span<const Offset> displacements, const Type& old);
[[nodiscard]] Result<Type> indexed(std::span<const Count> blocks, std::span<const Count> displacements, const Type& old);
[[nodiscard]] Result<Type> hindexed_block(Count block, std::span<const Offset> displacements, const Type& old);
[[nodiscard]] Result<Type> indexed_block(Count block, std::span<const Count> displacements, const Type& old);
[[nodiscard]] Result<Type> structure(std::span<const Count> blocks, std::span<const Offset> displacements, std::span<const Type> old);
[[nodiscard]] Result<Type> subarray(std::span<const Count> sizes, std::span<const Count> subsizes, std::span<const Count> starts, ArrayOrder order, const Type& old);
[[nodiscard]] Result<Type> darray(const DarrayArguments& arguments, const Type& old);
[[nodiscard]] Result<Type> resized(Offset lower, Length extent, const Type& old);

// The bytes of `count` consecutive elements, as a transfer of (count, type) touches them.
[[nodiscard]] Result<Layout> repeated(Count count, const Type& type);

}  // namespace collate::layout
