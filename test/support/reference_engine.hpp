// test/support/reference_engine.hpp - the dumb oracle of file access: one byte at a time, nothing clever.
//
//   ReferenceView view(8, 4, naive::resized(0, 16, naive::named(4)));
//   view.offset(5);                      // 8 + 16 + 1
//   ReferenceFile file;                  // a vector of bytes
//   file.write(view.bytes(3, 8), memory_map, buffer);
// A write beyond the end leaves zeroes in between; a read moves the bytes that lie before the end of the file and
// no others, and returns how many that were. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <vector>

#include "support/naive_type.hpp"

namespace collate::sim {

class ReferenceView {
 public:
  ReferenceView() : ReferenceView(0, 1, naive::named(1)) {}  // the stream of bytes
  ReferenceView(Offset displacement, Length unit, naive::Type filetype)
      : displacement_(displacement), unit_(unit), filetype_(std::move(filetype)) {}

  [[nodiscard]] Length unit() const { return unit_; }                       // bytes of an etype
  [[nodiscard]] bool empty() const { return filetype_.map.empty(); }
  [[nodiscard]] Offset displacement() const { return displacement_; }
  [[nodiscard]] Offset offset(Length stream) const {
    const Length tile = filetype_.size();
    return displacement_ + stream / tile * filetype_.extent + filetype_.map[static_cast<std::size_t>(stream % tile)];
  }
  // The file offsets of `count` bytes from etype `position` on.
  [[nodiscard]] std::vector<Offset> bytes(Offset position, Length count) const {
    std::vector<Offset> all;
    for (Length i = 0; i < count; ++i) all.push_back(offset(position * unit_ + i));
    return all;
  }
  // The first etype that begins at or beyond `size` (ascending views).
  [[nodiscard]] Offset position_at(Offset size) const {
    Offset position = 0;
    while (offset(position * unit_) < size) ++position;
    return position;
  }

 private:
  Offset displacement_;
  Length unit_;
  naive::Type filetype_;
};

class ReferenceFile {
 public:
  std::vector<std::byte> bytes;

  Length write(const std::vector<Offset>& file, const std::vector<Offset>& memory, const std::byte* origin) {
    for (std::size_t i = 0; i < file.size(); ++i) {
      const auto at = static_cast<std::size_t>(file[i]);
      if (at >= bytes.size()) bytes.resize(at + 1);
      bytes[at] = origin[memory[i]];
    }
    return static_cast<Length>(file.size());
  }
  Length read(const std::vector<Offset>& file, const std::vector<Offset>& memory, std::byte* origin) const {
    Length moved = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
      const auto at = static_cast<std::size_t>(file[i]);
      if (at >= bytes.size()) continue;
      origin[memory[i]] = bytes[at];
      ++moved;
    }
    return moved;
  }
};

}  // namespace collate::sim
