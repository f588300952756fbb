// What Collate does not do yet: refused in words, on our files only, so that no file is half ours.
#include "door/common/entry.hpp"
#include "door/common/errors.hpp"

namespace collate::door {

int unsupported(OpenFile& file, const char* operation) {
  return fail(file, refusal(ErrorClass::unsupported_operation, ErrorDetail::not_yet_supported), operation);
}

int seek_shared(OpenFile& file, MPI_Offset, int) { return unsupported(file, "moving the shared pointer of"); }

int get_position_shared(OpenFile& file, MPI_Offset*) { return unsupported(file, "asking the shared pointer of"); }

int refuse_datarep(const char* datarep) {
  const Error error = refusal(ErrorClass::unsupported_operation, ErrorDetail::not_yet_supported);
  return fail_without_file(error, "registering the data representation", datarep == nullptr ? "" : datarep);
}

}  // namespace collate::door
