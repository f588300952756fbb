// The pool of companions, and the hook that empties it at MPI_Finalize: an attribute on MPI_COMM_SELF, whose
// delete callback MPI calls first thing, while its other functions still work. MPI deletes attributes in the
// reverse order of their setting and MPICH's own file code has one too, set by its first open: ours must come
// later, or companions would be closed when that code is gone.
#include "door/common/companion.hpp"

#include <mutex>
#include <vector>

#include "door/common/native.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

struct Pool {
  std::mutex changing;
  std::vector<MPI_File> idle;
  bool hooked = false;
};

// Never destroyed: a program may exit without MPI_Finalize, and then nobody needs it any more.
Pool& pool() {
  static Pool* const only = new Pool;
  return *only;
}

extern "C" int collate_close_idle_companions(MPI_Comm, int, void*, void*) {
  const Native* mpi = native();
  const std::lock_guard guard(pool().changing);
  for (MPI_File& companion : pool().idle) mpi->File_close(&companion);
  pool().idle.clear();
  pool().hooked = false;
  return MPI_SUCCESS;
}

extern "C" int collate_copy_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

void hook_finalize_once(const Native& mpi) {
  const std::lock_guard guard(pool().changing);
  if (pool().hooked) return;
  pool().hooked = true;
  int keyval = MPI_KEYVAL_INVALID;
  if (mpi.Comm_create_keyval(collate_copy_nothing, collate_close_idle_companions, &keyval, nullptr) != MPI_SUCCESS) return;
  mpi.Comm_set_attr(abi::comm_self(), keyval, nullptr);
}

bool open_companion(const Native& mpi, MPI_File& companion) {
  if (mpi.File_open(abi::comm_self(), "/dev/null", MPI_MODE_RDONLY, abi::info_null(), &companion) != MPI_SUCCESS) return false;
  MPI_Errhandler counted{};
  if (abi::open_forgets_to_count_handler) mpi.File_get_errhandler(companion, &counted);  // counts it, for good
  return true;
}

bool inherit_handler(const Native& mpi, MPI_File companion) {
  MPI_Errhandler handler{};
  if (mpi.File_get_errhandler(abi::file_null(), &handler) != MPI_SUCCESS) return false;
  const int set = mpi.File_set_errhandler(companion, handler);
  const bool predefined = handler == abi::errors_return() || handler == abi::errors_are_fatal() || handler == abi::errors_abort();
  if (!predefined) mpi.Errhandler_free(&handler);
  return set == MPI_SUCCESS;
}

}  // namespace

Result<MPI_File> take_companion() {
  const Native& mpi = *native();
  MPI_File companion = abi::file_null();
  {
    const std::lock_guard guard(pool().changing);
    if (!pool().idle.empty()) {
      companion = pool().idle.back();
      pool().idle.pop_back();
    }
  }
  if (companion == abi::file_null() && !open_companion(mpi, companion)) return refusal(ErrorClass::internal, ErrorDetail::none);
  hook_finalize_once(mpi);
  if (!inherit_handler(mpi, companion)) return refusal(ErrorClass::internal, ErrorDetail::none);
  return companion;
}

void give_back_companion(MPI_File companion) {
  native()->File_set_errhandler(companion, abi::errors_return());  // lets go of the program's handler
  const std::lock_guard guard(pool().changing);
  pool().idle.push_back(companion);
}

}  // namespace collate::door
