// test/driver/support.hpp - small helpers of the driver tests: patterned bytes, a folder that cleans up after
// itself, one-segment transfers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "port/file_driver.hpp"

namespace collate::test {

using Bytes = std::vector<std::byte>;

// Bytes that tell their place: byte i is a hash of (seed, i), so that a shift by any amount shows.
[[nodiscard]] Bytes pattern(Length size, std::uint64_t seed);

// A fresh folder, removed with all it holds.
class Folder {
 public:
  explicit Folder(const std::string& parent = {});
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// One segment; the bytes are not changed by a write.
[[nodiscard]] Result<Length> write_at(port::OpenFile& file, Offset offset, const Bytes& bytes);
// At most `size` bytes; the vector is cut to what was read. Fails the running test on an Error.
[[nodiscard]] Bytes read_at(port::OpenFile& file, Offset offset, Length size);

// Opens or fails the running test (then null).
[[nodiscard]] std::unique_ptr<port::OpenFile> open_file(port::FileDriver& driver, const std::string& path, bool create = true);

}  // namespace collate::test
