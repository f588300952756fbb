#include "driver/posix/posix_mapping.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "driver/posix/backing.hpp"
#include "driver/posix/bus_guard.hpp"

namespace collate::driver {
namespace {

constexpr Length huge_page = 2 << 20;

class PosixMapping final : public port::Mapping {
 public:
  // `pages` starts at the file's byte `pages_begin`, at or below range.begin.
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

// The smallest stretch of whole huge pages around the range: file bytes [begin, end).
ByteRange huge_pages_around(ByteRange range) {
  return {align_down(range.begin, huge_page), align_down(range.end - 1, huge_page) + huge_page};
}

// mmap at an address that lies in its huge page as the file's bytes do. MAP_FAILED with errno on failure.
void* map_aligned(int descriptor, int protection, ByteRange wide) {
  const auto bytes = static_cast<std::size_t>(wide.size());
  const auto unit = static_cast<std::size_t>(huge_page);
  void* const room = mmap(nullptr, bytes + unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return MAP_FAILED;
  auto* const begin = static_cast<std::byte*>(room);
  const std::size_t before = (unit - reinterpret_cast<std::uintptr_t>(room) % unit) % unit;
  void* const at = mmap(begin + before, bytes, protection, MAP_SHARED | MAP_FIXED, descriptor, wide.begin);
  const int problem = errno;
  if (at == MAP_FAILED) {
    munmap(room, bytes + unit);
    errno = problem;
    return MAP_FAILED;
  }
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, unit - before);
  return at;
}

}  // namespace

Result<std::unique_ptr<port::Mapping>> map_pages(const std::shared_ptr<Descriptor>& descriptor, Direction direction, ByteRange range, bool populate) {
  static const Length page = sysconf(_SC_PAGESIZE);
  int protection = PROT_READ;
  if (direction == Direction::write) {
    protection |= PROT_WRITE;
    const ByteRange stored = {align_down(range.begin, page), align_down(range.end - 1, page) + page};
    const int problem = back_range(descriptor->number(), stored, Growth::keep_size);
    if (problem != 0) return cannot(problem, range.begin);
  }
  const ByteRange wide = huge_pages_around(range);
  void* const at = map_aligned(descriptor->number(), protection, wide);
  if (at == MAP_FAILED) return cannot(errno, range.begin);
  if (populate) {
    const Offset first = align_down(range.begin, page);
    const Length bytes = align_down(range.end - 1, page) + page - first;
    // Best effort: what it cannot do, the page faults do.
    (void)madvise(static_cast<std::byte*>(at) + (first - wide.begin), static_cast<std::size_t>(bytes),
                  direction == Direction::write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  }
  const std::span<std::byte> pages(static_cast<std::byte*>(at), static_cast<std::size_t>(wide.size()));
  return std::unique_ptr<port::Mapping>(std::make_unique<PosixMapping>(descriptor, pages, wide.begin, range));
}

}  // namespace collate::driver
