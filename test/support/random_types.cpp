#include "support/random_types.hpp"

#include <algorithm>

namespace collate::sim {
namespace {

std::string list(const std::vector<std::int64_t>& values) {
  std::string text = "[";
  for (const std::int64_t value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + "]";
}

TwinType twin(const Result<layout::Type>& made, naive::Type naive, std::string text) {
  if (!made) return {{}, std::move(naive), std::move(text), true};
  return {*made, std::move(naive), std::move(text), false};
}

Count product(const std::vector<Count>& sizes) {
  Count all = 1;
  for (const Count size : sizes) all *= size;
  return all;
}

}  // namespace

TwinType twin_named(Length size) { return twin(layout::named(size), naive::named(size), "named(" + std::to_string(size) + ")"); }

TwinType twin_contiguous(Count count, const TwinType& old) {
  return twin(layout::contiguous(count, old.made), naive::contiguous(count, old.naive), "contiguous(" + std::to_string(count) + ", " + old.text + ")");
}

TwinType twin_vector(Count count, Count block, Count stride, const TwinType& old) {
  return twin(layout::vector(count, block, stride, old.made), naive::vector(count, block, stride, old.naive),
              "vector(" + list({count, block, stride}) + ", " + old.text + ")");
}

TwinType twin_hindexed(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const TwinType& old) {
  return twin(layout::hindexed(blocks, displacements, old.made), naive::hindexed(blocks, displacements, old.naive),
              "hindexed(" + list(blocks) + ", " + list(displacements) + ", " + old.text + ")");
}

TwinType twin_struct(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const std::vector<TwinType>& old) {
  std::vector<layout::Type> made;
  std::vector<naive::Type> expected;
  std::string text = "struct(" + list(blocks) + ", " + list(displacements);
  for (const TwinType& type : old) {
    made.push_back(type.made);
    expected.push_back(type.naive);
    text += ", " + type.text;
  }
  return twin(layout::structure(blocks, displacements, made), naive::structure(blocks, displacements, expected), text + ")");
}

TwinType twin_subarray(const std::vector<Count>& sizes, const std::vector<Count>& subsizes, const std::vector<Count>& starts,
                       layout::ArrayOrder order, const TwinType& old) {
  const std::string text = "subarray(" + list(sizes) + ", " + list(subsizes) + ", " + list(starts) + (order == layout::ArrayOrder::c ? ", C, " : ", F, ");
  return twin(layout::subarray(sizes, subsizes, starts, order, old.made), naive::subarray(sizes, subsizes, starts, order, old.naive), text + old.text + ")");
}

TwinType twin_darray(const layout::DarrayArguments& arguments, const TwinType& old) {
  std::vector<Count> kinds;
  for (const layout::Distribution kind : arguments.distributions) kinds.push_back(static_cast<Count>(kind));
  const std::string text = "darray(" + list({arguments.size, arguments.rank}) + ", " + list(arguments.global_sizes) + ", kinds " + list(kinds) + ", " +
                           list(arguments.arguments) + ", " + list(arguments.process_sizes) +
                           (arguments.order == layout::ArrayOrder::c ? ", C, " : ", F, ") + old.text + ")";
  return twin(layout::darray(arguments, old.made), naive::darray(arguments, old.naive), text);
}

TwinType twin_resized(Offset lower, Length extent, const TwinType& old) {
  return twin(layout::resized(lower, extent, old.made), naive::resized(lower, extent, old.naive),
              "resized(" + list({lower, extent}) + ", " + old.text + ")");
}

TwinType TypeMaker::predefined() {
  if (random_.chance(15)) {  // a pair type with a gap, as MPI_SHORT_INT or MPI_DOUBLE_INT
    if (random_.chance(50)) return twin(layout::pair(2, 4, 4, 8), naive::pair(2, 4, 4, 8), "short_int");
    return twin(layout::pair(8, 4, 8, 16), naive::pair(8, 4, 8, 16), "double_int");
  }
  return twin_named(random_.pick(std::vector<Length>{1, 1, 2, 3, 4, 8, 16}));
}

bool TypeMaker::acceptable(const TwinType& type) const {
  constexpr Offset reach = 4000;
  const naive::Type& made = type.naive;
  if (made.size() > limits_.largest || std::abs(made.extent) > reach || std::abs(made.lower) > reach) return false;
  if (made.map.empty()) return limits_.zero_sized;
  const auto [least, most] = std::minmax_element(made.map.begin(), made.map.end());
  if (*least < (limits_.negative ? -reach : 0) || *most > reach) return false;
  return limits_.repeats || naive::without_repeats(made.map);
}

TwinType TypeMaker::make() { return make_of(predefined()); }

TwinType TypeMaker::make_of(const TwinType& leaf) { return tree(leaf, static_cast<int>(random_.between(0, limits_.depth))); }

TwinType TypeMaker::tree(const TwinType& leaf, int depth) {
  if (depth == 0) return leaf;
  const TwinType old = tree(leaf, depth - 1);
  for (int attempt = 0; attempt < 5; ++attempt) {
    TwinType made = wrap(old);
    if (acceptable(made)) return made;
  }
  return old;
}

TwinType TypeMaker::wrap(const TwinType& old) {
  switch (random_.below(8)) {
    case 0: return twin_contiguous(random_.between(0, 6), old);
    case 1: return make_vector(old);
    case 2: return make_indexed(old);
    case 3: return make_block_indexed(old);
    case 4: return make_struct(old, random_.chance(40) ? old : tree(predefined(), 1));
    case 5: return make_subarray(old);
    case 6: return make_darray(old);
    default: return make_resized(old);
  }
}

TwinType TypeMaker::make_vector(const TwinType& old) {
  const Count count = random_.between(limits_.zero_sized ? 0 : 1, 6);
  const Count block = random_.between(limits_.zero_sized ? 0 : 1, 4);
  if (random_.chance(50)) return twin_vector(count, block, random_.between(limits_.negative ? -6 : block, 9), old);
  const Offset least = limits_.negative ? -60 : block * old.naive.extent;
  const Offset stride = random_.between(least, std::max<Offset>(least, 0) + 60);
  return twin(layout::hvector(count, block, stride, old.made), naive::hvector(count, block, stride, old.naive),
              "hvector(" + list({count, block, stride}) + ", " + old.text + ")");
}

// Ascending with gaps, or, where repeats or disorder are allowed, anything.
std::vector<Count> TypeMaker::displacements(std::size_t entries, const std::vector<Count>& blocks) {
  std::vector<Count> made;
  const bool wild = limits_.negative && random_.chance(50);
  Count at = random_.between(0, 3);
  for (std::size_t i = 0; i < entries; ++i) {
    made.push_back(wild ? random_.between(-12, 20) : at);
    at += blocks[i] + (random_.chance(40) ? 0 : random_.between(0, 5));
  }
  return made;
}

TwinType TypeMaker::make_indexed(const TwinType& old) {
  std::vector<Count> blocks;
  const auto entries = static_cast<std::size_t>(random_.between(limits_.zero_sized ? 0 : 1, 6));
  for (std::size_t i = 0; i < entries; ++i) blocks.push_back(random_.between(0, 3));
  std::vector<Count> places = displacements(entries, blocks);
  if (random_.chance(50)) {
    return twin(layout::indexed(blocks, places, old.made), naive::indexed(blocks, places, old.naive),
                "indexed(" + list(blocks) + ", " + list(places) + ", " + old.text + ")");
  }
  for (Count& place : places) place = place * old.naive.extent + (random_.chance(30) ? random_.between(0, 3) : 0);
  return twin_hindexed(blocks, places, old);
}

TwinType TypeMaker::make_block_indexed(const TwinType& old) {
  const auto entries = static_cast<std::size_t>(random_.between(limits_.zero_sized ? 0 : 1, 6));
  const Count block = random_.between(limits_.zero_sized ? 0 : 1, 3);
  const std::vector<Count> blocks(entries, block);
  std::vector<Count> places = displacements(entries, blocks);
  if (random_.chance(50)) {
    return twin(layout::indexed_block(block, places, old.made), naive::indexed(blocks, places, old.naive),
                "indexed_block(" + std::to_string(block) + ", " + list(places) + ", " + old.text + ")");
  }
  for (Count& place : places) place *= old.naive.extent;
  return twin(layout::hindexed_block(block, places, old.made), naive::hindexed(blocks, places, old.naive),
              "hindexed_block(" + std::to_string(block) + ", " + list(places) + ", " + old.text + ")");
}

TwinType TypeMaker::make_struct(const TwinType& old, const TwinType& other) {
  std::vector<Count> blocks;
  std::vector<Offset> places;
  std::vector<TwinType> types;
  Offset at = random_.between(limits_.negative ? -20 : 0, 20);
  const Count entries = random_.between(limits_.zero_sized ? 0 : 1, 4);
  for (Count i = 0; i < entries; ++i) {
    const bool use_old = random_.chance(60);
    types.push_back(use_old || !limits_.negative ? old : other);  // views are made of etypes only
    blocks.push_back(random_.between(0, 3));
    places.push_back(at);
    const naive::Type& type = types.back().naive;
    at += blocks.back() * type.extent + (random_.chance(50) ? 0 : random_.between(0, 12));
    if (limits_.repeats && random_.chance(20)) at -= random_.between(0, 30);
  }
  return twin_struct(blocks, places, types);
}

TwinType TypeMaker::make_subarray(const TwinType& old) {
  std::vector<Count> sizes;
  std::vector<Count> subsizes;
  std::vector<Count> starts;
  const Count dimensions = random_.between(1, 3);
  for (Count d = 0; d < dimensions; ++d) {
    sizes.push_back(random_.between(1, 6));
    subsizes.push_back(random_.between(1, sizes.back()));
    starts.push_back(random_.between(0, sizes.back() - subsizes.back()));
  }
  return twin_subarray(sizes, subsizes, starts, random_.chance(50) ? layout::ArrayOrder::c : layout::ArrayOrder::fortran, old);
}

TwinType TypeMaker::make_darray(const TwinType& old) {
  layout::DarrayArguments arguments;
  const Count dimensions = random_.between(1, 3);
  for (Count d = 0; d < dimensions; ++d) {
    const Count size = random_.between(1, 7);
    const auto kind = static_cast<layout::Distribution>(random_.below(3));
    const Count processes = kind == layout::Distribution::none ? 1 : random_.between(1, 3);
    const Count least = kind == layout::Distribution::block ? (size + processes - 1) / processes : 1;
    arguments.global_sizes.push_back(size);
    arguments.distributions.push_back(kind);
    arguments.process_sizes.push_back(processes);
    arguments.arguments.push_back(random_.chance(50) ? layout::default_distribution_argument : random_.between(least, least + 3));
  }
  arguments.size = static_cast<int>(product(arguments.process_sizes));
  arguments.rank = static_cast<int>(random_.below(arguments.size));
  arguments.order = random_.chance(50) ? layout::ArrayOrder::c : layout::ArrayOrder::fortran;
  return twin_darray(arguments, old);
}

TwinType TypeMaker::make_resized(const TwinType& old) {
  if (random_.chance(20)) return twin(old.made, old.naive, "dup(" + old.text + ")");
  const Offset lower = random_.between(limits_.negative ? -20 : 0, 10);
  const Length least = limits_.negative ? -30 : 0;
  return twin_resized(lower, random_.chance(50) ? old.naive.extent + random_.between(0, 20) : random_.between(least, 60), old);
}

}  // namespace collate::sim
