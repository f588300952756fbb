// door/common/errors.hpp - an engine Error as a program meets it: a code, a sentence, a call of the handler.
//
// A code's class is the standard's for the error, its string the whole sentence of collate::describe, so that
// MPI_Error_string tells which file, where and why. Codes are made once per (class, sentence); after 256
// different ones the plain class is returned. A file's handler is called through its companion, that of
// MPI_FILE_NULL where there is no file.
//
// Thread rule: any thread. Source: MPI-5.0 sections 9.3-9.5 and 15.7.
#pragma once

#include <string>

#include "base/error.hpp"

namespace collate::door {

struct OpenFile;

// Calls the handler of `file` and returns the code. `operation` is a verb phrase: "writing".
[[nodiscard]] int fail(OpenFile& file, const Error& error, const char* operation);
// The same for what has no open file: the handler of MPI_FILE_NULL. `path` is the file's name as given.
[[nodiscard]] int fail_without_file(const Error& error, const char* operation, const char* path);
// For error classes that the engine does not know (MPI_ERR_COMM).
[[nodiscard]] int fail_with_class(int error_class, const std::string& sentence);

}  // namespace collate::door
