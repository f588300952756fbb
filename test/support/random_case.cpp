// Makes the cases of random_case.hpp. The order of choices is the order of the code: a seed is a case.
#include "support/random_case.hpp"

#include <algorithm>

namespace collate::sim {
namespace {

constexpr Offset guard = 24;                  // bytes around user memory that nobody may touch

const char* const strategies[] = {"automatic", "pieces", "sieve", "mapped", "rmw", "direct", "node", "messages", "node", "messages", "contiguous"};

file::InfoEntries random_hints(Random& random, std::uint64_t seed) {
  file::InfoEntries hints;
  hints.emplace_back("collate_strategy", strategies[seed % std::size(strategies)]);
  const auto maybe = [&](const char* name, const std::vector<std::int64_t>& values, int percent) {
    if (random.chance(percent)) hints.emplace_back(name, std::to_string(random.pick(values)));
  };
  const auto toggle = [&](const char* name) {
    if (random.chance(30)) hints.emplace_back(name, random.chance(50) ? "enable" : "disable");
  };
  maybe("collate_window_size", {64, 64, 100, 128, 256, 512, 1024, 4096}, 90);
  maybe("cb_buffer_size", {64, 128, 200, 512, 1024, 2048, 8192}, 75);
  maybe("collate_windows", {1, 2, 3, 4, 5, 8}, 80);
  maybe("ind_rd_buffer_size", {64, 100, 256, 1024}, 70);
  maybe("ind_wr_buffer_size", {64, 100, 256, 1024}, 70);
  maybe("collate_ranks_per_node", {1, 2, 3, 4}, 30);
  maybe("cb_nodes", {1, 2, 3, 4, 8}, 40);
  toggle("romio_cb_read");
  toggle("romio_cb_write");
  toggle("romio_ds_read");
  toggle("romio_ds_write");
  if (random.chance(5)) hints.emplace_back("collective_buffering", "false");
  return hints;
}

port::DriverTraits random_traits(Random& random) {
  port::DriverTraits traits;
  traits.name = "memory";
  traits.mapped_stores = random.chance(70);
  traits.mapped_loads = random.chance(70);
  traits.cheap_loads = traits.mapped_loads && random.chance(60);
  traits.mapped_stride = random.pick(std::vector<Length>{0, 16, 256, 1 << 20});
  traits.sieve_hole = random.pick(std::vector<Length>{0, 1, 8, 64, 4096});
  return traits;
}

WorldOptions random_world(Random& random) {
  WorldOptions world;
  world.ranks = static_cast<int>(random.between(1, 8));
  world.seed = random.bits();
  world.largest_delay = random.chance(70) ? static_cast<int>(random.between(0, 3)) : 12;
  if (random.chance(15)) {
    int node = 0;
    for (int rank = 0; rank < world.ranks; ++rank) {
      world.node_of_rank.push_back(static_cast<int>(random.below(node + 1)));
      if (world.node_of_rank.back() == node && random.chance(60)) ++node;
    }
    if (world.node_of_rank[0] != 0) world.node_of_rank.clear();
    int seen = -1;  // nodes are numbered in order of first appearance
    for (const int at : world.node_of_rank) seen = std::max(seen, at);
    for (int at = 0; at <= seen; ++at) {
      if (std::find(world.node_of_rank.begin(), world.node_of_rank.end(), at) == world.node_of_rank.end()) world.node_of_rank.clear();
    }
  }
  if (random.chance(8)) world.segments_at_most = static_cast<int>(random.below(2));
  if (random.chance(4)) world.attach_fails_on = static_cast<int>(random.below(world.ranks));
  return world;
}

std::byte value_of(std::uint64_t call, Offset at) {
  return static_cast<std::byte>((call * 131 + static_cast<std::uint64_t>(at) * 7 + static_cast<std::uint64_t>(at) / 251) % 256);
}

class CaseMaker {
 public:
  explicit CaseMaker(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15ULL + 1) { case_.seed = seed; }

  Case make() {
    case_.world = random_world(random_);
    case_.traits = random_traits(random_);
    case_.hints = random_hints(random_, case_.seed);
    if (random_.chance(70)) file_.bytes.resize(static_cast<std::size_t>(random_.between(0, 6000)));
    for (std::byte& byte : file_.bytes) byte = static_cast<std::byte>(random_.below(256));
    case_.before = file_.bytes;
    large_ = random_.chance(1);
    largest_offset_ = large_ ? 400'000 : 24'000;  // files stay small
    views_.assign(ranks(), byte_stream());
    positions_.assign(ranks(), 0);
    if (random_.chance(90)) add_views(random_.chance(85));
    const Count steps = random_.between(1, 6);
    for (Count i = 0; i < steps; ++i) add_step();
    case_.after = file_.bytes;
    case_.touched = std::move(touched_);
    return std::move(case_);
  }

 private:
  struct Planned {  // what an access touches
    std::vector<Offset> file;
    std::vector<Offset> memory;
  };

  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(case_.world.ranks); }
  [[nodiscard]] bool all_ordered() const {
    return std::all_of(views_.begin(), views_.end(), [](const RankView& view) { return view.ordered; });
  }

  void add_step() {
    const auto choice = random_.below(100);
    if (choice < 62) return add_access(Kind::access_all);
    if (choice < 76) return add_access(Kind::access);
    if (choice < 86) return add_views(random_.chance(85));
    if (choice < 93) return add_seek();
    if (choice < 95) return add_atomicity();
    if (choice < 98) return add_size();
    case_.steps.push_back({Kind::sync, random_.chance(30), {}, 0, false});
  }

  void add_views(bool ordered) {
    views_ = ordered ? random_views(random_, case_.world.ranks, large_) : unordered_views(random_, case_.world.ranks, large_);
    Step step{Kind::set_view, false, std::vector<Part>(ranks()), 0, false};
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      step.parts[rank].view = views_[rank];
      positions_[rank] = 0;
    }
    case_.steps.push_back(std::move(step));
  }

  void add_seek() {
    Step step{Kind::seek, true, std::vector<Part>(ranks()), 0, false};  // the file's size has settled
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      Part& part = step.parts[rank];
      const RankView& view = views_[rank];
      part.whence = static_cast<file::Whence>(random_.below(3));
      if (part.whence == file::Whence::end && (!view.ordered || view.naive.empty())) part.whence = file::Whence::set;
      Offset base = part.whence == file::Whence::current ? positions_[rank] : 0;
      if (part.whence == file::Whence::end) base = view.naive.position_at(static_cast<Offset>(file_.bytes.size()));
      const Offset target = std::max<Offset>(0, base + random_.between(-10, 10));
      part.offset = target - base;
      positions_[rank] = target;
      part.expected_position = target;
    }
    after_barrier_ = true;  // a rank that is ahead may not change the size before the others have asked for it
    case_.steps.push_back(std::move(step));
  }

  void add_atomicity() { case_.steps.push_back({Kind::set_atomicity, false, {}, 0, random_.chance(60)}); }

  void add_size() {
    Step step{random_.chance(60) ? Kind::set_size : Kind::preallocate, true, {}, random_.between(0, 7000), false};
    const auto size = static_cast<std::size_t>(step.size);
    for (std::size_t at = size; at < file_.bytes.size() && step.kind == Kind::set_size; ++at) touch(static_cast<Offset>(at));
    if (step.kind == Kind::set_size || size > file_.bytes.size()) file_.bytes.resize(size);
    case_.steps.push_back(std::move(step));
    after_barrier_ = true;
  }

  // A memory type and count of about `bytes` bytes, a whole number of etypes.
  void choose_memory(Part& part, Length bytes, Length unit, bool repeats) {
    part.access.count = bytes;
    part.type = twin_named(1);
    if (random_.chance(35)) return;
    TypeMaker maker(random_, {.largest = std::max<Length>(bytes, 1), .depth = 3, .repeats = repeats});
    for (int attempt = 0; attempt < 6; ++attempt) {
      TwinType type = random_.chance(60) ? maker.make_of(twin_named(unit)) : maker.make();
      const Length size = type.naive.size();
      if (type.failed || size == 0 || size > bytes || std::abs(type.naive.extent) > 3000) continue;
      const Count count = std::max<Count>(1, bytes / size);
      if (count * size % unit != 0) continue;
      if (!repeats && !naive::without_repeats(naive::repeated(count, type.naive))) continue;
      part.access.count = count;
      part.type = std::move(type);
      return;
    }
  }

  // Where and how much a rank accesses; nothing when it would leave the small file.
  Planned choose_access(std::size_t rank, Part& part, bool repeats) {
    const RankView& view = views_[rank];
    const Length unit = view.naive.unit();
    const bool pointer = random_.chance(50);
    part.access.positioning = pointer ? file::Positioning::individual_pointer : file::Positioning::explicit_offset;
    part.access.offset = pointer ? 0 : random_.between(0, random_.chance(50) ? 0 : 20);
    const Offset position = pointer ? positions_[rank] : part.access.offset;
    Length bytes = random_.chance(12) || view.empty ? 0 : random_.between(1, random_.chance(70) ? 60 : 250) * unit;
    bytes = std::min<Length>(bytes, (large_ ? 60'000 : 1500) / unit * unit);
    choose_memory(part, bytes, unit, repeats);
    Planned planned{{}, naive::repeated(part.access.count, part.type.naive)};
    if (!planned.memory.empty()) planned.file = view.naive.bytes(position, static_cast<Length>(planned.memory.size()));
    const bool too_far = std::any_of(planned.file.begin(), planned.file.end(), [&](Offset at) { return at > largest_offset_; });
    if (too_far) {
      part.access.count = 0;
      planned = {};
    }
    return planned;
  }

  void fill_buffer(Part& part, const Planned& planned) {
    Offset least = 0;
    Offset most = 0;
    for (const Offset at : planned.memory) {
      least = std::min(least, at);
      most = std::max(most, at);
    }
    part.origin = guard - least;
    part.buffer.resize(static_cast<std::size_t>(most - least + 1 + 2 * guard));
    for (std::byte& byte : part.buffer) byte = static_cast<std::byte>(random_.below(256));
  }

  static bool overlap(const std::vector<Planned>& all) {
    std::vector<Offset> bytes;
    for (const Planned& planned : all) bytes.insert(bytes.end(), planned.file.begin(), planned.file.end());
    return !naive::without_repeats(std::move(bytes));
  }

  void add_access(Kind kind) {
    const bool reading = !all_ordered() || random_.chance(45);
    const bool repeats = !reading && random_.chance(25);
    const bool alone = kind == Kind::access;
    Step step{kind, alone || after_barrier_ || random_.chance(25), std::vector<Part>(ranks()), 0, false};
    after_barrier_ = alone;
    std::vector<Planned> all(ranks());
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      step.parts[rank].access.direction = reading ? Direction::read : Direction::write;
      step.parts[rank].access.coordination = alone ? file::Coordination::independent : file::Coordination::collective;
      all[rank] = choose_access(rank, step.parts[rank], repeats);
    }
    const bool shared = !reading && overlap(all);
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      Part& part = step.parts[rank];
      const bool left_out = shared && repeats && !naive::without_repeats(all[rank].memory);
      if (left_out) {
        part.access.count = 0;
        all[rank] = {};
      }
      fill_buffer(part, all[rank]);
      if (shared) {
        for (std::size_t i = 0; i < all[rank].file.size(); ++i) {
          part.buffer[static_cast<std::size_t>(part.origin + all[rank].memory[i])] = value_of(case_.steps.size(), all[rank].file[i]);
        }
      }
    }
    if (alone) leave_some_out(step, all);
    foresee(step, all);
    case_.steps.push_back(std::move(step));
  }

  void touch(Offset at) {
    const auto place = static_cast<std::size_t>(at);
    if (place >= touched_.size()) touched_.resize(place + 1, false);
    touched_[place] = true;
  }

  void leave_some_out(Step& step, std::vector<Planned>& all) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      if (random_.chance(60)) continue;
      step.parts[rank].takes_part = false;
      all[rank] = {};
    }
  }

  // What the step does according to the oracle.
  void foresee(Step& step, const std::vector<Planned>& all) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      Part& part = step.parts[rank];
      part.expected = part.buffer;
      if (part.access.direction == Direction::write) {
        for (const Offset at : all[rank].file) touch(at);
        part.expected_bytes = file_.write(all[rank].file, all[rank].memory, part.buffer.data() + part.origin);
      } else {
        part.expected_bytes = file_.read(all[rank].file, all[rank].memory, part.expected.data() + part.origin);
      }
      const bool moves = part.takes_part && part.access.positioning == file::Positioning::individual_pointer;
      if (moves) positions_[rank] += static_cast<Length>(all[rank].memory.size()) / views_[rank].naive.unit();
      part.expected_position = positions_[rank];
    }
  }

  Random random_;
  Case case_;
  ReferenceFile file_;
  std::vector<RankView> views_;
  std::vector<Offset> positions_;
  std::vector<bool> touched_;
  bool after_barrier_ = false;
  bool large_ = false;
  Offset largest_offset_ = 0;
};

}  // namespace

Case make_case(std::uint64_t seed) { return CaseMaker(seed).make(); }

}  // namespace collate::sim
