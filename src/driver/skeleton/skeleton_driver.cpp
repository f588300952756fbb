#include "driver/skeleton/skeleton_driver.hpp"

namespace collate::driver {
namespace {

Error not_offered() { return refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot); }

class SkeletonFile final : public port::OpenFile {
 public:
  // Fixed at open. `mapped_stores` and `range_locks` are promises: leave them false until a test proves them.
  // `sieve_hole` is latency x bandwidth of one request; `block_size` what two writers must not share.
  const port::DriverTraits& traits() const override { return traits_; }

  // Must move everything, or everything up to the end of the file for a read, or return an Error with the errno
  // and the first byte that did not move. Retry EINTR, go on after short transfers, split what one call cannot
  // take. One segment is the common case: no allocation there. Zero bytes at any offset succeed.
  Result<Length> transfer(Direction, Offset, std::span<const port::Segment>) override { return not_offered(); }

  // Refuse (as here) unless stores of any size reach the file exactly and every other process sees them at once.
  Result<std::unique_ptr<port::Mapping>> map(Direction, ByteRange) override { return not_offered(); }

  // Waits. Excludes every other open file, in this process and in others. Never aborts: where the file system has
  // no locks return this error and report range_locks = false, and the planner keeps away from what needs them.
  Result<void> lock(Direction, ByteRange) override { return not_offered(); }
  Result<void> unlock(ByteRange) override { return not_offered(); }

  Result<Length> size() override { return not_offered(); }
  // Growth reads as zeros; what was cut off reads as zeros when the file grows again.
  Result<void> resize(Length) override { return not_offered(); }
  // Keeps every byte, never shrinks.
  Result<void> preallocate(Length) override { return not_offered(); }
  // After a failure every later sync and the close repeat the error: what was not written may be gone.
  Result<void> sync() override { return not_offered(); }
  // Equal on two ranks exactly when both opened the same file, also across nodes.
  std::uint64_t identity() override { return 0; }
  // Closed whatever it returns; a second close says file_is_closed.
  Result<void> close() override { return not_offered(); }

 private:
  port::DriverTraits traits_ = {.name = "skeleton", .range_locks = false};
};

class SkeletonDriver final : public port::FileDriver {
 public:
  // Errors are system_failure(errno), nothing else: the table gives the class. Never truncate. Ask for read access
  // too when only writing is wanted, and fall back when that is denied (traits().readable = false).
  Result<std::unique_ptr<port::OpenFile>> open(const port::OpenSpec& spec) override {
    if (!spec.read && !spec.write) return refusal(ErrorClass::amode, ErrorDetail::amode_contradicts_itself);
    return std::unique_ptr<port::OpenFile>(std::make_unique<SkeletonFile>());
  }
  Result<void> remove(const std::string&) override { return not_offered(); }
};

}  // namespace

std::unique_ptr<port::FileDriver> make_skeleton_driver() { return std::make_unique<SkeletonDriver>(); }

}  // namespace collate::driver
