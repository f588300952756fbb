#include "driver/memory/memory_file.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "driver/memory/memory_store.hpp"

namespace collate::driver {
namespace {

constexpr Length page = 4096;

Length total(std::span<const port::Segment> segments) {
  Length bytes = 0;
  for (const port::Segment& segment : segments) bytes += segment.size;
  return bytes;
}

}  // namespace

MemoryFile::MemoryFile(MemoryStore& store, std::uint64_t identity) : store_(store), identity_(identity) {
  reserved_ = align_down(store.options().largest_file + page - 1, page);
  void* const at = mmap(nullptr, static_cast<std::size_t>(reserved_), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) reserved_ = 0;  // then every growth answers "no space"
  memory_ = static_cast<std::byte*>(at);
}

MemoryFile::~MemoryFile() {
  if (reserved_ > 0) munmap(memory_, static_cast<std::size_t>(reserved_));
  static_cast<void>(store_.take_room(-size_));
}

Result<Length> MemoryFile::read(Offset offset, std::span<const port::Segment> segments) {
  const std::lock_guard<std::mutex> hold(mutex_);
  Length moved = 0;
  for (const port::Segment& segment : segments) {
    const Length part = std::clamp<Length>(size_ - offset - moved, 0, segment.size);
    if (part > 0) std::memcpy(segment.data, memory_ + offset + moved, static_cast<std::size_t>(part));
    moved += part;
    if (part < segment.size) break;
  }
  return moved;
}

Result<Length> MemoryFile::write(Offset offset, std::span<const port::Segment> segments) {
  const Length wanted = total(segments);
  if (wanted == 0) return Length{0};
  const std::lock_guard<std::mutex> hold(mutex_);
  if (offset >= reserved_) return system_failure(EFBIG, offset);
  const Length before = size_;
  const Offset reached = grow(offset + wanted);
  Length moved = 0;
  for (const port::Segment& segment : segments) {
    const Length part = std::clamp<Length>(reached - offset - moved, 0, segment.size);
    if (part > 0) std::memcpy(memory_ + offset + moved, segment.data, static_cast<std::size_t>(part));
    moved += part;
  }
  if (moved == 0) {  // no room for the hole before it: nothing has happened
    static_cast<void>(store_.take_room(before - size_));
    size_ = before;
  }
  if (moved < wanted) return system_failure(offset + moved >= reserved_ ? EFBIG : ENOSPC, offset + moved);
  return moved;
}

Length MemoryFile::size() {
  const std::lock_guard<std::mutex> hold(mutex_);
  return size_;
}

Offset MemoryFile::grow(Offset end) {
  if (end > size_) size_ += store_.take_room(std::min(end, reserved_) - size_);
  return std::min(end, size_);
}

Result<void> MemoryFile::resize(Length size) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (size > reserved_) return system_failure(EFBIG, size);
  if (size >= size_) {
    const Length before = size_;
    if (grow(size) == size) return {};
    static_cast<void>(store_.take_room(before - size_));
    size_ = before;
    return system_failure(ENOSPC, size);
  }
  // What is cut off must read as zeros when the file grows again.
  const Offset whole = std::min(align_down(size + page - 1, page), size_);
  std::memset(memory_ + size, 0, static_cast<std::size_t>(whole - size));
  const Offset last = align_down(size_ + page - 1, page);
  if (last > whole) madvise(memory_ + whole, static_cast<std::size_t>(last - whole), MADV_DONTNEED);
  static_cast<void>(store_.take_room(size - size_));
  size_ = size;
  return {};
}

std::span<std::byte> MemoryFile::bytes(ByteRange range) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (range.begin < 0 || range.empty() || range.end > size_) return {};
  return {memory_ + range.begin, static_cast<std::size_t>(range.size())};
}

bool MemoryFile::lock(const void* owner, Direction direction, ByteRange range) {
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    for (const Lock& other : locks_) {
      const bool both_shared = direction == Direction::read && other.direction == Direction::read;
      const bool meet = other.range.begin < range.end && range.begin < other.range.end;
      if (other.owner != owner && meet && !both_shared) return false;
    }
  }
  unlock(owner, range);
  const std::lock_guard<std::mutex> hold(mutex_);
  locks_.push_back({owner, direction, range});
  return true;
}

void MemoryFile::unlock(const void* owner, ByteRange range) {
  const std::lock_guard<std::mutex> hold(mutex_);
  std::vector<Lock> kept;
  for (const Lock& held : locks_) {
    const bool meet = held.range.begin < range.end && range.begin < held.range.end;
    if (held.owner != owner || !meet) {
      kept.push_back(held);
      continue;
    }
    const ByteRange left = {held.range.begin, range.begin};
    const ByteRange right = {range.end, held.range.end};
    if (!left.empty()) kept.push_back({owner, held.direction, left});
    if (!right.empty()) kept.push_back({owner, held.direction, right});
  }
  locks_ = std::move(kept);
}

}  // namespace collate::driver
