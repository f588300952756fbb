// door/common/place.hpp - where a rank runs, in 16 bytes that can be compared with other ranks'.
//
// Two ranks are on one node when they can share memory the way we do it: same kernel boot, same host name, same
// /dev/shm. That is stricter than MPI_COMM_TYPE_SHARED (containers of one host are apart unless they share
// /dev/shm) and needs one allgather instead of a communicator split.
// Thread rule: pure functions; here() reads the system once per process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace collate::door {

struct Place {
  std::uint64_t node = 0;       // digest of boot id, host name and /dev/shm
  std::uint32_t core_set = 0;   // digest of the cores this rank may use
  std::uint32_t cores = 1;      // how many they are
};
static_assert(sizeof(Place) == 16);

[[nodiscard]] Place here();

// Number of the node of each rank, in order of first appearance.
// Example: places of hosts b a b c -> 0 1 0 2.
[[nodiscard]] std::vector<int> number_nodes(std::span<const Place> places);

// Cores the node of `rank` offers: different core sets are taken as disjoint, up to the cores of the machine.
[[nodiscard]] int cores_of_node(std::span<const Place> places, int rank, int online);

}  // namespace collate::door
