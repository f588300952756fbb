// execute/wire.hpp - which bytes of the file a message is about, packed small.
//
// A list of CopyRuns' file sides: each as a difference to the end of the one before, in variable-length integers
// of 7 bits a byte, signed ones zigzagged. A regular pattern of any number of pieces takes a dozen bytes; irregular
// 64-byte pieces take 3 to 4 bytes each.
//
// Thread rule: one thread per writer or reader.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "layout/run.hpp"

namespace collate::execute {

class RunWriter {
 public:
  explicit RunWriter(Offset origin) : last_(origin) {}
  void add(const layout::Run& run);
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  void put(std::uint64_t value);
  void put_signed(std::int64_t value);
  std::vector<std::byte> bytes_;
  Offset last_;
};

class RunReader {
 public:
  RunReader(Offset origin, std::span<const std::byte> bytes) : rest_(bytes), last_(origin) {}
  [[nodiscard]] std::optional<layout::Run> next();

 private:
  std::uint64_t get();
  std::int64_t get_signed();
  std::span<const std::byte> rest_;
  Offset last_;
};

}  // namespace collate::execute
