// Subarray and darray: array sections as nested strides, from the fastest-varying dimension outwards.
//
// A subarray is one stride per dimension. A darray distributes each dimension over a process grid: `none` keeps
// it whole, `block` gives each process one run of consecutive indices, `cyclic(k)` deals runs of k indices round
// robin; the last run may be shorter. Both types have the extent of the whole array. (MPI-5.0 5.1.3, 5.1.4.)
#include <algorithm>
#include <numeric>

#include "layout/type.hpp"

namespace collate::layout {
namespace {

Error bad_argument() { return refusal(ErrorClass::argument, ErrorDetail::negative_argument); }

// Dimensions from the fastest-varying to the slowest.
std::vector<std::size_t> fastest_first(std::size_t dimensions, ArrayOrder order) {
  std::vector<std::size_t> walk(dimensions);
  std::iota(walk.begin(), walk.end(), std::size_t{0});
  if (order == ArrayOrder::c) std::reverse(walk.begin(), walk.end());
  return walk;
}

// A dimension's step: the bytes from index i to i + 1.
struct Dimension {
  Type section;     // what the faster dimensions select
  Length step = 0;  // bytes per index of this dimension
};

Result<Length> next_step(Length step, Count global_size) {
  const auto bytes = checked_multiply(step, global_size);
  if (!bytes) return refusal(ErrorClass::type, ErrorDetail::type_overflow);
  return *bytes;
}

// Indices [start, start + count) of a dimension.
Result<Type> index_range(const Dimension& dimension, Count start, Count count) {
  Result<Type> range = hvector(count, 1, dimension.step, dimension.section);
  const auto at = checked_multiply(start, dimension.step);
  if (!range || !at) return refusal(ErrorClass::type, ErrorDetail::type_overflow);
  range->layout = range->layout.shifted(*at);
  return range;
}

struct Share {
  Count global_size;
  Count block;      // indices per run
  int processes;    // in this dimension
  int coordinate;   // ours
};

// Runs of `block` indices, every `processes`-th run ours; the last one possibly cut by the array's end.
Result<Type> cyclic_runs(const Dimension& dimension, const Share& share) {
  const Count first = share.coordinate * share.block;
  const Count period = share.processes * share.block;
  const Count left = share.global_size - first;
  const Count whole = left >= share.block ? (left - share.block) / period + 1 : 0;
  const Count tail_start = first + whole * period;
  const Count tail = std::clamp<Count>(share.global_size - tail_start, 0, share.block);
  Result<Type> run = index_range(dimension, 0, share.block);
  if (!run) return run;
  std::vector<Layout> parts;
  parts.push_back(Layout::strided(whole, period * dimension.step, run->layout).shifted(first * dimension.step));
  if (tail > 0) {
    Result<Type> rest = index_range(dimension, tail_start, tail);
    if (!rest) return rest;
    parts.push_back(rest->layout);
  }
  return Type{Layout::group(std::move(parts)), 0, share.global_size * dimension.step};
}

Result<Share> share_of(const DarrayArguments& arguments, std::size_t dimension, int coordinate) {
  Share share{arguments.global_sizes[dimension], 0, static_cast<int>(arguments.process_sizes[dimension]), coordinate};
  const Count argument = arguments.arguments[dimension];
  if (share.global_size < 0 || share.processes <= 0) return bad_argument();
  switch (arguments.distributions[dimension]) {
    case Distribution::none:
      share.processes = 1;
      share.coordinate = 0;
      share.block = std::max<Count>(share.global_size, 1);
      return share;
    case Distribution::block:
      share.block = argument == default_distribution_argument ? (share.global_size + share.processes - 1) / share.processes : argument;
      if (share.block > 0 && share.block * share.processes < share.global_size) return bad_argument();
      break;
    case Distribution::cyclic:
      share.block = argument == default_distribution_argument ? 1 : argument;
      break;
  }
  if (share.block <= 0 && share.global_size > 0) return bad_argument();
  share.block = std::max<Count>(share.block, 1);
  return share;
}

}  // namespace

Result<Type> subarray(std::span<const Count> sizes, std::span<const Count> subsizes, std::span<const Count> starts, ArrayOrder order, const Type& old) {
  Dimension dimension{old, old.extent};
  for (const std::size_t d : fastest_first(sizes.size(), order)) {
    if (sizes[d] < 1 || subsizes[d] < 0 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d]) return bad_argument();
    Result<Type> range = index_range(dimension, starts[d], subsizes[d]);
    if (!range) return range;
    const Result<Length> step = next_step(dimension.step, sizes[d]);
    if (!step) return step.error();
    dimension = {Type{range->layout, 0, *step}, *step};
  }
  return Type{dimension.section.layout, 0, dimension.step, true};
}

Result<Type> darray(const DarrayArguments& arguments, const Type& old) {
  const std::size_t dimensions = arguments.global_sizes.size();
  std::vector<int> coordinates(dimensions);
  int rest = arguments.rank;
  for (std::size_t d = dimensions; d-- > 0;) {  // the process grid is row-major in both orders
    if (arguments.process_sizes[d] <= 0) return bad_argument();
    coordinates[d] = static_cast<int>(rest % arguments.process_sizes[d]);
    rest = static_cast<int>(rest / arguments.process_sizes[d]);
  }
  Dimension dimension{old, old.extent};
  for (const std::size_t d : fastest_first(dimensions, arguments.order)) {
    const Result<Share> share = share_of(arguments, d, coordinates[d]);
    if (!share) return share.error();
    const Result<Length> step = next_step(dimension.step, share->global_size);
    if (!step) return step.error();
    Result<Type> runs = cyclic_runs(dimension, *share);
    if (!runs) return runs;
    dimension = {Type{runs->layout, 0, *step}, *step};
  }
  return Type{dimension.section.layout, 0, dimension.step, true};
}

}  // namespace collate::layout
