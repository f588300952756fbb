// driver/posix/bus_guard.hpp - touch mapped file memory without being killed by SIGBUS.
//
// A page of a mapped file that the system cannot back (the file was cut short by somebody else, the disk is
// full) answers a load or store with SIGBUS, whose default action ends the process. `run_guarded` runs a
// piece of work and turns such a fault, inside the given memory, into a return value.
//
// How: one process-wide SIGBUS handler, installed at the first use. Each thread keeps a chain of guard
// records (innermost first) in thread-local memory that needs no allocation to reach; run_guarded pushes a
// record holding the memory's bounds and a sigsetjmp point, runs the work, pops it. The handler looks through
// the faulting thread's records for one whose memory holds the faulting address and siglongjmps there. Any
// other SIGBUS - another thread, another address, one sent by kill() - goes to the handler that was installed
// before ours, or to the default action, which ends the process as if we were not there. If the application
// installs a handler of its own later, the next run_guarded puts ours in front again and chains to it; an
// application handler that itself chains to ours does not loop, the default action ends the process.
//
// Guarantees: the handler uses only async-signal-safe means. Cost: one sigsetjmp and one sigaction query,
// about 0.3 us: guard windows, not pieces. Thread rule: any number of threads at once; guards may nest.
// The work is left in the middle by a jump: it must only copy bytes - no locks, no allocation, no destructor.
//
//   if (const std::byte* at = run_guarded(memory, copy_pieces, &job)) -> the page holding *at has no backing
#pragma once

#include <cstddef>
#include <span>

namespace collate::driver {

// Runs work(argument). Null when it ran to its end; otherwise the address in `memory` that could not be backed.
[[nodiscard]] const std::byte* run_guarded(std::span<const std::byte> memory, void (*work)(void*), void* argument);

}  // namespace collate::driver
