// One case per constructor of MPI-5.0 chapter 5, from the arguments the program gave to layout/type.hpp.
//
// The place of each argument in `numbers` and `places` is that of the tables in section 5.1.13. Types without
// constructor are bytes without gaps, except the pairs of MINLOC: there size and extent differ, and both
// follow from the C structs the standard defines them by.
#include "door/common/decode.hpp"

#include <algorithm>
#include <span>

#include "door/common/contents.hpp"
#include "door/common/native.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

using layout::Type;

Error not_a_type() { return refusal(ErrorClass::type, ErrorDetail::none); }

std::span<const Count> numbers(const Contents& contents, std::size_t from, Count count) {
  return std::span(contents.numbers).subspan(from, static_cast<std::size_t>(count));
}

// The pair types of C structs {value; int}, by what MPI says about them. MPI_SHORT_INT: size 6, extent 8.
Result<Type> decode_pair(Length size, Length extent) {
  constexpr Length index = sizeof(int);
  const Length value = size - index;
  if (value <= 0) return not_a_type();
  const Offset second = std::max(value, index);
  if (second + index > extent) return not_a_type();
  return layout::pair(value, index, second, extent);
}

struct Bounds {
  MPI_Count lower = 0;
  MPI_Count extent = 0;
};

Result<Bounds> bounds_of(MPI_Datatype type) {
  Bounds bounds;
  if (native()->Type_get_extent_x(type, &bounds.lower, &bounds.extent) != MPI_SUCCESS) return not_a_type();
  return bounds;
}

Result<Type> decode_named(MPI_Datatype type) {
  MPI_Count size = 0;
  const auto bounds = bounds_of(type);
  if (!bounds) return bounds.error();
  if (native()->Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return not_a_type();
  return size == bounds->extent ? layout::named(size) : decode_pair(size, bounds->extent);
}

// The standard lets an MPI round a struct's extent up to the alignment it thinks right; it is the one to ask.
Result<Type> with_bounds(MPI_Datatype handle, Type type) {
  const auto bounds = bounds_of(handle);
  if (!bounds) return bounds.error();
  if (bounds->lower == type.lower && bounds->extent == type.extent) return type;
  return layout::resized(bounds->lower, bounds->extent, type);
}

// struct {value; index}, each aligned to its own size as C compilers do it.
Result<Type> decode_value_index(const Type& value, const Type& index) {
  const Length alignment = std::max<Length>(1, std::min<Length>(index.extent, alignof(std::max_align_t)));
  const Length widest = std::max(alignment, std::min<Length>(value.extent, alignof(std::max_align_t)));
  const Offset second = align_down(value.extent + alignment - 1, alignment);
  const Length extent = align_down(second + index.extent + widest - 1, widest);
  if (value.size() + index.size() == extent) return layout::named(extent);
  return layout::pair(value.size(), index.size(), second, extent);
}

// {dimensions, sizes, subsizes, starts, order}
Result<Type> decode_subarray(const Contents& contents, const Type& old) {
  const Count dimensions = contents.numbers[0];
  const auto n = static_cast<std::size_t>(dimensions);
  const bool fortran = contents.numbers[3 * n + 1] == MPI_ORDER_FORTRAN;
  return layout::subarray(numbers(contents, 1, dimensions), numbers(contents, n + 1, dimensions), numbers(contents, 2 * n + 1, dimensions),
                          fortran ? layout::ArrayOrder::fortran : layout::ArrayOrder::c, old);
}

Result<layout::Distribution> distribution_of(Count number) {
  if (number == MPI_DISTRIBUTE_NONE) return layout::Distribution::none;
  if (number == MPI_DISTRIBUTE_BLOCK) return layout::Distribution::block;
  if (number == MPI_DISTRIBUTE_CYCLIC) return layout::Distribution::cyclic;
  return not_a_type();
}

// {size, rank, dimensions, global sizes, distributions, arguments, process sizes, order}
Result<Type> decode_darray(const Contents& contents, const Type& old) {
  const Count dimensions = contents.numbers[2];
  const auto n = static_cast<std::size_t>(dimensions);
  const auto list = [&](std::size_t which) { return numbers(contents, 3 + which * n, dimensions); };
  layout::DarrayArguments arguments;
  arguments.size = static_cast<int>(contents.numbers[0]);
  arguments.rank = static_cast<int>(contents.numbers[1]);
  arguments.global_sizes.assign(list(0).begin(), list(0).end());
  for (const Count number : list(1)) {
    const auto distribution = distribution_of(number);
    if (!distribution) return distribution.error();
    arguments.distributions.push_back(*distribution);
  }
  for (const Count argument : list(2)) {
    arguments.arguments.push_back(argument == MPI_DISTRIBUTE_DFLT_DARG ? layout::default_distribution_argument : argument);
  }
  arguments.process_sizes.assign(list(3).begin(), list(3).end());
  arguments.order = contents.numbers[3 + 4 * n] == MPI_ORDER_FORTRAN ? layout::ArrayOrder::fortran : layout::ArrayOrder::c;
  return layout::darray(arguments, old);
}

// The removed MPI_Type_hvector, _hindexed and _struct kept their byte displacements among the integers.
std::vector<Offset> displacements(const Contents& contents, std::size_t from, Count count) {
  const auto list = numbers(contents, from, count);
  return {list.begin(), list.end()};
}

Result<Type> decode_lists(const Contents& contents, const std::vector<Type>& old) {
  const Count count = contents.numbers[0];
  const auto n = static_cast<std::size_t>(count);
  switch (contents.combiner) {
    case MPI_COMBINER_INDEXED: return layout::indexed(numbers(contents, 1, count), numbers(contents, n + 1, count), old[0]);
    case MPI_COMBINER_HINDEXED: return layout::hindexed(numbers(contents, 1, count), contents.places, old[0]);
    case MPI_COMBINER_INDEXED_BLOCK: return layout::indexed_block(contents.numbers[1], numbers(contents, 2, count), old[0]);
    case MPI_COMBINER_HINDEXED_BLOCK: return layout::hindexed_block(contents.numbers[1], contents.places, old[0]);
    case MPI_COMBINER_STRUCT: return layout::structure(numbers(contents, 1, count), contents.places, old);
    case abi::combiner_hindexed_integer: return layout::hindexed(numbers(contents, 1, count), displacements(contents, n + 1, count), old[0]);
    case abi::combiner_struct_integer: return layout::structure(numbers(contents, 1, count), displacements(contents, n + 1, count), old);
    default: return not_a_type();
  }
}

Result<Type> decode_constructor(const Contents& contents, const std::vector<Type>& old) {
  const std::vector<Count>& n = contents.numbers;
  switch (contents.combiner) {
    case MPI_COMBINER_DUP: return old[0];
    case MPI_COMBINER_CONTIGUOUS: return layout::contiguous(n[0], old[0]);
    case MPI_COMBINER_VECTOR: return layout::vector(n[0], n[1], n[2], old[0]);
    case MPI_COMBINER_HVECTOR: return layout::hvector(n[0], n[1], contents.places[0], old[0]);
    case abi::combiner_hvector_integer: return layout::hvector(n[0], n[1], n[2], old[0]);
    case MPI_COMBINER_SUBARRAY: return decode_subarray(contents, old[0]);
    case MPI_COMBINER_DARRAY: return decode_darray(contents, old[0]);
    case MPI_COMBINER_RESIZED: return layout::resized(contents.places[0], contents.places[1], old[0]);
    case abi::combiner_value_index: return decode_value_index(old[0], old[1]);
    default: return decode_lists(contents, old);
  }
}

}  // namespace

Result<Type> decode(MPI_Datatype type) {
  if (type == abi::datatype_null()) return not_a_type();
  const auto combiner = combiner_of(type);
  if (!combiner) return combiner.error();
  if (is_predefined(*combiner)) return decode_named(type);
  const auto contents = contents_of(type);
  if (!contents) return contents.error();
  std::vector<Type> old;
  old.reserve(contents->types.size());
  for (std::size_t i = 0; i < contents->types.size(); ++i) {
    // Neighbours of a struct are often the same type.
    if (i > 0 && contents->types[i] == contents->types[i - 1]) {
      old.push_back(old.back());
      continue;
    }
    auto inner = decode(contents->types[i]);
    if (!inner) return inner.error();
    old.push_back(std::move(*inner));
  }
  auto made = decode_constructor(*contents, old);
  return made ? with_bounds(type, std::move(*made)) : std::move(made);
}

}  // namespace collate::door
