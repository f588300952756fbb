// Insertion, removal and growth of the handle table; see the header for why readers need no lock.
#include "door/common/handle_table.hpp"

namespace collate::door {

constinit HandleTable open_files;

HandleTable::Block* HandleTable::make_block(std::size_t slots) {
  Block* block = new Block;
  block->mask = slots - 1;
  block->slots = new Slot[slots];
  return block;
}

// The file before the key: a reader that sees the key sees the file.
void HandleTable::place(Block& block, std::uintptr_t key, OpenFile* file) {
  std::size_t at = hash(key) & block.mask;
  for (;; at = (at + 1) & block.mask) {
    const std::uintptr_t there = block.slots[at].key.load(std::memory_order_relaxed);
    if (there == key || there == 0) break;
  }
  Slot& slot = block.slots[at];
  slot.file.store(file, std::memory_order_release);
  if (slot.key.load(std::memory_order_relaxed) == 0) ++block.used;
  slot.key.store(key, std::memory_order_release);
}

void HandleTable::insert(std::uintptr_t key, OpenFile* file) {
  const std::lock_guard guard(changing_);
  Block* block = current_.load(std::memory_order_relaxed);
  if (block == nullptr || 2 * (block->used + 1) > block->mask) {
    Block* larger = make_block(block == nullptr ? 64 : 2 * (block->mask + 1));
    for (std::size_t i = 0; block != nullptr && i <= block->mask; ++i) {
      OpenFile* live = block->slots[i].file.load(std::memory_order_relaxed);
      if (live != nullptr) place(*larger, block->slots[i].key.load(std::memory_order_relaxed), live);
    }
    block = larger;
    place(*block, key, file);
    current_.store(block, std::memory_order_release);
    return;
  }
  place(*block, key, file);
}

void HandleTable::remove(std::uintptr_t key) {
  const std::lock_guard guard(changing_);
  Block* block = current_.load(std::memory_order_relaxed);
  if (block != nullptr) place(*block, key, nullptr);
}

}  // namespace collate::door
