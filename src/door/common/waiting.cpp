// Futex and backoff; see the header.
#include "door/common/waiting.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace collate::door {

namespace {

constexpr int spins_before_sleep = 20000;    // some 10 us of looking
constexpr int yields_before_sleep = 16;        // hands the core to a rank that has something to do, without a wake-up (4x faster small calls)
constexpr long sleep_limit_ns = 100000000;  // a waker that died must not leave us asleep for ever
constexpr int yields_before_naps = 64;
constexpr long shortest_nap_ns = 5000;
constexpr long longest_nap_ns = 100000;

void nap(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

}  // namespace

void park(const std::atomic<std::uint32_t>& word, std::uint32_t seen, bool may_spin) {
  for (int spin = 0; may_spin && spin < spins_before_sleep; ++spin) {
    if (word.load(std::memory_order_acquire) != seen) return;
  }
  for (int yield = 0; !may_spin && yield < yields_before_sleep; ++yield) {
    if (word.load(std::memory_order_acquire) != seen) return;
    sched_yield();
  }
  const timespec limit{0, sleep_limit_ns};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void unpark(std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

void give_way(int step, bool may_spin) {
  if (may_spin) return;
  if (step < yields_before_naps) sched_yield();
  else nap(std::min(longest_nap_ns, shortest_nap_ns * (step - yields_before_naps + 1)));
}

}  // namespace collate::door
