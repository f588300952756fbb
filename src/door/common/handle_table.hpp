// door/common/handle_table.hpp - which MPI_File handles are ours, and what we know of them.
//
// Open addressing over handle values. Lookups take no lock: a slot's key is written once and never removed, a
// closed file leaves a null behind it (its handle is a pooled companion and will come back). A table that gets
// full is replaced by one twice the size; the old ones stay, for readers that may still look into them, and
// together they are smaller than the newest.
//
//   open_files.insert(abi::key(handle), file);
//   OpenFile* file = open_files.find(abi::key(fh));    // null: not ours, ask the MPI
//
// Cost: find 1-2 loads, about 2 ns. Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace collate::door {

struct OpenFile;

class HandleTable {
 public:
  constexpr HandleTable() = default;
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  [[nodiscard]] OpenFile* find(std::uintptr_t key) const noexcept {
    const Block* block = current_.load(std::memory_order_acquire);
    if (block == nullptr || key == 0) return nullptr;
    for (std::size_t at = hash(key) & block->mask;; at = (at + 1) & block->mask) {
      const std::uintptr_t there = block->slots[at].key.load(std::memory_order_acquire);
      if (there == key) return block->slots[at].file.load(std::memory_order_acquire);
      if (there == 0) return nullptr;
    }
  }
  void insert(std::uintptr_t key, OpenFile* file);
  void remove(std::uintptr_t key);

 private:
  struct Slot {
    std::atomic<std::uintptr_t> key{0};
    std::atomic<OpenFile*> file{nullptr};
  };
  struct Block {
    std::size_t mask = 0;
    std::size_t used = 0;
    Slot* slots = nullptr;
  };
  [[nodiscard]] static std::size_t hash(std::uintptr_t key) noexcept {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ull) >> 32);
  }
  static Block* make_block(std::size_t slots);
  static void place(Block& block, std::uintptr_t key, OpenFile* file);

  std::atomic<Block*> current_{nullptr};
  std::mutex changing_;
};

extern constinit HandleTable open_files;

}  // namespace collate::door
