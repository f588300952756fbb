// Reads the identity of this node and counts nodes and cores of all ranks; see the header.
#include "door/common/place.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>

namespace collate::door {

namespace {

// FNV-1a.
std::uint64_t digest(std::string_view bytes, std::uint64_t start = 0xcbf29ce484222325ull) {
  std::uint64_t value = start;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
  return value;
}

std::uint64_t node_digest() {
  char boot[64] = {};
  const int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  const ssize_t length = descriptor < 0 ? 0 : read(descriptor, boot, sizeof(boot));
  if (descriptor >= 0) close(descriptor);
  utsname host{};
  uname(&host);
  struct stat shared {};
  stat("/dev/shm", &shared);
  const std::uint64_t device = shared.st_dev;
  std::uint64_t value = digest({boot, static_cast<std::size_t>(std::max<ssize_t>(length, 0))});
  value = digest(host.nodename, value);
  return digest({reinterpret_cast<const char*>(&device), sizeof(device)}, value);
}

Place read_place() {
  Place place;
  place.node = node_digest();
  unsigned long mask[128] = {};  // 8192 cores
  if (sched_getaffinity(0, sizeof(mask), reinterpret_cast<cpu_set_t*>(mask)) == 0) {
    unsigned cores = 0;
    for (const unsigned long word : mask) cores += static_cast<unsigned>(std::popcount(word));
    place.cores = std::max(cores, 1u);
    place.core_set = static_cast<std::uint32_t>(digest({reinterpret_cast<const char*>(mask), sizeof(mask)}));
  }
  return place;
}

}  // namespace

Place here() {
  static const Place only = read_place();
  return only;
}

std::vector<int> number_nodes(std::span<const Place> places) {
  std::unordered_map<std::uint64_t, int> numbers;
  std::vector<int> nodes;
  nodes.reserve(places.size());
  for (const Place& place : places) nodes.push_back(numbers.try_emplace(place.node, static_cast<int>(numbers.size())).first->second);
  return nodes;
}

int cores_of_node(std::span<const Place> places, int rank, int online) {
  const std::uint64_t node = places[static_cast<std::size_t>(rank)].node;
  std::set<std::uint32_t> counted;
  std::int64_t cores = 0;
  for (const Place& place : places) {
    if (place.node == node && counted.insert(place.core_set).second) cores += place.cores;
  }
  return static_cast<int>(std::clamp<std::int64_t>(cores, 1, std::max(online, 1)));
}

}  // namespace collate::door
