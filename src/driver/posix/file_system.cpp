#include "driver/posix/file_system.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace collate::driver {
namespace {

struct Known {
  std::uint32_t magic;
  FileSystem file_system;
};

// Numbers from linux/magic.h and the file systems' own sources.
constexpr std::array<Known, 20> known_file_systems = {{
    {0x0000EF53u, {"ext4", false, 8192, false}},    {0x58465342u, {"xfs", false, 8192, false}},
    {0x01021994u, {"tmpfs", false, 2048, true}},   {0x9123683Eu, {"btrfs", false, 0, false}},
    {0x858458F6u, {"ramfs", false, 0, false}},  {0x794C7630u, {"overlay", false, 0, false}},
    {0xF2F52010u, {"f2fs", false, 0, false}},   {0x2FC12FC1u, {"zfs", false, 0, false}},
    {0x00004D44u, {"fat", false, 0, false}},    {0x00006969u, {"nfs", true, 0, false}},
    {0x0BD00BD0u, {"lustre", true, 0, false}},  {0x47504653u, {"gpfs", true, 0, false}},
    {0x19830326u, {"beegfs", true, 0, false}},  {0x00C36400u, {"ceph", true, 0, false}},
    {0x65735546u, {"fuse", true, 0, false}},    {0xFF534D42u, {"cifs", true, 0, false}},
    {0xFE534D42u, {"smb2", true, 0, false}},    {0x01021997u, {"9p", true, 0, false}},
    {0x20030528u, {"orangefs", true, 0, false}}, {0xAAD7AAEAu, {"panfs", true, 0, false}},
}};

constexpr Length largest_block = 16 << 20;
constexpr Length network_sieve_hole = 128 << 10;

std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) + 0x9E3779B97F4A7C15u;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
  return state ^ (state >> 31);
}

std::uint64_t hash_of_boot() {
  std::array<char, 64> text{};
  const int descriptor = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t got = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  std::uint64_t hash = 0;
  for (const char letter : std::string_view(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0)) {
    hash = mix(hash, static_cast<unsigned char>(letter));
  }
  return hash;
}

}  // namespace

FileSystem file_system_of(int descriptor) {
  struct statfs status = {};
  if (fstatfs(descriptor, &status) != 0) return {"posix", false, 0, false};
  const auto magic = static_cast<std::uint32_t>(status.f_type);
  const auto* const found = std::find_if(known_file_systems.begin(), known_file_systems.end(),
                                         [magic](const Known& known) { return known.magic == magic; });
  return found == known_file_systems.end() ? FileSystem{"posix", false, 0, false} : found->file_system;
}

port::DriverTraits traits_of(const FileSystem& file_system, const struct stat& status) {
  port::DriverTraits traits;
  traits.name = file_system.name;
  traits.remote = file_system.network;
  traits.block_size = std::clamp<Length>(static_cast<Length>(status.st_blksize), 4096, largest_block);
  traits.sieve_hole = file_system.network ? network_sieve_hole : 4096;
  traits.mapped_stride = file_system.mapped_stride;
  traits.mapped_loads = file_system.mapped_stride > 0 && S_ISREG(status.st_mode);
  traits.mapped_stores = traits.mapped_loads;
  traits.cheap_loads = traits.mapped_loads && !file_system.populate;
  return traits;
}

std::uint64_t identity_of(const FileSystem& file_system, const struct stat& status) {
  static const std::uint64_t boot = hash_of_boot();
  const auto inode = static_cast<std::uint64_t>(status.st_ino);
  if (file_system.network) return mix(0, inode);
  return mix(mix(boot, static_cast<std::uint64_t>(status.st_dev)), inode);
}

}  // namespace collate::driver
