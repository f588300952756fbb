// driver/posix/posix_file.hpp - one open file behind a descriptor; made by PosixDriver only.
//
// Guarantees, cost and thread rule: see posix_driver.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "port/file_driver.hpp"

namespace collate::driver {

// A file descriptor with an owner; shared between an open file and its mappings.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  // -1 once closed.
  [[nodiscard]] int number() const noexcept { return number_.load(std::memory_order_relaxed); }
  // Closes it; 0, or the errno. It is closed in either case.
  [[nodiscard]] int close() noexcept;

 private:
  std::atomic<int> number_;
};

class PosixFile final : public port::OpenFile {
 public:
  struct Facts {
    port::DriverTraits traits;
    std::uint64_t identity = 0;
    bool network = false;     // mappings are not coherent with other machines
    bool size_limit = false;  // RLIMIT_FSIZE was finite at open
    bool populate = false;    // fill the page tables of a mapping at once
  };
  PosixFile(std::shared_ptr<Descriptor> descriptor, const Facts& facts) : descriptor_(std::move(descriptor)), facts_(facts) {}

  const port::DriverTraits& traits() const override { return facts_.traits; }
  Result<Length> transfer(Direction direction, Offset offset, std::span<const port::Segment> segments) override;
  Result<std::unique_ptr<port::Mapping>> map(Direction direction, ByteRange range) override;
  Result<void> lock(Direction direction, ByteRange range) override;
  Result<void> unlock(ByteRange range) override;
  Result<Length> size() override;
  Result<void> resize(Length size) override;
  Result<void> preallocate(Length size) override;
  Result<void> sync() override;
  std::uint64_t identity() override { return facts_.identity; }
  Result<void> close() override;

 private:
  // Whether the file is open and may be used in this direction.
  [[nodiscard]] Result<void> may(Direction direction) const;
  [[nodiscard]] Result<void> set_lock(short kind, ByteRange range);
  [[nodiscard]] Result<void> grow_with_zeros(Length size);

  std::shared_ptr<Descriptor> descriptor_;
  Facts facts_;
  std::atomic<int> taint_{0};  // errno of the first failed sync
};

}  // namespace collate::driver
