// Opening and closing: a communicator of our own, a companion for the handle, the engine's File behind it.
//
// Whatever this rank alone finds wrong travels with the engine's open, so that all ranks return the same error.
// Only a communicator that cannot be used at all is refused before.
#include <memory>
#include <new>

#include "door/common/comm.hpp"
#include "door/common/companion.hpp"
#include "door/common/entry.hpp"
#include "door/common/errors.hpp"
#include "door/common/info.hpp"

namespace collate::door {

namespace {

struct ModeBit {
  int bit;
  bool file::AccessMode::* member;
};

constexpr ModeBit mode_bits[] = {
    {MPI_MODE_RDONLY, &file::AccessMode::read_only},
    {MPI_MODE_WRONLY, &file::AccessMode::write_only},
    {MPI_MODE_RDWR, &file::AccessMode::read_write},
    {MPI_MODE_CREATE, &file::AccessMode::create},
    {MPI_MODE_EXCL, &file::AccessMode::exclusive},
    {MPI_MODE_DELETE_ON_CLOSE, &file::AccessMode::delete_on_close},
    {MPI_MODE_UNIQUE_OPEN, &file::AccessMode::unique_open},
    {MPI_MODE_SEQUENTIAL, &file::AccessMode::sequential},
    {MPI_MODE_APPEND, &file::AccessMode::append},
};

Result<file::AccessMode> mode_of(int amode) {
  file::AccessMode mode;
  for (const ModeBit& each : mode_bits) {
    mode.*each.member = (amode & each.bit) != 0;
    amode &= ~each.bit;
  }
  if (amode != 0) return refusal(ErrorClass::amode, ErrorDetail::amode_contradicts_itself);
  return mode;
}

int refuse_comm(const char* why) { return fail_with_class(MPI_ERR_COMM, std::string("opening a file failed: ") + why); }

bool is_intercommunicator(MPI_Comm comm) {
  int inter = 0;
  return native()->Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0;
}

std::unique_ptr<OpenFile> describe_open(const char* filename, int amode, MPI_Comm comm) {
  auto file = std::make_unique<OpenFile>();
  file->path = filename == nullptr ? "" : filename;
  file->amode = amode;
  file->comm = comm;
  file->threaded = has_threads();
  file->etype.handle = abi::byte();
  file->filetype.handle = abi::byte();
  return file;
}

void free_view_type(ViewType& type) {
  if (type.duplicate) native()->Type_free(&type.handle);
  type.duplicate = false;
}

// What open does between the communicator and the handle; collective.
Result<void> open_engine(OpenFile& file, std::unique_ptr<MpiComm> comm, MPI_Info info) {
  file::OpenArguments arguments;
  const auto mode = mode_of(file.amode);
  if (mode) arguments.mode = *mode;
  else arguments.refused = mode.error();
  if (file.path.empty()) arguments.refused = refusal(ErrorClass::bad_file, ErrorDetail::none);
  const auto companion = take_companion();
  file.handle = companion ? *companion : abi::file_null();
  if (!companion) arguments.refused = companion.error();
  arguments.path = file.path;
  arguments.info = entries_of(info);
  arguments.comm = std::move(comm);
  auto opened = run(file::File::open(session(), std::move(arguments)));
  if (opened) {
    file.engine = std::move(*opened);
    return {};
  }
  if (companion) give_back_companion(*companion);
  return opened.error();
}

}  // namespace

int open_file(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* handle) {
  if (handle != nullptr) *handle = abi::file_null();
  if (comm == abi::comm_null()) return refuse_comm("the communicator is MPI_COMM_NULL");
  if (is_intercommunicator(comm)) return refuse_comm("the communicator is not an intracommunicator");
  auto own = MpiComm::over(comm);
  if (!own) return fail_without_file(own.error(), "opening", filename == nullptr ? "" : filename);
  auto file = describe_open(filename, amode, (*own)->handle());
  const auto opened = open_engine(*file, std::move(*own), info);
  if (!opened) return fail_without_file(opened.error(), "opening", file->path.c_str());
  open_files.insert(abi::key(file->handle), file.get());
  if (handle != nullptr) *handle = file->handle;
  [[maybe_unused]] OpenFile* owned = file.release();  // by the table, until close_file
  return MPI_SUCCESS;
}

int close_file(MPI_File* handle) {
  OpenFile* found = handle == nullptr ? nullptr : ours(*handle);
  if (found == nullptr) return forward(&Native::File_close, handle);
  const std::unique_ptr<OpenFile> file(found);
  const auto closed = run(file->engine->close());
  open_files.remove(abi::key(file->handle));
  *handle = abi::file_null();
  const int code = closed ? MPI_SUCCESS : fail(*file, closed.error(), "closing");
  free_view_type(file->etype);
  free_view_type(file->filetype);
  file->engine.reset();
  give_back_companion(file->handle);
  return code;
}

int delete_file(const char* filename, MPI_Info) {
  if (filename == nullptr || *filename == '\0') {
    return fail_without_file(refusal(ErrorClass::bad_file, ErrorDetail::none), "deleting", "");
  }
  const auto removed = file::remove(session(), filename);
  return removed ? MPI_SUCCESS : fail_without_file(removed.error(), "deleting", filename);
}

}  // namespace collate::door
