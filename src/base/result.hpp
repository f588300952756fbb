// base/result.hpp - a value or an Error; errors are values here, no exception leaves a room.
//
//   Result<Length> moved = file.transfer(...);
//   if (!moved) return moved.error();
//   total += *moved;
//
// Thread rule: plain values.
#pragma once

#include <utility>
#include <variant>

#include "base/error.hpp"

namespace collate {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, error) {}

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] T& operator*() noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& operator*() const noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&state_); }
  [[nodiscard]] const T* operator->() const noexcept { return std::get_if<0>(&state_); }
  [[nodiscard]] const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(error), failed_(true) {}

  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_{};
  bool failed_ = false;
};

}  // namespace collate
