// door/common/entry.hpp - all that the generated entry points call.
//
// A call names its axes at compile time (Call) and carries the program's arguments (Buffer); ours() tells our
// files from the MPI's, forward() hands a call to the MPI as it came.
//
//   if (OpenFile* file = ours(fh)) return enter(*file, call, {offset, buffer, count, datatype}, status);
//   return forward(&Native::File_write_at, fh, offset, buffer, count, datatype, status);
//
// Every function returns an MPI error code after having called the file's error handler.
// Thread rule: as MPI_THREAD_MULTIPLE wants it.
#pragma once

#include <mpi.h>

#include <type_traits>
#include <utility>

#include "base/units.hpp"
#include "door/common/handle_table.hpp"
#include "door/common/native.hpp"
#include "door/common/open_file.hpp"
#include "door/common/session.hpp"
#include "file/access.hpp"
#include "handles.hpp"

namespace collate::door {

using file::Coordination;
using file::Positioning;
enum class Synchronism : std::uint8_t { blocking, nonblocking, split };

struct Call {
  Direction direction;
  Positioning positioning;
  Coordination coordination;
  Synchronism synchronism;
};

struct Buffer {
  MPI_Offset offset;
  const void* memory;
  MPI_Count count;
  MPI_Datatype datatype;
};

// Null for files that the MPI opened itself, and for MPI_FILE_NULL.
[[nodiscard]] inline OpenFile* ours(MPI_File file) noexcept { return open_files.find(abi::key(file)); }

// The MPI's own function. Where there is no MPI, MPI_ERR_OTHER (native() has said why).
template <class Function, class... Arguments>
auto forward(Function Native::* member, Arguments... arguments) {
  using Answer = std::invoke_result_t<Function, Arguments...>;
  const Native* mpi = native();
  if (mpi != nullptr && mpi->*member != nullptr) return (mpi->*member)(arguments...);
  if constexpr (std::is_same_v<Answer, int>) return MPI_ERR_OTHER;
  else return Answer{};
}

// Data access (access.cpp).
int enter(OpenFile& file, Call call, const Buffer& buffer, MPI_Status* status);
int enter(OpenFile& file, Call call, const Buffer& buffer, MPI_Request* request);  // nonblocking
int enter(OpenFile& file, Call call, const Buffer& buffer);                        // begin of a split one
int finish(OpenFile& file, Call call, const void* memory, MPI_Status* status);     // end of a split one

// Opening and closing (open.cpp).
int open_file(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* handle);
int close_file(MPI_File* handle);
int delete_file(const char* filename, MPI_Info info);

// Size, sync, hints, mode (manage.cpp).
int set_size(OpenFile& file, MPI_Offset size);
int preallocate(OpenFile& file, MPI_Offset size);
int get_size(OpenFile& file, MPI_Offset* size);
int sync(OpenFile& file);
int set_atomicity(OpenFile& file, int flag);
int get_atomicity(OpenFile& file, int* flag);
int set_info(OpenFile& file, MPI_Info info);
int get_info(OpenFile& file, MPI_Info* info);
int get_group(OpenFile& file, MPI_Group* group);
int get_amode(OpenFile& file, int* amode);

// Views and positions (view.cpp).
int set_view(OpenFile& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep, MPI_Info info);
int get_view(OpenFile& file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep);
int seek(OpenFile& file, MPI_Offset offset, int whence);
int get_position(OpenFile& file, MPI_Offset* offset);
int get_byte_offset(OpenFile& file, MPI_Offset offset, MPI_Offset* displacement);
int type_extent(OpenFile& file, MPI_Datatype datatype, MPI_Count& extent);

template <class Integer>  // MPI_Aint or MPI_Count
int get_type_extent(OpenFile& file, MPI_Datatype datatype, Integer* extent) {
  MPI_Count value = 0;
  const int code = type_extent(file, datatype, value);
  if (code == MPI_SUCCESS) *extent = static_cast<Integer>(value);
  return code;
}

// Not there yet (missing.cpp): MPI_ERR_UNSUPPORTED_OPERATION with a sentence.
int seek_shared(OpenFile& file, MPI_Offset offset, int whence);
int get_position_shared(OpenFile& file, MPI_Offset* offset);
int refuse_datarep(const char* datarep);
int unsupported(OpenFile& file, const char* operation);

template <class Conversion>
int register_datarep(const char* datarep, Conversion*, Conversion*, MPI_Datarep_extent_function*, void*) {
  return refuse_datarep(datarep);
}

}  // namespace collate::door
