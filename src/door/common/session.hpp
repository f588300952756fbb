// door/common/session.hpp - what this process shares: the engine's Session, and whether Collate is on at all.
//
// COLLATE=off in the environment sends every call to the MPI itself. So does everything before MPI_Init and
// after MPI_Finalize: the MPI's own message about it is the right one (and programs that only use MPI sessions,
// where MPI_Init is never called, keep working).
// Thread rule: any thread.
#pragma once

#include "file/session.hpp"

namespace collate::door {

// Whether calls that make or name a file go to the MPI.
[[nodiscard]] bool forwarding() noexcept;

// Made at the first use.
[[nodiscard]] file::Session& session();

// Whether the MPI was initialized with MPI_THREAD_MULTIPLE.
[[nodiscard]] bool has_threads() noexcept;

}  // namespace collate::door
