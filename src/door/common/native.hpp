// door/common/native.hpp - the MPI behind us: pointers to its own functions, found at the first use.
//
// Our library is loaded before the MPI and may be loaded without any, so it refers to no MPI symbol. native()
// looks among the loaded objects for the MPI library and asks it, and only it, for its PMPI_ functions: names
// like ours exist twice in the process, and `dlsym` in that one object finds the original.
//
//   const Native* mpi = native();
//   if (mpi == nullptr) return MPI_ERR_OTHER;   // a sentence is on stderr already
//   mpi->Comm_rank(comm, &rank);
//
// Cost: one load after the first call. Thread rule: any thread.
#pragma once

#include "native_table.hpp"

namespace collate::door {

// Null when no MPI of this ABI is loaded.
[[nodiscard]] const Native* native() noexcept;

}  // namespace collate::door
