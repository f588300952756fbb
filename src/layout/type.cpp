// Datatype constructors. Bounds follow MPI-5.0 section 5.1.7: the lower bound of a constructed type is the least
// displacement of its elements' lower bounds, the upper bound the greatest of their upper bounds. Where some
// elements of a struct had their bounds set explicitly (the standard's lb_marker and ub_marker), only theirs count.
// Alignment padding (epsilon) of structs is included by the caller where the MPI adds it, through `resized`.
#include "layout/type.hpp"

#include <algorithm>
#include <limits>

namespace collate::layout {
namespace {

Error overflow() { return refusal(ErrorClass::type, ErrorDetail::type_overflow); }
Error negative() { return refusal(ErrorClass::argument, ErrorDetail::negative_argument); }

constexpr Offset limit = std::numeric_limits<Offset>::max() / 4;
bool fits(std::optional<std::int64_t> value) { return value && *value <= limit && *value >= -limit; }

// Bounds of a set of placed elements. The upper one may lie below the lower one (negative extents).
struct Bounds {
  Offset lower = std::numeric_limits<Offset>::max();
  Offset upper = std::numeric_limits<Offset>::min();
  bool any = false;
  bool marked = false;
  void include(Offset from, Offset to) {
    lower = std::min(lower, from);
    upper = std::max(upper, to);
    any = true;
  }
  // `count` elements of `old`, `step` bytes apart, the first at `at`.
  void include_block(Offset at, Count count, Offset step, const Type& old) {
    if (count <= 0 || (marked && !old.marked)) return;
    if (old.marked && !marked) *this = Bounds{.marked = true};
    const Offset last = at + (count - 1) * step;
    include(std::min(at, last) + old.lower, std::max(at, last) + old.upper());
  }
  [[nodiscard]] Type with(Layout layout) const {
    if (!any) return {std::move(layout), 0, 0};
    return {std::move(layout), lower, upper - lower, marked};
  }
};

// True when every byte of `count` elements `step` apart starting at `at` has an offset that fits.
bool block_fits(Offset at, Count count, Offset step, const Type& old) {
  const auto reach = checked_multiply(count, step);
  const auto bytes = checked_multiply(count, old.size());
  const bool element = fits(old.lower) && fits(old.extent) && fits(old.layout.low()) && fits(old.layout.high());
  return element && fits(at) && fits(reach) && fits(bytes) && fits(checked_add(at, reach.value_or(0)));
}

Layout block_of(Count count, const Type& old) { return Layout::strided(count, old.extent, old.layout); }

// Places `blocks[i]` elements of `old` at `displacements[i]` for every i.
Result<Type> placed(std::span<const Count> blocks, std::span<const Offset> displacements, const Type& old) {
  Bounds bounds;
  Length total = 0;
  std::vector<Layout> parts;
  std::vector<Length> lengths;
  std::vector<Offset> offsets;
  const bool plain = old.layout.contiguous() && old.extent == old.size();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] < 0) return negative();
    if (!block_fits(displacements[i], blocks[i], old.extent, old)) return overflow();
    const auto sum = checked_add(total, blocks[i] * old.size());
    if (!fits(sum)) return overflow();
    total = *sum;
    bounds.include_block(displacements[i], blocks[i], old.extent, old);
    if (plain) {
      offsets.push_back(displacements[i] + old.layout.origin());
      lengths.push_back(blocks[i] * old.size());
    } else {
      parts.push_back(block_of(blocks[i], old).shifted(displacements[i]));
    }
  }
  if (plain) return bounds.with(Layout::blocks(std::move(offsets), std::move(lengths)));
  return bounds.with(Layout::group(std::move(parts)));
}

// As `placed` with one block size: the block is described once and only its offsets are listed.
Result<Type> placed_equal(Count block, std::vector<Offset> displacements, const Type& old) {
  if (block < 0) return negative();
  Bounds bounds;
  for (const Offset at : displacements) {
    if (!block_fits(at, block, old.extent, old)) return overflow();
    bounds.include_block(at, block, old.extent, old);
  }
  if (!fits(checked_multiply(static_cast<Count>(displacements.size()), block * old.size()))) return overflow();
  const Layout one = block_of(block, old);
  return bounds.with(Layout::indexed(std::move(displacements), one));
}

Result<std::vector<Offset>> in_bytes(std::span<const Count> displacements, const Type& old) {
  std::vector<Offset> bytes;
  bytes.reserve(displacements.size());
  for (const Count displacement : displacements) {
    const auto offset = checked_multiply(displacement, old.extent);
    if (!fits(offset)) return overflow();
    bytes.push_back(*offset);
  }
  return bytes;
}

}  // namespace

Result<Type> named(Length size) { return Type{Layout::bytes(size), 0, size}; }

Result<Type> pair(Length first, Length second, Offset second_offset, Length extent) {
  return Type{Layout::blocks({0, second_offset}, {first, second}), 0, extent};
}

Result<Type> contiguous(Count count, const Type& old) { return hvector(count, 1, old.extent, old); }

Result<Type> vector(Count count, Count block, Count stride, const Type& old) {
  const auto bytes = checked_multiply(stride, old.extent);
  if (!fits(bytes)) return overflow();
  return hvector(count, block, *bytes, old);
}

Result<Type> hvector(Count count, Count block, Offset stride, const Type& old) {
  if (count < 0 || block < 0) return negative();
  if (!block_fits(0, block, old.extent, old)) return overflow();
  const Type one{block_of(block, old), old.lower, old.extent};
  if (!block_fits(0, count, stride, one)) return overflow();
  Bounds bounds;
  if (count > 0 && block > 0) {
    bounds.include_block(0, block, old.extent, old);
    const Offset last = (count - 1) * stride;
    bounds.include(bounds.lower + std::min<Offset>(0, last), bounds.upper + std::max<Offset>(0, last));
  }
  return bounds.with(Layout::strided(count, stride, one.layout));
}

Result<Type> hindexed(std::span<const Count> blocks, std::span<const Offset> displacements, const Type& old) {
  const bool equal = std::all_of(blocks.begin(), blocks.end(), [&](Count block) { return block == blocks[0]; });
  if (equal && !blocks.empty()) return hindexed_block(blocks[0], displacements, old);
  return placed(blocks, displacements, old);
}

Result<Type> indexed(std::span<const Count> blocks, std::span<const Count> displacements, const Type& old) {
  Result<std::vector<Offset>> bytes = in_bytes(displacements, old);
  if (!bytes) return bytes.error();
  return hindexed(blocks, *bytes, old);
}

Result<Type> hindexed_block(Count block, std::span<const Offset> displacements, const Type& old) {
  return placed_equal(block, {displacements.begin(), displacements.end()}, old);
}

Result<Type> indexed_block(Count block, std::span<const Count> displacements, const Type& old) {
  Result<std::vector<Offset>> bytes = in_bytes(displacements, old);
  if (!bytes) return bytes.error();
  return placed_equal(block, std::move(*bytes), old);
}

Result<Type> structure(std::span<const Count> blocks, std::span<const Offset> displacements, std::span<const Type> old) {
  Bounds bounds;
  Length total = 0;
  std::vector<Layout> parts;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] < 0) return negative();
    if (!block_fits(displacements[i], blocks[i], old[i].extent, old[i])) return overflow();
    const auto sum = checked_add(total, blocks[i] * old[i].size());
    if (!fits(sum)) return overflow();
    total = *sum;
    bounds.include_block(displacements[i], blocks[i], old[i].extent, old[i]);
    parts.push_back(block_of(blocks[i], old[i]).shifted(displacements[i]));
  }
  return bounds.with(Layout::group(std::move(parts)));
}

Result<Type> resized(Offset lower, Length extent, const Type& old) {
  if (!fits(lower) || !fits(extent)) return overflow();
  return Type{old.layout, lower, extent, true};
}

Result<Layout> repeated(Count count, const Type& type) {
  if (count < 0) return refusal(ErrorClass::count, ErrorDetail::negative_argument);
  if (!block_fits(0, count, type.extent, type)) return overflow();
  return Layout::strided(count, type.extent, type.layout);
}

}  // namespace collate::layout
