#include "support.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <utility>

namespace collate::test {

Bytes pattern(Length size, std::uint64_t seed) {
  Bytes bytes(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t value = (i + 1) * 0x9E3779B97F4A7C15u ^ seed * 0xD1B54A32D192ED03u;
    bytes[i] = static_cast<std::byte>(value >> 56);
  }
  return bytes;
}

Folder::Folder(const std::string& parent) {
  const std::filesystem::path base = parent.empty() ? std::filesystem::temp_directory_path() : std::filesystem::path(parent);
  std::string name = (base / "collate-driver-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder below " << base;
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Result<Length> write_at(port::OpenFile& file, Offset offset, const Bytes& bytes) {
  const port::Segment segment = {const_cast<std::byte*>(bytes.data()), static_cast<Length>(bytes.size())};
  return file.transfer(Direction::write, offset, {&segment, 1});
}

Bytes read_at(port::OpenFile& file, Offset offset, Length size) {
  Bytes bytes(static_cast<std::size_t>(size), std::byte{0xEE});
  const port::Segment segment = {bytes.data(), size};
  const Result<Length> moved = file.transfer(Direction::read, offset, {&segment, 1});
  if (!moved) {
    ADD_FAILURE() << "reading failed: " << describe(moved.error(), "reading", "the file");
    return {};
  }
  for (Length i = *moved; i < size; ++i) {
    if (bytes[static_cast<std::size_t>(i)] != std::byte{0xEE}) {
      ADD_FAILURE() << "a read of " << *moved << " bytes touched memory byte " << i;
      break;
    }
  }
  bytes.resize(static_cast<std::size_t>(*moved));
  return bytes;
}

std::unique_ptr<port::OpenFile> open_file(port::FileDriver& driver, const std::string& path, bool create) {
  Result<std::unique_ptr<port::OpenFile>> file = driver.open({.path = path, .read = true, .write = true, .create = create});
  if (file) return std::move(*file);
  ADD_FAILURE() << describe(file.error(), "opening", path);
  return nullptr;
}

}  // namespace collate::test
