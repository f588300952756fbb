#include "driver/posix/posix_mapping.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "driver/posix/backing.hpp"
#include "driver/posix/bus_guard.hpp"

namespace collate::driver {
namespace {

class PosixMapping final : public port::Mapping {
 public:
  // `pages` starts at the file's byte `pages_begin`, a page boundary at or below range.begin.
  PosixMapping(std::shared_ptr<Descriptor> descriptor, std::span<std::byte> pages, Offset pages_begin, ByteRange range)
      : descriptor_(std::move(descriptor)), pages_(pages), pages_begin_(pages_begin), range_(range) {}
  ~PosixMapping() override { munmap(pages_.data(), pages_.size()); }
  PosixMapping(const PosixMapping&) = delete;
  PosixMapping& operator=(const PosixMapping&) = delete;

  std::span<std::byte> memory() override {
    return pages_.subspan(static_cast<std::size_t>(range_.begin - pages_begin_), static_cast<std::size_t>(range_.size()));
  }

  Result<void> guarded(void (*work)(void*), void* argument) override {
    const std::byte* const fault = run_guarded(pages_, work, argument);
    if (fault == nullptr) return {};
    return not_backed(pages_begin_ + (fault - pages_.data()));
  }

 private:
  // Why the page at `offset` has no backing: the file ends before it, or the disk is full, or the disk failed.
  [[nodiscard]] Error not_backed(Offset offset) const {
    struct stat status = {};
    struct statvfs space = {};
    const int number = descriptor_->number();
    const bool cut_short = fstat(number, &status) == 0 && status.st_size <= offset;
    const bool full = !cut_short && fstatvfs(number, &space) == 0 && space.f_bavail == 0;
    Error error = refusal(full ? ErrorClass::no_space : ErrorClass::io, ErrorDetail::page_not_backed);
    error.offset = offset;
    return error;
  }

  std::shared_ptr<Descriptor> descriptor_;
  std::span<std::byte> pages_;
  Offset pages_begin_;
  ByteRange range_;
};

Error cannot(int number, Offset offset) {
  if (number != EOPNOTSUPP && number != ENOSYS && number != ENODEV) return system_failure(number, offset);
  Error error = refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot);
  error.system_error = number;
  error.offset = offset;
  return error;
}

}  // namespace

Result<std::unique_ptr<port::Mapping>> map_pages(const std::shared_ptr<Descriptor>& descriptor, Direction direction, ByteRange range) {
  static const Length page = sysconf(_SC_PAGESIZE);
  const Offset begin = align_down(range.begin, page);
  const Offset last = align_down(range.end - 1, page);
  const Length bytes = last - begin + page;
  int protection = PROT_READ;
  if (direction == Direction::write) {
    protection |= PROT_WRITE;
    const int problem = back_range(descriptor->number(), {begin, begin + bytes}, Growth::keep_size);
    if (problem != 0) return cannot(problem, range.begin);
  }
  void* const at = mmap(nullptr, static_cast<std::size_t>(bytes), protection, MAP_SHARED, descriptor->number(), begin);
  if (at == MAP_FAILED) return cannot(errno, range.begin);
  const std::span<std::byte> pages(static_cast<std::byte*>(at), static_cast<std::size_t>(bytes));
  return std::unique_ptr<port::Mapping>(std::make_unique<PosixMapping>(descriptor, pages, begin, range));
}

}  // namespace collate::driver
