// Finds Open MPI's predefined objects by name, so that our library needs none of its symbols to be loaded.
//
// MPI_File_call_errhandler(MPI_FILE_NULL, ...) is refused by Open MPI itself (it raises MPI_ERR_ARG on
// MPI_COMM_WORLD and ends the job), so the handler of MPI_FILE_NULL is invoked by the function that Open MPI's
// own errors go through, which its library exports.
#include "handles.hpp"

#include <dlfcn.h>

#include "door/common/native.hpp"

namespace collate::door::abi {

constinit Handles handles;

namespace {

// int ompi_errhandler_invoke(errhandler, object, type of object, code, message); a file's type is 3.
using Invoke = int (*)(MPI_Errhandler, void*, int, int, const char*);
constexpr int file_object = 3;
constinit Invoke invoke = nullptr;

// A program that is linked with Open MPI may own copies of these objects (copy relocations), and the library uses
// those too; so what the whole process sees under a name comes before what the library has under it.
template <class Handle>
bool find(void* library, const char* name, Handle& handle) {
  void* object = dlsym(RTLD_DEFAULT, name);
  if (object == nullptr) object = dlsym(library, name);
  handle = static_cast<Handle>(object);
  return handle != nullptr;
}

}  // namespace

bool belongs(void* library) {
  return dlsym(library, "PMPI_File_open") != nullptr && dlsym(library, "ompi_mpi_comm_world") != nullptr;
}

bool bind(void* library) {
  invoke = reinterpret_cast<Invoke>(dlsym(library, "ompi_errhandler_invoke"));
  // New in MPI-4; where it is missing no file can have it.
  if (!find(library, "ompi_mpi_errors_abort", handles.errors_abort)) handles.errors_abort = nullptr;
  return find(library, "ompi_mpi_comm_self", handles.comm_self) && find(library, "ompi_mpi_comm_null", handles.comm_null) &&
         find(library, "ompi_mpi_byte", handles.byte) && find(library, "ompi_mpi_datatype_null", handles.datatype_null) &&
         find(library, "ompi_mpi_info_null", handles.info_null) && find(library, "ompi_mpi_file_null", handles.file_null) &&
         find(library, "ompi_request_null", handles.request_null) &&
         find(library, "ompi_mpi_errors_return", handles.errors_return) &&
         find(library, "ompi_mpi_errors_are_fatal", handles.errors_are_fatal);
}

bool raise_on_file_null(int code) {
  const Native* mpi = native();
  MPI_Errhandler handler = nullptr;
  if (mpi == nullptr || invoke == nullptr || mpi->File_get_errhandler(file_null(), &handler) != MPI_SUCCESS) return false;
  if (handler != errors_return()) invoke(handler, file_null(), file_object, code, "MPI_File");
  return true;
}

}  // namespace collate::door::abi
