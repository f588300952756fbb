// The process's switches and its one engine Session.
#include "door/common/session.hpp"

#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "door/common/native.hpp"

namespace collate::door {

namespace {

bool switched_off() {
  const char* value = secure_getenv("COLLATE");
  if (value == nullptr) return false;
  const std::string_view word(value);
  return word == "off" || word == "0" || word == "no" || word == "false";
}

}  // namespace

bool forwarding() noexcept {
  static const bool off = switched_off();
  if (off) return true;
  const Native* mpi = native();
  if (mpi == nullptr) return true;
  int initialized = 0;
  int finalized = 0;
  mpi->Initialized(&initialized);
  mpi->Finalized(&finalized);
  return initialized == 0 || finalized != 0;
}

file::Session& session() {
  static file::Session* const only = file::make_session().release();  // lives as long as the process
  return *only;
}

bool has_threads() noexcept {
  int provided = MPI_THREAD_SINGLE;
  return native()->Query_thread(&provided) == MPI_SUCCESS && provided == MPI_THREAD_MULTIPLE;
}

}  // namespace collate::door
