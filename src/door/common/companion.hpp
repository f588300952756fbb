// door/common/companion.hpp - native files that lend their handles to ours.
//
// An MPI_File handle is used by code that is not ours: c2f/f2c, error handlers, the Fortran and Python
// bindings all look into it. So the handle of every file we open is a real one: the MPI's own MPI_File of
// /dev/null, opened on MPI_COMM_SELF. Opening one costs about 13 us in MPICH and 135 us in Open MPI; those
// of closed files are kept for the next open and closed when MPI_Finalize begins.
//
// Thread rule: any thread.
#pragma once

#include <mpi.h>

#include "base/result.hpp"

namespace collate::door {

// A native file that carries the error handler now set on MPI_FILE_NULL, as a newly opened file does.
[[nodiscard]] Result<MPI_File> take_companion();
void give_back_companion(MPI_File companion);

}  // namespace collate::door
