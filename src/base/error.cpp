// base/error.cpp - see error.hpp. The facts are in tables/errors.toml; here they become a sentence.
#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error_tables.hpp"

namespace collate {
namespace {

constexpr std::size_t longest_name = 160;  // so that the reason still fits into MPI_MAX_ERROR_STRING

// strerror_r returns the text (glibc) or writes it to the buffer (POSIX); overloads take whichever it is.
[[maybe_unused]] const char* text_of(const char* text, const char*) noexcept { return text; }
[[maybe_unused]] const char* text_of(int failed, const char* buffer) noexcept { return failed == 0 ? buffer : "unknown error"; }

std::string system_text(int system_error) {
  std::array<char, 256> buffer{};
  return text_of(strerror_r(system_error, buffer.data(), buffer.size()), buffer.data());
}

// Whether a terminal could take the byte for a command; `previous` tells the C1 controls of UTF-8 (C2 80 .. C2 9F).
constexpr bool control(unsigned char byte, unsigned char previous) noexcept {
  return byte < 0x20 || byte == 0x7f || (previous == 0xc2 && byte >= 0x80 && byte < 0xa0);
}

// The end of a long name tells more than its beginning; a cut never splits a UTF-8 character.
std::string_view shortened(std::string_view name) noexcept {
  if (name.size() <= longest_name) return name;
  name.remove_prefix(name.size() - longest_name);
  while (!name.empty() && (static_cast<unsigned char>(name.front()) & 0xc0U) == 0x80U) name.remove_prefix(1);
  return name;
}

std::string printable_name(std::string_view file) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::string_view name = shortened(file);
  std::string result = name.size() < file.size() ? "..." : "";
  unsigned char previous = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (control(byte, previous)) {
      result += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    } else {
      result += c;
    }
    previous = byte;
  }
  return result;
}

// Codes travel between ranks as bytes, so an unknown one must not index past the table.
template <class Rows>
std::size_t row_of(std::size_t code, const Rows& rows) noexcept {
  return code < rows.size() ? code : 0;
}

std::string reason(const Error& error) {
  const auto details = error_details();
  std::string text(details[row_of(static_cast<std::size_t>(error.detail), details)]);
  if (error.system_error != 0) return text.empty() ? system_text(error.system_error) : text + " (" + system_text(error.system_error) + ")";
  if (!text.empty()) return text;
  const auto classes = error_classes();
  return std::string(classes[row_of(static_cast<std::size_t>(error.code), classes)].line);
}

}  // namespace

ErrorClass class_of_errno(int system_error) noexcept {
  const auto rows = errno_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ErrnoRow& row) { return row.system_error == system_error; });
  return found == rows.end() ? ErrorClass::io : found->code;
}

Error system_failure(int system_error, Offset offset) noexcept {
  Error error;
  error.code = class_of_errno(system_error);
  error.system_error = system_error;
  error.offset = offset;
  return error;
}

Error refusal(ErrorClass code, ErrorDetail detail) noexcept {
  Error error;
  error.code = code;
  error.detail = detail;
  return error;
}

std::string describe(const Error& error, std::string_view operation, std::string_view file) {
  std::string text(operation);
  if (!file.empty()) text += (text.empty() ? "" : " ") + printable_name(file);
  text += " failed";
  if (error.rank >= 0) text += " on rank " + std::to_string(error.rank);
  if (error.offset >= 0) text += " at byte " + std::to_string(error.offset);
  return text + ": " + reason(error);
}

}  // namespace collate
