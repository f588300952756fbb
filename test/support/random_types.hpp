// test/support/random_types.hpp - random datatypes, each made twice: by the engine's constructors and naively.
//
//   TypeMaker maker(random, {.largest = 200, .negative = true});
//   TwinType type = maker.make();     // type.made and type.naive must say the same
// Sizes stay small (at most `largest` bytes of data in reach of a few thousand), so that thousands of cases take
// a second. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "layout/type.hpp"
#include "support/naive_type.hpp"
#include "support/random.hpp"

namespace collate::sim {

// One datatype in two descriptions, and in words.
struct TwinType {
  layout::Type made;
  naive::Type naive;
  std::string text;
  bool failed = false;  // the engine refused it
};

struct TypeLimits {
  Length largest = 200;    // bytes of data
  int depth = 3;
  bool negative = true;    // negative displacements, strides and lower bounds
  bool repeats = true;     // may touch a byte twice
  bool zero_sized = true;  // may have no bytes at all
};

class TypeMaker {
 public:
  TypeMaker(Random& random, TypeLimits limits) : random_(random), limits_(limits) {}

  // A random tree over a random predefined type.
  [[nodiscard]] TwinType make();
  // A random tree whose leaves are `leaf`.
  [[nodiscard]] TwinType make_of(const TwinType& leaf);
  [[nodiscard]] TwinType predefined();

 private:
  [[nodiscard]] TwinType tree(const TwinType& leaf, int depth);
  [[nodiscard]] bool acceptable(const TwinType& type) const;
  [[nodiscard]] TwinType wrap(const TwinType& old);
  [[nodiscard]] TwinType make_vector(const TwinType& old);
  [[nodiscard]] TwinType make_indexed(const TwinType& old);
  [[nodiscard]] TwinType make_block_indexed(const TwinType& old);
  [[nodiscard]] TwinType make_struct(const TwinType& old, const TwinType& other);
  [[nodiscard]] TwinType make_subarray(const TwinType& old);
  [[nodiscard]] TwinType make_darray(const TwinType& old);
  [[nodiscard]] TwinType make_resized(const TwinType& old);
  [[nodiscard]] std::vector<Count> displacements(std::size_t entries, const std::vector<Count>& blocks);

  Random& random_;
  TypeLimits limits_;
};

// Twins of single constructors, for tests that want a certain shape.
[[nodiscard]] TwinType twin_named(Length size);
[[nodiscard]] TwinType twin_contiguous(Count count, const TwinType& old);
[[nodiscard]] TwinType twin_vector(Count count, Count block, Count stride, const TwinType& old);
[[nodiscard]] TwinType twin_hindexed(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const TwinType& old);
[[nodiscard]] TwinType twin_struct(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const std::vector<TwinType>& old);
[[nodiscard]] TwinType twin_subarray(const std::vector<Count>& sizes, const std::vector<Count>& subsizes, const std::vector<Count>& starts,
                                     layout::ArrayOrder order, const TwinType& old);
[[nodiscard]] TwinType twin_darray(const layout::DarrayArguments& arguments, const TwinType& old);
[[nodiscard]] TwinType twin_resized(Offset lower, Length extent, const TwinType& old);

}  // namespace collate::sim
