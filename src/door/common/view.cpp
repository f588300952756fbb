// Views and positions: all local. The hints a view may bring are not read: they would have to be agreed on.
#include <algorithm>
#include <cstring>
#include <string>

#include "door/common/contents.hpp"
#include "door/common/datatype.hpp"
#include "door/common/entry.hpp"
#include "door/common/errors.hpp"

namespace collate::door {

namespace {

constexpr const char* viewing = "setting the view of";
constexpr const char* seeking = "seeking in";

Error bad_argument() { return refusal(ErrorClass::argument, ErrorDetail::none); }

// A duplicate of a derived type, so that the program may free its own; predefined types as they are.
Result<ViewType> keep(MPI_Datatype type) {
  const auto combiner = combiner_of(type);
  if (!combiner) return combiner.error();
  if (is_predefined(*combiner)) return ViewType{type, false};
  ViewType kept{type, true};
  if (native()->Type_dup(type, &kept.handle) != MPI_SUCCESS) return refusal(ErrorClass::type, ErrorDetail::none);
  return kept;
}

void drop(ViewType& type) {
  if (type.duplicate) native()->Type_free(&type.handle);
  type = ViewType{abi::byte(), false};
}

// Both or none.
Result<void> replace_types(OpenFile& file, MPI_Datatype etype, MPI_Datatype filetype) {
  auto new_etype = keep(etype);
  if (!new_etype) return new_etype.error();
  auto new_filetype = keep(filetype);
  if (!new_filetype) {
    drop(*new_etype);
    return new_filetype.error();
  }
  drop(file.etype);
  drop(file.filetype);
  file.etype = *new_etype;
  file.filetype = *new_filetype;
  return {};
}

Result<void> change_view(OpenFile& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep) {
  if (datarep == nullptr) return refusal(ErrorClass::unsupported_datarep, ErrorDetail::unknown_datarep);
  if (displacement == MPI_DISPLACEMENT_CURRENT) return bad_argument();  // only for MPI_MODE_SEQUENTIAL
  const auto etype_decoded = decoded(etype);
  if (!etype_decoded) return etype_decoded.error();
  const auto filetype_decoded = decoded(filetype);
  if (!filetype_decoded) return filetype_decoded.error();
  const Lock lock = alone_on_this_rank(file);
  const auto set = file.engine->set_view({displacement, **etype_decoded, **filetype_decoded, datarep});
  if (!set) return set.error();
  return replace_types(file, etype, filetype);
}

// What get_view returns is the program's to free.
MPI_Datatype copy_of(const ViewType& type) {
  MPI_Datatype copy = type.handle;
  if (type.duplicate) native()->Type_dup(type.handle, &copy);
  return copy;
}

}  // namespace

int set_view(OpenFile& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep, MPI_Info) {
  const auto changed = change_view(file, displacement, etype, filetype, datarep);
  return changed ? MPI_SUCCESS : fail(file, changed.error(), viewing);
}

int get_view(OpenFile& file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) {
  if (displacement == nullptr || etype == nullptr || filetype == nullptr || datarep == nullptr) {
    return fail(file, bad_argument(), "asking the view of");
  }
  const Lock lock = alone_on_this_rank(file);
  *displacement = file.engine->displacement();
  *etype = copy_of(file.etype);
  *filetype = copy_of(file.filetype);
  const std::string& name = file.engine->datarep();
  const std::size_t length = std::min<std::size_t>(name.size(), MPI_MAX_DATAREP_STRING - 1);
  std::memcpy(datarep, name.data(), length);
  datarep[length] = '\0';
  return MPI_SUCCESS;
}

int seek(OpenFile& file, MPI_Offset offset, int whence) {
  file::Whence from = file::Whence::set;
  if (whence == MPI_SEEK_CUR) from = file::Whence::current;
  else if (whence == MPI_SEEK_END) from = file::Whence::end;
  else if (whence != MPI_SEEK_SET) return fail(file, bad_argument(), seeking);
  const auto moved = [&] {
    const Lock lock = alone_on_this_rank(file);
    return file.engine->seek(offset, from);
  }();
  return moved ? MPI_SUCCESS : fail(file, moved.error(), seeking);
}

int get_position(OpenFile& file, MPI_Offset* offset) {
  if (offset == nullptr) return fail(file, bad_argument(), "asking the position in");
  *offset = file.engine->position();
  return MPI_SUCCESS;
}

int get_byte_offset(OpenFile& file, MPI_Offset offset, MPI_Offset* displacement) {
  constexpr const char* asking = "asking a byte offset in";
  if (displacement == nullptr) return fail(file, bad_argument(), asking);
  const auto found = file.engine->byte_offset(offset);
  if (!found) return fail(file, found.error(), asking);
  *displacement = *found;
  return MPI_SUCCESS;
}

int type_extent(OpenFile& file, MPI_Datatype datatype, MPI_Count& extent) {
  constexpr const char* asking = "asking a type's extent in";
  const auto type = decoded(datatype);
  if (!type) return fail(file, type.error(), asking);
  const auto found = file.engine->type_extent(**type);
  if (!found) return fail(file, found.error(), asking);
  extent = *found;
  return MPI_SUCCESS;
}

}  // namespace collate::door
