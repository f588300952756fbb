// Makes error codes with MPI_Add_error_code, remembers them, and has handlers called.
#include "door/common/errors.hpp"

#include <mpi.h>

#include <map>
#include <mutex>
#include <utility>

#include "door/common/native.hpp"
#include "door/common/open_file.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

constexpr std::size_t most_codes = 256;

int class_number(ErrorClass code) {
  switch (code) {
    case ErrorClass::other: return MPI_ERR_OTHER;
    case ErrorClass::access: return MPI_ERR_ACCESS;
    case ErrorClass::amode: return MPI_ERR_AMODE;
    case ErrorClass::argument: return MPI_ERR_ARG;
    case ErrorClass::bad_file: return MPI_ERR_BAD_FILE;
    case ErrorClass::conversion: return MPI_ERR_CONVERSION;
    case ErrorClass::count: return MPI_ERR_COUNT;
    case ErrorClass::datarep_exists: return MPI_ERR_DUP_DATAREP;
    case ErrorClass::file: return MPI_ERR_FILE;
    case ErrorClass::file_exists: return MPI_ERR_FILE_EXISTS;
    case ErrorClass::file_in_use: return MPI_ERR_FILE_IN_USE;
    case ErrorClass::internal: return MPI_ERR_INTERN;
    case ErrorClass::io: return MPI_ERR_IO;
    case ErrorClass::no_memory: return MPI_ERR_NO_MEM;
    case ErrorClass::no_space: return MPI_ERR_NO_SPACE;
    case ErrorClass::no_such_file: return MPI_ERR_NO_SUCH_FILE;
    case ErrorClass::not_same: return MPI_ERR_NOT_SAME;
    case ErrorClass::quota: return MPI_ERR_QUOTA;
    case ErrorClass::read_only: return MPI_ERR_READ_ONLY;
    case ErrorClass::type: return MPI_ERR_TYPE;
    case ErrorClass::unsupported_datarep: return MPI_ERR_UNSUPPORTED_DATAREP;
    case ErrorClass::unsupported_operation: return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  return MPI_ERR_OTHER;
}

struct Codes {
  std::mutex changing;
  std::map<std::pair<int, std::string>, int> known;
};

Codes& codes() {
  static Codes* const only = new Codes;
  return *only;
}

int code_of(const Native& mpi, int error_class, std::string sentence) {
  if (sentence.size() >= MPI_MAX_ERROR_STRING) sentence.resize(MPI_MAX_ERROR_STRING - 1);
  const std::lock_guard guard(codes().changing);
  const auto [place, fresh] = codes().known.try_emplace({error_class, sentence}, error_class);
  if (!fresh) return place->second;
  int code = MPI_SUCCESS;
  if (codes().known.size() > most_codes || mpi.Add_error_code(error_class, &code) != MPI_SUCCESS) {
    codes().known.erase(place);
    return error_class;
  }
  mpi.Add_error_string(code, sentence.c_str());
  place->second = code;
  return code;
}

// After MPI_Finalize there are no codes and no handlers left.
bool mpi_is_alive(const Native& mpi) {
  int initialized = 0;
  int finalized = 0;
  mpi.Initialized(&initialized);
  mpi.Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

int raise_without_file(int error_class, const std::string& sentence) {
  const Native* mpi = native();
  if (mpi == nullptr || !mpi_is_alive(*mpi)) return error_class;
  const int code = code_of(*mpi, error_class, sentence);
  // Where the handler cannot be called the code must do.
  [[maybe_unused]] const bool called = abi::raise_on_file_null(code);
  return code;
}

}  // namespace

int fail(OpenFile& file, const Error& error, const char* operation) {
  const Native* mpi = native();
  const int error_class = class_number(error.code);
  if (mpi == nullptr || !mpi_is_alive(*mpi)) return error_class;
  const int code = code_of(*mpi, error_class, describe(error, operation, file.path));
  mpi->File_call_errhandler(file.handle, code);
  return code;
}

int fail_without_file(const Error& error, const char* operation, const char* path) {
  return raise_without_file(class_number(error.code), describe(error, operation, path));
}

int fail_with_class(int error_class, const std::string& sentence) { return raise_without_file(error_class, sentence); }

}  // namespace collate::door
