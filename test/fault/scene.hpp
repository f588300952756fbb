// test/fault/scene.hpp - a fixed collective access that every fault test uses: four ranks, 8 bytes each in turn.
//
// Rank r sees bytes [8 r, 8 r + 8) of every tile, tiles of 32 bytes (dense) or 40 (holes), ten tiles; windows are
// 64 bytes, so a call takes several. The file has 700 known bytes beforehand.
//   Scene scene({.strategy = "node", .holes = true});
//   scene.written(3)   // the file after a clean write of version 3
// Thread rule: plain values.
#pragma once

#include <string>
#include <vector>

#include "driver/faulty/faulty_driver.hpp"
#include "driver/memory/memory_driver.hpp"
#include "driver/memory/memory_store.hpp"
#include "support/troupe.hpp"

namespace collate::sim {

struct Script {
  std::string strategy = "automatic";
  bool holes = true;
  bool sieving = false;      // romio_ds_write=enable
  int ranks_per_node = 0;    // 2: exchange by messages between two pretended nodes
};

inline const char* const file_name = "scene.dat";
inline constexpr int scene_ranks = 4;
inline constexpr Length scene_bytes = 80;   // of one rank
inline constexpr Length file_bytes = 700;

class Scene {
 public:
  explicit Scene(Script script) : script_(std::move(script)), store_(std::make_shared<driver::MemoryStore>(options())) {
    store_->set_contents(file_name, before());
    for (int rank = 0; rank < scene_ranks; ++rank) buffers_.emplace_back(static_cast<std::size_t>(scene_bytes));
  }

  [[nodiscard]] driver::MemoryStore& store() { return *store_; }
  [[nodiscard]] std::unique_ptr<port::FileDriver> driver() const { return driver::make_memory_driver(store_); }
  // Clean drivers, but for the rank that gets the plan.
  [[nodiscard]] Troupe::DriverOf drivers(int faulty, const driver::FaultPlan& plan, const std::shared_ptr<driver::FaultRecord>& record) const {
    return [this, faulty, plan, record](int rank) { return rank == faulty ? driver::make_faulty_driver(driver(), plan, record) : driver(); };
  }

  [[nodiscard]] file::InfoEntries hints() const {
    file::InfoEntries hints{{"collate_strategy", script_.strategy}, {"collate_window_size", "64"}, {"cb_buffer_size", "128"},
                            {"ind_rd_buffer_size", "64"},           {"ind_wr_buffer_size", "64"},  {"romio_cb_write", "enable"}};
    if (script_.sieving) hints.emplace_back("romio_ds_write", "enable");
    if (script_.ranks_per_node > 0) hints.emplace_back("collate_ranks_per_node", std::to_string(script_.ranks_per_node));
    return hints;
  }

  [[nodiscard]] static file::AccessMode read_write() {
    file::AccessMode mode;
    mode.read_write = true;
    return mode;
  }

  [[nodiscard]] Offset tile() const { return script_.holes ? 40 : 32; }
  [[nodiscard]] file::ViewArguments view(int rank) const {
    const layout::Type byte = *layout::named(1);
    return {rank * Offset{8}, byte, *layout::resized(0, tile(), *layout::contiguous(8, byte)), "native"};
  }
  void set_views(Troupe& troupe) const {
    for (int rank = 0; rank < scene_ranks; ++rank) (void)troupe.file(rank).set_view(view(rank));
  }

  // The access of a rank; when writing, the buffer is filled with that version's bytes.
  [[nodiscard]] file::Access access(int rank, Direction direction, int version) {
    std::vector<std::byte>& buffer = buffers_[static_cast<std::size_t>(rank)];
    for (Length i = 0; i < scene_bytes; ++i) {
      buffer[static_cast<std::size_t>(i)] = direction == Direction::write ? value(offset(rank, i), version) : std::byte{0};
    }
    file::Access access;
    access.direction = direction;
    access.coordination = file::Coordination::collective;
    access.memory = buffer.data();
    access.count = scene_bytes;
    access.type = &byte_;
    return access;
  }
  [[nodiscard]] Replies access_all(Troupe& troupe, Direction direction, int version) {
    return troupe.all([&](int rank) { return troupe.access_all(rank, access(rank, direction, version)); });
  }

  [[nodiscard]] Offset offset(int rank, Length i) const { return rank * 8 + i / 8 * tile() + i % 8; }
  [[nodiscard]] static std::byte value(Offset at, int version) { return static_cast<std::byte>((at * 7 + version * 50 + 3) % 251); }
  [[nodiscard]] static std::vector<std::byte> before() {
    std::vector<std::byte> bytes;
    for (Offset at = 0; at < file_bytes; ++at) bytes.push_back(static_cast<std::byte>(255 - at % 200));
    return bytes;
  }
  [[nodiscard]] std::vector<std::byte> written(int version) const {
    std::vector<std::byte> bytes = before();
    for (int rank = 0; rank < scene_ranks; ++rank) {
      for (Length i = 0; i < scene_bytes; ++i) bytes[static_cast<std::size_t>(offset(rank, i))] = value(offset(rank, i), version);
    }
    return bytes;
  }
  // Every rank's buffer holds what a read of that version must give.
  [[nodiscard]] bool read_back(int version) const {
    const std::vector<std::byte> file = written(version);
    for (int rank = 0; rank < scene_ranks; ++rank) {
      for (Length i = 0; i < scene_bytes; ++i) {
        if (buffers_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] != file[static_cast<std::size_t>(offset(rank, i))]) return false;
      }
    }
    return true;
  }
  // The first byte outside the ranks' pieces that is not as before, -1 when there is none.
  [[nodiscard]] Offset damaged() const {
    const std::vector<std::byte> found = store_->contents(file_name);
    const std::vector<std::byte> first = written(1);
    const std::vector<std::byte> second = written(2);
    if (found.size() != first.size()) return static_cast<Offset>(found.size());
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (first[at] == second[at] && found[at] != first[at]) return static_cast<Offset>(at);
    }
    return -1;
  }

 private:
  static driver::MemoryOptions options() {
    driver::MemoryOptions options;
    options.largest_file = 1 << 20;
    options.traits.mapped_stores = true;
    options.traits.mapped_loads = true;
    return options;
  }

  Script script_;
  std::shared_ptr<driver::MemoryStore> store_;
  std::vector<std::vector<std::byte>> buffers_;
  layout::Type byte_ = *layout::named(1);
};

inline std::vector<Script> all_scripts() {
  std::vector<Script> scripts;
  for (const char* strategy : {"automatic", "pieces", "sieve", "mapped", "rmw", "direct", "node", "messages"}) {
    for (const bool holes : {true, false}) scripts.push_back({strategy, holes, false, 0});
  }
  scripts.push_back({"automatic", true, true, 0});
  scripts.push_back({"messages", true, false, 2});
  scripts.push_back({"automatic", false, false, 1});
  return scripts;
}

inline std::string words_of(const Script& script) {
  return script.strategy + (script.holes ? ", holes" : ", dense") + (script.sieving ? ", sieving" : "") +
         (script.ranks_per_node > 0 ? ", ranks per node " + std::to_string(script.ranks_per_node) : "");
}

}  // namespace collate::sim
