// base/error_tables.hpp - the rows of tables/errors.toml.
//
// error_classes() is in the order of ErrorClass, error_details() in the order of ErrorDetail; an errno that
// errno_rows() does not name is ErrorClass::io.
//
//   error_classes()[std::size_t(ErrorClass::no_space)].mpi_name == "MPI_ERR_NO_SPACE"
//
// Cost: constant data. Thread rule: constant.
#pragma once

#include <span>
#include <string_view>

#include "base/error_class.hpp"

namespace collate {

struct ErrorClassRow {
  std::string_view mpi_name;
  std::string_view line;  // in words, without a full stop
};

struct ErrnoRow {
  int system_error = 0;
  ErrorClass code = ErrorClass::io;
};

[[nodiscard]] std::span<const ErrorClassRow> error_classes() noexcept;
[[nodiscard]] std::span<const std::string_view> error_details() noexcept;  // "" for ErrorDetail::none
[[nodiscard]] std::span<const ErrnoRow> errno_rows() noexcept;

}  // namespace collate
