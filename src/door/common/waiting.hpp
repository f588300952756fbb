// door/common/waiting.hpp - how a rank waits: spinning where every rank has a core, giving way where not.
//
// park/unpark sleep on a word in shared memory through the futex system call; a rank that shares its core first
// yields a few times, since the rank it waits for is most likely the one that gets the core. give_way is for waits that only
// the MPI can end: it has no descriptor to sleep on, so a rank that shares its core yields, then naps.
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace collate::door {

// Sleeps until `word` differs from `seen`; returns early now and then. With `may_spin` looks at it for some
// microseconds first.
void park(const std::atomic<std::uint32_t>& word, std::uint32_t seen, bool may_spin);
void unpark(std::atomic<std::uint32_t>& word);

// One step of waiting, `step` counting from 0: nothing, a yield, or a nap of at most 100 us.
void give_way(int step, bool may_spin);

}  // namespace collate::door
