// Data access: the program's arguments become one file::Access, its Outcome a status and a code.
//
// The way of an independent contiguous write: a table lookup for the file, one for the datatype, the engine,
// and the status. It allocates nothing, and takes a lock only under MPI_THREAD_MULTIPLE.
#include "door/common/datatype.hpp"
#include "door/common/entry.hpp"
#include "door/common/errors.hpp"

namespace collate::door {

namespace {

void set_status(MPI_Status* status, Length bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  const Native& mpi = *native();
  mpi.Status_set_cancelled(status, 0);
  mpi.Status_set_elements_x(status, abi::byte(), bytes);
}

const char* verb(Call call) { return call.direction == Direction::read ? "reading" : "writing"; }

file::Access access_of(Call call, const Buffer& buffer) {
  file::Access access;
  access.direction = call.direction;
  access.positioning = call.positioning;
  access.coordination = call.coordination;
  access.offset = buffer.offset;
  access.memory = static_cast<std::byte*>(const_cast<void*>(buffer.memory));  // the direction says which way
  access.count = buffer.count;
  const auto type = decoded(buffer.datatype);
  if (!type) {
    access.refused = type.error();
  } else if (buffer.count < 0) {
    access.refused = refusal(ErrorClass::count, ErrorDetail::negative_argument);
  } else {
    access.type = *type;
  }
  return access;
}

Result<file::Outcome> move(OpenFile& file, const file::Access& access) {
  if (access.coordination == Coordination::independent) {
    const Lock lock = alone_on_this_rank(file);
    return file.engine->access(access);
  }
  const Lock lock = alone_collectively(file);
  return run(file.engine->access_all(access));
}

}  // namespace

int enter(OpenFile& file, Call call, const Buffer& buffer, MPI_Status* status) {
  if (call.positioning == Positioning::shared_pointer) return unsupported(file, verb(call));
  const auto outcome = move(file, access_of(call, buffer));
  if (outcome) {
    set_status(status, outcome->bytes);
    return MPI_SUCCESS;
  }
  set_status(status, 0);
  return fail(file, outcome.error(), verb(call));
}

int enter(OpenFile& file, Call call, const Buffer&, MPI_Request* request) {
  if (request != nullptr) *request = abi::request_null();
  return unsupported(file, call.direction == Direction::read ? "reading without waiting from" : "writing without waiting to");
}

int enter(OpenFile& file, Call call, const Buffer&) {
  return unsupported(file, call.direction == Direction::read ? "beginning to read" : "beginning to write");
}

int finish(OpenFile& file, Call call, const void*, MPI_Status* status) {
  set_status(status, 0);
  return unsupported(file, call.direction == Direction::read ? "ending to read" : "ending to write");
}

}  // namespace collate::door
