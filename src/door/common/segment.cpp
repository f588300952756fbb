// Shared segments over files in /dev/shm; see the header.
#include "door/common/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace collate::door {

namespace {

constexpr const char* name_start = "/dev/shm/collate-";

class MappedSegment final : public port::SharedSegment {
 public:
  MappedSegment(void* start, Length bytes) : start_(static_cast<std::byte*>(start)), bytes_(static_cast<std::size_t>(bytes)) {}
  MappedSegment(const MappedSegment&) = delete;
  MappedSegment& operator=(const MappedSegment&) = delete;
  ~MappedSegment() override { munmap(start_, bytes_); }
  [[nodiscard]] std::span<std::byte> memory() override { return {start_, bytes_}; }

 private:
  std::byte* start_;
  std::size_t bytes_;
};

Error shared_memory_failure(int system_error) {
  Error error = refusal(system_error == ENOSPC ? ErrorClass::no_space : ErrorClass::no_memory, ErrorDetail::no_shared_memory);
  error.system_error = system_error;
  return error;
}

// Maps and closes the descriptor.
Result<std::unique_ptr<port::SharedSegment>> map_and_close(int descriptor, Length bytes) {
  void* start = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int failed = errno;
  close(descriptor);
  if (start == MAP_FAILED) return shared_memory_failure(failed);
  return std::unique_ptr<port::SharedSegment>(std::make_unique<MappedSegment>(start, bytes));
}

bool random_name(port::SegmentToken& token) {
  unsigned long long words[2] = {};
  if (getrandom(words, sizeof(words), 0) != sizeof(words)) return false;
  std::snprintf(token.text.data(), token.text.size(), "%s%016llx%016llx", name_start, words[0], words[1]);
  return true;
}

int create_file(port::SegmentToken& token) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (!random_name(token)) return -1;
    const int descriptor = open(token.text.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

Result<std::unique_ptr<port::SharedSegment>> create_segment(Length bytes, port::SegmentToken& token) {
  const int descriptor = create_file(token);
  if (descriptor < 0) return shared_memory_failure(errno);
  int failed = EINTR;
  while (failed == EINTR) failed = posix_fallocate(descriptor, 0, bytes);
  if (failed != 0) {
    close(descriptor);
    unlink_segment(token);
    return shared_memory_failure(failed);
  }
  auto segment = map_and_close(descriptor, bytes);
  if (!segment) unlink_segment(token);
  return segment;
}

Result<std::unique_ptr<port::SharedSegment>> attach_segment(Length bytes, const port::SegmentToken& token) {
  const int descriptor = open(token.text.data(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return shared_memory_failure(errno);
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || found.st_size < bytes) {
    close(descriptor);
    return shared_memory_failure(EINVAL);
  }
  return map_and_close(descriptor, bytes);
}

void unlink_segment(const port::SegmentToken& token) { unlink(token.text.data()); }

}  // namespace collate::door
