#include "driver/posix/transfer.hpp"

#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>

namespace collate::driver {
namespace {

constexpr std::size_t largest_batch = 1024;  // IOV_MAX of Linux
static_assert(sizeof(off_t) == sizeof(Offset));

// Where the transfer stands: the next byte is `skip` bytes into segments[next].
struct Place {
  std::size_t next = 0;
  Length skip = 0;
};

void advance(Place& place, std::span<const port::Segment> segments, Length moved) {
  place.skip += moved;
  while (place.next < segments.size() && place.skip >= segments[place.next].size) {
    place.skip -= segments[place.next].size;
    ++place.next;
  }
}

// Describes what one call shall move; returns how many entries are filled, their bytes in `bytes`.
std::size_t gather(const Place& place, std::span<const port::Segment> segments, std::array<iovec, largest_batch>& batch, Length& bytes) {
  std::size_t filled = 0;
  Length skip = place.skip;
  bytes = 0;
  for (std::size_t i = place.next; i < segments.size() && filled < largest_batch && bytes < largest_call; ++i) {
    const Length size = std::min(segments[i].size - skip, largest_call - bytes);
    if (size > 0) {
      batch[filled] = {segments[i].data + skip, static_cast<std::size_t>(size)};
      bytes += size;
      ++filled;
    }
    skip = 0;
  }
  return filled;
}

ssize_t call_once(int descriptor, Direction direction, Offset offset, const iovec* batch, std::size_t filled) {
  if (filled == 1) {
    return direction == Direction::read ? ::pread(descriptor, batch->iov_base, batch->iov_len, offset)
                                        : ::pwrite(descriptor, batch->iov_base, batch->iov_len, offset);
  }
  const int entries = static_cast<int>(filled);
  return direction == Direction::read ? ::preadv(descriptor, batch, entries, offset) : ::pwritev(descriptor, batch, entries, offset);
}

Error no_progress(Offset offset) {
  Error error = refusal(ErrorClass::io, ErrorDetail::short_transfer);
  error.offset = offset;
  return error;
}

// The general case, entered with `moved` bytes already done.
Result<Length> move_rest(int descriptor, Direction direction, Offset offset, std::span<const port::Segment> segments, Length moved) {
  std::array<iovec, largest_batch> batch;  // left unset: only the filled entries are read
  Place place;
  advance(place, segments, moved);
  while (place.next < segments.size()) {
    Length bytes = 0;
    const std::size_t filled = gather(place, segments, batch, bytes);
    if (filled == 0) break;
    const ssize_t got = call_once(descriptor, direction, offset + moved, batch.data(), filled);
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_failure(errno, offset + moved);
    }
    if (got == 0) {
      if (direction == Direction::write) return no_progress(offset + moved);
      break;
    }
    moved += got;
    advance(place, segments, got);
  }
  return moved;
}

}  // namespace

Result<Length> move_bytes(int descriptor, Direction direction, Offset offset, std::span<const port::Segment> segments) {
  if (segments.size() != 1) return move_rest(descriptor, direction, offset, segments, 0);
  const port::Segment& only = segments.front();
  if (only.size <= 0) return Length{0};
  const iovec entry = {only.data, static_cast<std::size_t>(std::min(only.size, largest_call))};
  const ssize_t got = call_once(descriptor, direction, offset, &entry, 1);
  if (got == only.size) return only.size;
  if (got == 0 && direction == Direction::read) return Length{0};
  if (got < 0 && errno != EINTR) return system_failure(errno, offset);
  return move_rest(descriptor, direction, offset, segments, std::max<Length>(got, 0));
}

FileSizeSignal::FileSizeSignal(bool active) : active_(active) {
  if (!active_) return;
  sigset_t limit;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  was_blocked_ = sigismember(&before, SIGXFSZ) == 1;
  was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

FileSizeSignal::~FileSizeSignal() {
  if (!active_) return;
  const int saved = errno;
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  const timespec at_once = {0, 0};
  if (!was_pending_) {
    while (sigtimedwait(&limit, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  if (!was_blocked_) pthread_sigmask(SIG_UNBLOCK, &limit, nullptr);
  errno = saved;
}

}  // namespace collate::driver
