// door/abi/openmpi/handles.hpp - what Open MPI writes as addresses of objects in its library.
//
// Both ABI folders offer the same functions under the same names; code in door/common includes "handles.hpp"
// and never a handle macro of mpi.h: those would need the library at load time, when it may not be there yet.
// Thread rule: bind() is called once, under the lock of common/native.cpp; the others read what it left.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace collate::door::abi {

inline constexpr const char* family = "Open MPI";
inline constexpr const char* library_name = "libcollate-openmpi.so";

// Whether the loaded library is of this family; `library` is a dlopen handle.
[[nodiscard]] bool belongs(void* library);
// Finds the predefined handles; false when one is missing.
[[nodiscard]] bool bind(void* library);
// See the same name in door/abi/mpich.
inline constexpr bool open_forgets_to_count_handler = false;
// Has the handler of MPI_FILE_NULL called with that handle. Returns whether it could.
[[nodiscard]] bool raise_on_file_null(int code);

struct Handles {
  MPI_Comm comm_self = nullptr;
  MPI_Comm comm_null = nullptr;
  MPI_Datatype byte = nullptr;
  MPI_Datatype datatype_null = nullptr;
  MPI_Info info_null = nullptr;
  MPI_File file_null = nullptr;
  MPI_Request request_null = nullptr;
  MPI_Errhandler errors_return = nullptr;
  MPI_Errhandler errors_are_fatal = nullptr;
  MPI_Errhandler errors_abort = nullptr;
};
extern constinit Handles handles;

inline MPI_Comm comm_self() { return handles.comm_self; }
inline MPI_Comm comm_null() { return handles.comm_null; }
inline MPI_Datatype byte() { return handles.byte; }
inline MPI_Datatype datatype_null() { return handles.datatype_null; }
inline MPI_Info info_null() { return handles.info_null; }
inline MPI_File file_null() { return handles.file_null; }
inline MPI_Request request_null() { return handles.request_null; }
inline MPI_Errhandler errors_return() { return handles.errors_return; }
inline MPI_Errhandler errors_are_fatal() { return handles.errors_are_fatal; }
inline MPI_Errhandler errors_abort() { return handles.errors_abort; }

// A handle as a number that is 0 for no file at all.
inline std::uintptr_t key(MPI_File file) { return reinterpret_cast<std::uintptr_t>(file); }
inline std::uintptr_t key(MPI_Datatype type) { return reinterpret_cast<std::uintptr_t>(type); }

// Combiners that only some headers name: mpi.h keeps the places of the removed ones.
inline constexpr int combiner_hvector_integer = MPI_COMBINER_VECTOR + 1;
inline constexpr int combiner_hindexed_integer = MPI_COMBINER_INDEXED + 1;
inline constexpr int combiner_struct_integer = MPI_COMBINER_INDEXED_BLOCK + 1;
inline constexpr int combiner_value_index = -1;
static_assert(MPI_COMBINER_HVECTOR == combiner_hvector_integer + 1);
static_assert(MPI_COMBINER_HINDEXED == combiner_hindexed_integer + 1);
static_assert(MPI_COMBINER_STRUCT == combiner_struct_integer + 1);

}  // namespace collate::door::abi
