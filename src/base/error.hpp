// base/error.hpp - what went wrong, as a value that can travel between ranks.
//
// An Error is fixed-size and trivially copyable: the ranks of a collective call exchange it and all
// return the same one. Whoever first knows that something failed fills it in; others pass it on.
// The sentence a user reads is made once, at the door, by `describe` below.
//
// Thread rule: plain values. Source of the classes: MPI-5.0 chapter 15.7 (I/O error classes).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error_class.hpp"
#include "base/units.hpp"

namespace collate {

struct Error {
  ErrorClass code = ErrorClass::other;
  ErrorDetail detail = ErrorDetail::none;  // which sentence of tables/errors.toml explains it
  int system_error = 0;                    // errno, 0 where the system had no part in it
  int rank = -1;                           // rank (in the file's communicator) that met it, -1 unknown
  Offset offset = -1;                      // byte in the file, -1 where no byte is meant
};
static_assert(std::is_trivially_copyable_v<Error>);

// The class the standard names for a failed system call on a file.
// Example: ENOSPC -> ErrorClass::no_space, EROFS -> ErrorClass::read_only. Table: tables/errors.toml.
[[nodiscard]] ErrorClass class_of_errno(int system_error) noexcept;

// An Error from errno-style failure at byte `offset` of the file.
[[nodiscard]] Error system_failure(int system_error, Offset offset = -1) noexcept;

// An Error that the engine itself decides, explained by a sentence of the table.
[[nodiscard]] Error refusal(ErrorClass code, ErrorDetail detail) noexcept;

// One sentence for a user: "writing out.dat failed on rank 3 at byte 1048576: No space left on device".
// `operation` is a verb phrase ("writing"), `file` the name given at open.
[[nodiscard]] std::string describe(const Error& error, std::string_view operation, std::string_view file);

}  // namespace collate
