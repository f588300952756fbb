#include "support/random_views.hpp"

#include <algorithm>

namespace collate::sim {
namespace {

struct Piece {  // what all families need
  TwinType etype;
  Offset displacement = 0;
};

RankView view_of(Offset displacement, const TwinType& etype, const TwinType& filetype) {
  RankView view;
  view.made = {displacement, etype.made, filetype.made, "native"};
  view.naive = ReferenceView(displacement, etype.naive.size(), filetype.naive);
  view.empty = filetype.naive.map.empty();
  view.text = std::to_string(displacement) + "+" + filetype.text + " of etype " + etype.text;
  const std::vector<Offset> tiles = naive::repeated(2, filetype.naive);
  view.ordered = naive::ascending(tiles);
  return view;
}

Piece random_piece(Random& random, bool large) {
  Piece piece;
  piece.etype = twin_named(random.pick(std::vector<Length>{1, 1, 2, 3, 4, 8, 8, 20}));
  if (large) piece.etype = twin_named(random.pick(std::vector<Length>{8, 4095, 4096, 5000, 9000}));
  if (random.chance(20)) piece.etype = twin_contiguous(random.between(1, 3), piece.etype);
  if (random.chance(10)) piece.etype = twin_resized(0, piece.etype.naive.extent + random.between(0, 4), piece.etype);
  piece.displacement = random.chance(40) ? 0 : random.below(200);
  return piece;
}

// Owner of every slot of a tile; -1 for nobody.
std::vector<int> deal_slots(Random& random, int ranks) {
  std::vector<int> owner(static_cast<std::size_t>(random.between(1, 32)));
  const auto style = random.below(5);
  const Count block = random.between(1, 5);
  for (std::size_t slot = 0; slot < owner.size(); ++slot) {
    const auto number = static_cast<Count>(slot);
    switch (style) {
      case 0: owner[slot] = static_cast<int>(random.below(ranks)); break;
      case 1: owner[slot] = static_cast<int>(random.between(-1, ranks - 1)); break;
      case 2: owner[slot] = static_cast<int>(number / block % ranks); break;
      case 3: owner[slot] = static_cast<int>(number * ranks / static_cast<Count>(owner.size())); break;
      default: owner[slot] = random.chance(15) ? static_cast<int>(random.below(ranks)) : -1; break;
    }
  }
  return owner;
}

TwinType slots_type(Random& random, const std::vector<Count>& slots, const TwinType& etype) {
  std::vector<Count> blocks;
  std::vector<Offset> places;
  const bool merge = random.chance(50);
  for (const Count slot : slots) {
    const bool follows = merge && !places.empty() && places.back() + blocks.back() * etype.naive.extent == slot * etype.naive.extent;
    if (follows) {
      ++blocks.back();
    } else {
      places.push_back(slot * etype.naive.extent);
      blocks.push_back(1);
    }
  }
  if (random.chance(30)) return twin_struct(blocks, places, std::vector<TwinType>(blocks.size(), etype));
  return twin_hindexed(blocks, places, etype);
}

std::vector<RankView> tile_views(Random& random, int ranks, bool large) {
  const Piece piece = random_piece(random, large);
  const std::vector<int> owner = deal_slots(random, ranks);
  const Length extent = static_cast<Length>(owner.size()) * piece.etype.naive.extent + (random.chance(30) ? random.between(0, 40) : 0);
  std::vector<RankView> views;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Count> slots;
    for (std::size_t slot = 0; slot < owner.size(); ++slot) {
      if (owner[slot] == rank) slots.push_back(static_cast<Count>(slot));
    }
    views.push_back(view_of(piece.displacement, piece.etype, twin_resized(0, extent, slots_type(random, slots, piece.etype))));
  }
  return views;
}

std::vector<RankView> vector_views(Random& random, int ranks, bool large) {
  const Piece piece = random_piece(random, large);
  const Count block = random.between(1, 4);
  const Count gap = random.chance(50) ? 0 : random.between(0, 3);
  const Count count = random.between(1, 6);
  const Count stride = block * ranks + gap;
  const Length step = piece.etype.naive.extent;
  std::vector<RankView> views;
  for (int rank = 0; rank < ranks; ++rank) {
    const TwinType vector = twin_vector(count, block, stride, piece.etype);
    views.push_back(view_of(piece.displacement + rank * block * step, piece.etype, twin_resized(0, count * stride * step, vector)));
  }
  return views;
}

std::vector<RankView> darray_views(Random& random, int ranks, bool large) {
  const Piece piece = random_piece(random, large);
  layout::DarrayArguments arguments;
  Count left = ranks;
  const Count dimensions = random.between(1, 3);
  for (Count d = 0; d < dimensions; ++d) {
    const Count size = random.between(1, 9);
    auto kind = static_cast<layout::Distribution>(random.below(3));
    const Count processes = kind == layout::Distribution::none ? 1 : random.between(1, left);
    left /= processes;
    const Count least = kind == layout::Distribution::block ? (size + processes - 1) / processes : 1;
    arguments.global_sizes.push_back(size);
    arguments.distributions.push_back(kind);
    arguments.process_sizes.push_back(processes);
    arguments.arguments.push_back(random.chance(60) ? layout::default_distribution_argument : random.between(least, least + 2));
  }
  arguments.order = random.chance(50) ? layout::ArrayOrder::c : layout::ArrayOrder::fortran;
  arguments.size = 1;
  for (const Count processes : arguments.process_sizes) arguments.size *= static_cast<int>(processes);
  std::vector<RankView> views;
  for (int rank = 0; rank < ranks; ++rank) {
    arguments.rank = rank % arguments.size;
    views.push_back(view_of(piece.displacement, piece.etype, twin_darray(arguments, piece.etype)));
    if (rank >= arguments.size) views.back().empty = true;
  }
  return views;
}

// A random filetype without negative displacements; ascending when asked for, tiles included.
RankView any_view(Random& random, Offset displacement, bool ordered, bool large) {
  const Piece piece = random_piece(random, large);
  TypeMaker maker(random, {.largest = large ? 20000 : 150, .depth = 3, .negative = false, .repeats = !ordered, .zero_sized = false});
  for (int attempt = 0; attempt < 8; ++attempt) {
    const TwinType filetype = maker.make_of(piece.etype);
    const std::vector<Offset>& map = filetype.naive.map;
    if (map.empty() || *std::min_element(map.begin(), map.end()) < 0 || filetype.naive.extent < 0) continue;
    RankView view = view_of(displacement, piece.etype, filetype);
    if (view.ordered || !ordered) return view;
  }
  return view_of(displacement, piece.etype, piece.etype);
}

}  // namespace

RankView byte_stream() {
  RankView view;
  const TwinType byte = twin_named(1);
  view.made = {0, byte.made, byte.made, "native"};
  view.text = "bytes";
  return view;
}

std::vector<RankView> random_views(Random& random, int ranks, bool large) {
  std::vector<RankView> views;
  switch (random.below(7)) {
    case 0:
    case 1:
    case 2: return tile_views(random, ranks, large);
    case 3: return vector_views(random, ranks, large);
    case 4: return darray_views(random, ranks, large);
    case 5:
      for (int rank = 0; rank < ranks; ++rank) views.push_back(any_view(random, rank * random.between(100, 800), true, large));
      return views;
    default:
      for (int rank = 0; rank < ranks; ++rank) views.push_back(any_view(random, random.below(100), true, large));
      return views;
  }
}

std::vector<RankView> unordered_views(Random& random, int ranks, bool large) {
  std::vector<RankView> views;
  for (int rank = 0; rank < ranks; ++rank) views.push_back(any_view(random, random.below(100), random.chance(30), large));
  return views;
}

}  // namespace collate::sim
