// Size, atomicity, sync, hints, group and mode of an open file. Collective ones run the engine's task to its end.
#include "door/common/entry.hpp"
#include "door/common/errors.hpp"
#include "door/common/info.hpp"

namespace collate::door {

namespace {

Error missing_argument() { return refusal(ErrorClass::argument, ErrorDetail::none); }

int answer(OpenFile& file, const Result<void>& result, const char* operation) {
  return result ? MPI_SUCCESS : fail(file, result.error(), operation);
}

// Runs a collective member of the engine under the file's lock.
template <class Member, class... Arguments>
int collectively(OpenFile& file, const char* operation, Member member, Arguments... arguments) {
  const auto result = [&] {
    const Lock lock = alone_collectively(file);
    return run((file.engine.get()->*member)(std::move(arguments)...));
  }();
  return answer(file, result, operation);
}

}  // namespace

int set_size(OpenFile& file, MPI_Offset size) {
  return collectively(file, "setting the size of", &file::File::set_size, Length{size});
}

int preallocate(OpenFile& file, MPI_Offset size) {
  return collectively(file, "reserving space for", &file::File::preallocate, Length{size});
}

int get_size(OpenFile& file, MPI_Offset* size) {
  if (size == nullptr) return fail(file, missing_argument(), "asking the size of");
  const auto found = file.engine->size();
  if (!found) return fail(file, found.error(), "asking the size of");
  *size = *found;
  return MPI_SUCCESS;
}

int sync(OpenFile& file) { return collectively(file, "syncing", &file::File::sync); }

int set_atomicity(OpenFile& file, int flag) {
  return collectively(file, "setting the atomicity of", &file::File::set_atomicity, flag != 0);
}

int get_atomicity(OpenFile& file, int* flag) {
  if (flag == nullptr) return fail(file, missing_argument(), "asking the atomicity of");
  *flag = file.engine->atomicity() ? 1 : 0;
  return MPI_SUCCESS;
}

int set_info(OpenFile& file, MPI_Info info) {
  return collectively(file, "setting hints of", &file::File::set_info, entries_of(info));
}

int get_info(OpenFile& file, MPI_Info* info) {
  if (info == nullptr) return fail(file, missing_argument(), "asking the hints of");
  *info = info_of(file.engine->info());
  return *info == abi::info_null() ? fail(file, refusal(ErrorClass::internal, ErrorDetail::none), "asking the hints of") : MPI_SUCCESS;
}

int get_group(OpenFile& file, MPI_Group* group) {
  if (group == nullptr) return fail(file, missing_argument(), "asking the group of");
  return native()->Comm_group(file.comm, group);
}

int get_amode(OpenFile& file, int* amode) {
  if (amode == nullptr) return fail(file, missing_argument(), "asking the access mode of");
  *amode = file.amode;
  return MPI_SUCCESS;
}

}  // namespace collate::door
