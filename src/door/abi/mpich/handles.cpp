// Tells an MPICH from other libraries and has its MPI_FILE_NULL handler called. See handles.hpp.
#include "handles.hpp"

#include <dlfcn.h>

#include "door/common/native.hpp"

namespace collate::door::abi {

bool belongs(void* library) {
  // Intel MPI, MVAPICH, Cray MPICH and ParaStation MPI share this ABI and lack Open MPI's handle objects.
  return dlsym(library, "PMPI_File_open") != nullptr && dlsym(library, "ompi_mpi_comm_world") == nullptr;
}

bool bind(void*) { return true; }

bool raise_on_file_null(int code) {
  const Native* mpi = native();
  return mpi != nullptr && mpi->File_call_errhandler(file_null(), code) == MPI_SUCCESS;
}

}  // namespace collate::door::abi
