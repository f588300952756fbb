// driver/memory/memory_file.hpp - the bytes, size and locks of one file of a MemoryStore.
//
// The bytes are a reserved stretch of address space, all zero until stored to; [size, end) is zero at all times,
// which is what makes holes and growth read as zeros. Thread rule: as memory_store.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "port/file_driver.hpp"

namespace collate::driver {

class MemoryStore;

class MemoryFile {
 public:
  MemoryFile(MemoryStore& store, std::uint64_t identity);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] Result<Length> read(Offset offset, std::span<const port::Segment> segments);
  [[nodiscard]] Result<Length> write(Offset offset, std::span<const port::Segment> segments);
  [[nodiscard]] Length size();
  [[nodiscard]] Result<void> resize(Length size);
  // The bytes of a range below the end of the file; nothing otherwise.
  [[nodiscard]] std::span<std::byte> bytes(ByteRange range);
  [[nodiscard]] bool lock(const void* owner, Direction direction, ByteRange range);
  void unlock(const void* owner, ByteRange range);
  [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }

  bool readable = true;
  bool writable = true;

 private:
  struct Lock {
    const void* owner;
    Direction direction;
    ByteRange range;
  };
  // Makes the file reach `end` as far as there is room; returns the end reached. The mutex is held.
  [[nodiscard]] Offset grow(Offset end);

  MemoryStore& store_;
  const std::uint64_t identity_;
  std::mutex mutex_;
  std::byte* memory_ = nullptr;
  Length reserved_ = 0;
  Length size_ = 0;
  std::vector<Lock> locks_;
};

}  // namespace collate::driver
