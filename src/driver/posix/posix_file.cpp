#include "driver/posix/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "driver/posix/backing.hpp"
#include "driver/posix/posix_mapping.hpp"
#include "driver/posix/transfer.hpp"

namespace collate::driver {
namespace {

constexpr Length zero_chunk = 1 << 20;

Error closed() { return refusal(ErrorClass::file, ErrorDetail::file_is_closed); }
Error negative() { return refusal(ErrorClass::argument, ErrorDetail::negative_argument); }

bool cannot_lock(int number) {
  return number == ENOLCK || number == ENOSYS || number == EINVAL || number == EOPNOTSUPP;
}

// The bytes described, or nothing when a size is negative or the end lies beyond the largest offset.
std::optional<Offset> end_of(Offset offset, std::span<const port::Segment> segments) {
  std::optional<Offset> end = offset;
  for (const port::Segment& segment : segments) {
    if (segment.size < 0) return std::nullopt;
    end = checked_add(*end, segment.size);
    if (!end) return std::nullopt;
  }
  return end;
}

}  // namespace

Descriptor::~Descriptor() { static_cast<void>(close()); }

int Descriptor::close() noexcept {
  const int number = number_.exchange(-1);
  if (number < 0) return 0;
  // Linux has closed it even when the answer is EINTR.
  return ::close(number) == 0 || errno == EINTR ? 0 : errno;
}

Result<void> PosixFile::may(Direction direction) const {
  if (descriptor_->number() < 0) return closed();
  if (direction == Direction::read && !facts_.traits.readable) {
    return refusal(ErrorClass::access, ErrorDetail::nothing_read_in_write_only);
  }
  if (direction == Direction::write && !facts_.traits.writable) {
    return refusal(ErrorClass::read_only, ErrorDetail::nothing_written_in_read_only);
  }
  return {};
}

Result<Length> PosixFile::transfer(Direction direction, Offset offset, std::span<const port::Segment> segments) {
  if (const Result<void> allowed = may(direction); !allowed) return allowed.error();
  if (offset < 0) return negative();
  if (!end_of(offset, segments)) return refusal(ErrorClass::argument, ErrorDetail::position_overflow);
  const FileSizeSignal limit(facts_.size_limit && direction == Direction::write);
  return move_bytes(descriptor_->number(), direction, offset, segments);
}

Result<std::unique_ptr<port::Mapping>> PosixFile::map(Direction direction, ByteRange range) {
  if (const Result<void> allowed = may(direction); !allowed) return allowed.error();
  if (range.begin < 0 || range.empty()) return negative();
  const bool offered = direction == Direction::write ? facts_.traits.mapped_stores : facts_.traits.mapped_loads;
  const Result<Length> end = size();
  if (!end) return end.error();
  const bool addressable = checked_add(range.end, largest_call).has_value();  // room to round the mapping up
  if (!offered || !addressable || range.end > *end) return refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot);
  return map_pages(descriptor_, direction, range, facts_.populate);
}

Result<void> PosixFile::lock(Direction direction, ByteRange range) {
  // A descriptor without read access cannot take a shared lock; an exclusive one also keeps writers away.
  const bool shared = direction == Direction::read && facts_.traits.readable;
  return set_lock(shared ? F_RDLCK : F_WRLCK, range);
}

Result<void> PosixFile::unlock(ByteRange range) { return set_lock(F_UNLCK, range); }

Result<void> PosixFile::set_lock(short kind, ByteRange range) {
  if (descriptor_->number() < 0) return closed();
  if (range.begin < 0) return negative();
  if (range.empty()) return {};  // a length of 0 would mean: to the end of the file
  struct flock wanted = {};
  wanted.l_type = kind;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = range.begin;
  wanted.l_len = range.size();
  while (fcntl(descriptor_->number(), F_OFD_SETLKW, &wanted) != 0) {
    if (errno == EINTR) continue;
    Error error = system_failure(errno, range.begin);
    if (cannot_lock(error.system_error)) {
      error.code = ErrorClass::unsupported_operation;
      error.detail = ErrorDetail::file_system_cannot;
    }
    return error;
  }
  return {};
}

Result<Length> PosixFile::size() {
  if (descriptor_->number() < 0) return closed();
  struct stat status = {};
  if (fstat(descriptor_->number(), &status) != 0) return system_failure(errno);
  return static_cast<Length>(status.st_size);
}

Result<void> PosixFile::resize(Length size) {
  if (const Result<void> allowed = may(Direction::write); !allowed) return allowed;
  if (size < 0) return negative();
  const FileSizeSignal limit(facts_.size_limit);
  while (ftruncate(descriptor_->number(), size) != 0) {
    if (errno != EINTR) return system_failure(errno, size);
  }
  return {};
}

Result<void> PosixFile::preallocate(Length size) {
  if (const Result<void> allowed = may(Direction::write); !allowed) return allowed;
  if (size < 0) return negative();
  if (size == 0) return {};
  const FileSizeSignal limit(facts_.size_limit);
  const int problem = back_range(descriptor_->number(), {0, size}, Growth::grow);
  if (problem == 0) return {};
  if (problem == EOPNOTSUPP || problem == ENOSYS) return grow_with_zeros(size);
  return system_failure(problem, size);
}

// Where room cannot be asked for: bytes beyond the end are written as zeros, bytes below it are left alone (a
// hole there stays one). No other rank may write beyond the end meanwhile; the call is collective and only one
// rank performs it.
Result<void> PosixFile::grow_with_zeros(Length size) {
  const Result<Length> end = this->size();
  if (!end) return end.error();
  if (*end >= size) return {};
  std::vector<std::byte> zeros(static_cast<std::size_t>(std::min(zero_chunk, size - *end)));
  for (Offset at = *end; at < size;) {
    const port::Segment chunk = {zeros.data(), std::min(static_cast<Length>(zeros.size()), size - at)};
    const Result<Length> moved = move_bytes(descriptor_->number(), Direction::write, at, {&chunk, 1});
    if (!moved) return moved.error();
    at += *moved;
  }
  return {};
}

Result<void> PosixFile::sync() {
  if (descriptor_->number() < 0) return closed();
  if (const int before = taint_.load(); before != 0) return system_failure(before);
  while (fsync(descriptor_->number()) != 0) {
    const int problem = errno;
    if (problem == EINTR) continue;
    if (problem == EINVAL) return {};  // a device that keeps nothing back has nothing to sync
    int untainted = 0;
    taint_.compare_exchange_strong(untainted, problem);
    return system_failure(taint_.load());
  }
  return {};
}

Result<void> PosixFile::close() {
  if (descriptor_->number() < 0) return closed();
  const int problem = descriptor_->close();
  if (const int before = taint_.load(); before != 0) return system_failure(before);
  if (problem != 0) return system_failure(problem);
  return {};
}

}  // namespace collate::driver
