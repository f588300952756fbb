// base/staging.hpp - staging memory that is kept for the life of a file and grows to what is asked.
//
// Thread rule: one user at a time. Cost: allocation only when a larger size than ever before is asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "base/units.hpp"

namespace collate {

class Staging {
 public:
  // At least `size` bytes, contents undefined; null when there is no memory. Valid until the next call.
  [[nodiscard]] std::byte* reserve(Length size) {
    if (size <= size_) return memory_.get();
    memory_.reset();
    memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(size)]);
    size_ = memory_ ? size : 0;
    return memory_.get();
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Length size_ = 0;
};

}  // namespace collate
