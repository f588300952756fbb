#include "support/naive_type.hpp"

#include <algorithm>
#include <optional>

namespace collate::naive {
namespace {

// Elements put down one after the other, with the bounds they give to the whole.
class Assembly {
 public:
  void place(Offset at, const Type& element) {
    for (const Offset byte : element.map) made_.map.push_back(at + byte);
    if (element.marked && !made_.marked) {  // what came before does not count any more
      made_.marked = true;
      lower_.reset();
      upper_.reset();
    }
    if (made_.marked && !element.marked) return;
    lower_ = std::min(lower_.value_or(at + element.lower), at + element.lower);
    upper_ = std::max(upper_.value_or(at + element.lower + element.extent), at + element.lower + element.extent);
  }
  Type finish() {
    made_.lower = lower_.value_or(0);
    made_.extent = upper_.value_or(0) - made_.lower;
    return made_;
  }

 private:
  Type made_;
  std::optional<Offset> lower_;
  std::optional<Offset> upper_;
};

// Calls use(indices, linear index) for all elements of an array in storage order.
template <class Use>
void for_each_element(const std::vector<Count>& sizes, layout::ArrayOrder order, Use use) {
  Count elements = 1;
  for (const Count size : sizes) elements *= size;
  std::vector<Count> at(sizes.size());
  for (Count linear = 0; linear < elements; ++linear) {
    Count rest = linear;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t d = order == layout::ArrayOrder::c ? sizes.size() - 1 - i : i;  // fastest first
      at[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    use(at, linear);
  }
}

Type whole_array(Assembly assembly, const std::vector<Count>& sizes, const Type& old) {
  Type made = assembly.finish();
  made.lower = 0;
  made.extent = old.extent;
  for (const Count size : sizes) made.extent *= size;
  made.marked = true;
  return made;
}

bool owns(const layout::DarrayArguments& arguments, std::size_t d, Count index, Count coordinate) {
  const Count size = arguments.global_sizes[d];
  const Count processes = arguments.process_sizes[d];
  const Count argument = arguments.arguments[d];
  const bool standard = argument == layout::default_distribution_argument;
  switch (arguments.distributions[d]) {
    case layout::Distribution::none: return true;
    case layout::Distribution::block: return index / (standard ? (size + processes - 1) / processes : argument) == coordinate;
    case layout::Distribution::cyclic: return index / (standard ? 1 : argument) % processes == coordinate;
  }
  return false;
}

}  // namespace

Type named(Length size) {
  Type made;
  for (Offset i = 0; i < size; ++i) made.map.push_back(i);
  made.extent = size;
  return made;
}

Type pair(Length first, Length second, Offset second_offset, Length extent) {
  Type made = named(first);
  for (Offset i = 0; i < second; ++i) made.map.push_back(second_offset + i);
  made.extent = extent;
  return made;
}

Type contiguous(Count count, const Type& old) {
  Assembly assembly;
  for (Count i = 0; i < count; ++i) assembly.place(i * old.extent, old);
  return assembly.finish();
}

Type vector(Count count, Count block, Count stride, const Type& old) { return hvector(count, block, stride * old.extent, old); }

Type hvector(Count count, Count block, Offset stride, const Type& old) {
  Assembly assembly;
  for (Count i = 0; i < count; ++i) {
    for (Count j = 0; j < block; ++j) assembly.place(i * stride + j * old.extent, old);
  }
  return assembly.finish();
}

Type hindexed(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const Type& old) {
  return structure(blocks, displacements, std::vector<Type>(blocks.size(), old));
}

Type indexed(const std::vector<Count>& blocks, const std::vector<Count>& displacements, const Type& old) {
  std::vector<Offset> bytes;
  for (const Count displacement : displacements) bytes.push_back(displacement * old.extent);
  return hindexed(blocks, bytes, old);
}

Type structure(const std::vector<Count>& blocks, const std::vector<Offset>& displacements, const std::vector<Type>& old) {
  Assembly assembly;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (Count j = 0; j < blocks[i]; ++j) assembly.place(displacements[i] + j * old[i].extent, old[i]);
  }
  return assembly.finish();
}

Type subarray(const std::vector<Count>& sizes, const std::vector<Count>& subsizes, const std::vector<Count>& starts,
              layout::ArrayOrder order, const Type& old) {
  Assembly assembly;
  for_each_element(sizes, order, [&](const std::vector<Count>& at, Count linear) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] < starts[d] || at[d] >= starts[d] + subsizes[d]) return;
    }
    assembly.place(linear * old.extent, old);
  });
  return whole_array(assembly, sizes, old);
}

Type darray(const layout::DarrayArguments& arguments, const Type& old) {
  std::vector<Count> coordinates(arguments.global_sizes.size());
  Count rest = arguments.rank;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    coordinates[d] = rest % arguments.process_sizes[d];
    rest /= arguments.process_sizes[d];
  }
  Assembly assembly;
  for_each_element(arguments.global_sizes, arguments.order, [&](const std::vector<Count>& at, Count linear) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (!owns(arguments, d, at[d], coordinates[d])) return;
    }
    assembly.place(linear * old.extent, old);
  });
  return whole_array(assembly, arguments.global_sizes, old);
}

Type resized(Offset lower, Length extent, const Type& old) { return {old.map, lower, extent, true}; }

std::vector<Offset> repeated(Count count, const Type& type) {
  std::vector<Offset> bytes;
  for (Count i = 0; i < count; ++i) {
    for (const Offset byte : type.map) bytes.push_back(i * type.extent + byte);
  }
  return bytes;
}

bool ascending(const std::vector<Offset>& map) {
  return std::adjacent_find(map.begin(), map.end(), [](Offset a, Offset b) { return a >= b; }) == map.end();
}

bool without_repeats(std::vector<Offset> map) {
  std::sort(map.begin(), map.end());
  return std::adjacent_find(map.begin(), map.end()) == map.end();
}

}  // namespace collate::naive
