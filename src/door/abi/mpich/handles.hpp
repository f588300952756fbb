// door/abi/mpich/handles.hpp - what the MPICH family writes as constants and Open MPI as addresses.
//
// Both ABI folders offer the same functions under the same names; code in door/common includes "handles.hpp"
// and never a handle macro of mpi.h. Here all of them are compile-time constants.
// Thread rule: pure functions; bind() is called once, under the lock of common/native.cpp.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace collate::door::abi {

inline constexpr const char* family = "MPICH";
inline constexpr const char* library_name = "libcollate-mpich.so";

// Whether the loaded library is of this family; `library` is a dlopen handle.
[[nodiscard]] bool belongs(void* library);
// Finds the predefined handles; false when one is missing.
[[nodiscard]] bool bind(void* library);
// MPICH lets a new file have the handler of MPI_FILE_NULL without counting it, and discounts it when the file
// gets another handler or is closed: after some opens the handler is freed under the program.
inline constexpr bool open_forgets_to_count_handler = true;
// Has the handler of MPI_FILE_NULL called with that handle. Returns whether it could.
[[nodiscard]] bool raise_on_file_null(int code);

inline MPI_Comm comm_self() { return MPI_COMM_SELF; }
inline MPI_Comm comm_null() { return MPI_COMM_NULL; }
inline MPI_Datatype byte() { return MPI_BYTE; }
inline MPI_Datatype datatype_null() { return MPI_DATATYPE_NULL; }
inline MPI_Info info_null() { return MPI_INFO_NULL; }
inline MPI_File file_null() { return MPI_FILE_NULL; }
inline MPI_Request request_null() { return MPI_REQUEST_NULL; }
inline MPI_Errhandler errors_return() { return MPI_ERRORS_RETURN; }
inline MPI_Errhandler errors_are_fatal() { return MPI_ERRORS_ARE_FATAL; }
inline MPI_Errhandler errors_abort() { return MPI_ERRORS_ABORT; }

// A handle as a number that is 0 for no file at all.
inline std::uintptr_t key(MPI_File file) { return reinterpret_cast<std::uintptr_t>(file); }
inline std::uintptr_t key(MPI_Datatype type) { return static_cast<std::uintptr_t>(static_cast<unsigned>(type)); }

// Combiners that only some headers name.
inline constexpr int combiner_hvector_integer = MPI_COMBINER_HVECTOR_INTEGER;
inline constexpr int combiner_hindexed_integer = MPI_COMBINER_HINDEXED_INTEGER;
inline constexpr int combiner_struct_integer = MPI_COMBINER_STRUCT_INTEGER;
inline constexpr int combiner_value_index = MPI_COMBINER_VALUE_INDEX;

}  // namespace collate::door::abi
