#include "driver/faulty/faulty_driver.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace collate::driver {

// Decides, for one driver and all its open files, which call fails and where a transfer is cut.
class FaultSource {
 public:
  FaultSource(FaultPlan plan, std::shared_ptr<FaultRecord> record)
      : plan_(std::move(plan)), record_(record ? std::move(record) : std::make_shared<FaultRecord>()) {}

  // Numbers this call; the Error it shall fail with, if any.
  std::optional<Error> strike(Call call, Offset offset = -1) {
    const Count of_kind = ++record_->calls_[static_cast<std::size_t>(call)];
    const Count of_all = ++record_->calls_[static_cast<std::size_t>(Call::any)];
    for (const Fault& fault : plan_.faults) {
      if (fault.call != call && fault.call != Call::any) continue;
      const Count now = fault.call == Call::any ? of_all : of_kind;
      if (now == fault.number || (fault.from_then_on && now > fault.number)) return injected(fault.system_error, offset);
    }
    return std::nullopt;
  }
  // The bytes below the full mark that [begin, end) may still take; the Error for the rest, if any.
  std::optional<Error> full(Offset begin, Offset end) {
    if (plan_.full_from < 0 || end <= plan_.full_from) return std::nullopt;
    return injected(ENOSPC, std::max(begin, plan_.full_from));
  }
  // How much of `left` bytes the next inner transfer shall move.
  Length next_piece(Length left) {
    ++record_->pieces_;
    if (plan_.largest_piece <= 0) return left;
    std::uint64_t value = plan_.seed + 0x9E3779B97F4A7C15u * ++draws_;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    value ^= value >> 31;
    return std::min(left, 1 + static_cast<Length>(value % static_cast<std::uint64_t>(plan_.largest_piece)));
  }
  [[nodiscard]] bool cuts() const { return plan_.largest_piece > 0 || plan_.full_from >= 0; }

 private:
  Error injected(int system_error, Offset offset) {
    ++record_->injected_;
    return system_failure(system_error, offset);
  }

  const FaultPlan plan_;
  const std::shared_ptr<FaultRecord> record_;
  std::atomic<std::uint64_t> draws_{0};
};

namespace {

// Walks through segments in pieces that ignore their borders.
class Slicer {
 public:
  explicit Slicer(std::span<const port::Segment> segments) : segments_(segments) {}
  // The next `bytes` bytes (fewer at the end); valid until the next call.
  std::span<const port::Segment> take(Length bytes) {
    slice_.clear();
    while (bytes > 0 && next_ < segments_.size()) {
      const Length part = std::min(bytes, segments_[next_].size - done_);
      if (part > 0) slice_.push_back({segments_[next_].data + done_, part});
      bytes -= part;
      done_ += part;
      if (done_ == segments_[next_].size) {
        ++next_;
        done_ = 0;
      }
    }
    return slice_;
  }

 private:
  std::span<const port::Segment> segments_;
  std::vector<port::Segment> slice_;
  std::size_t next_ = 0;
  Length done_ = 0;
};

class FaultyMapping final : public port::Mapping {
 public:
  FaultyMapping(std::unique_ptr<port::Mapping> inner, std::shared_ptr<FaultSource> source, Offset begin)
      : inner_(std::move(inner)), source_(std::move(source)), begin_(begin) {}
  std::span<std::byte> memory() override { return inner_->memory(); }
  Result<void> guarded(void (*work)(void*), void* argument) override {
    if (std::optional<Error> error = source_->strike(Call::guarded, begin_)) {
      error->detail = ErrorDetail::page_not_backed;
      return *error;
    }
    return inner_->guarded(work, argument);
  }

 private:
  std::unique_ptr<port::Mapping> inner_;
  std::shared_ptr<FaultSource> source_;
  Offset begin_;
};

class FaultyFile final : public port::OpenFile {
 public:
  FaultyFile(std::unique_ptr<port::OpenFile> inner, std::shared_ptr<FaultSource> source)
      : inner_(std::move(inner)), source_(std::move(source)) {}

  const port::DriverTraits& traits() const override { return inner_->traits(); }
  std::uint64_t identity() override { return inner_->identity(); }

  Result<Length> transfer(Direction direction, Offset offset, std::span<const port::Segment> segments) override {
    const Call call = direction == Direction::read ? Call::read : Call::write;
    if (const std::optional<Error> error = source_->strike(call, offset)) return *error;
    Length total = 0;
    for (const port::Segment& segment : segments) {
      const std::optional<Length> sum = segment.size < 0 ? std::nullopt : checked_add(total, segment.size);
      if (!sum || !checked_add(offset, *sum)) return inner_->transfer(direction, offset, segments);  // it knows what to say
      total = *sum;
    }
    if (!source_->cuts()) {
      static_cast<void>(source_->next_piece(total));
      return inner_->transfer(direction, offset, segments);
    }
    return in_pieces(direction, offset, segments, total);
  }

  Result<std::unique_ptr<port::Mapping>> map(Direction direction, ByteRange range) override {
    if (const std::optional<Error> error = source_->strike(Call::map, range.begin)) return *error;
    if (direction == Direction::write) {
      if (const std::optional<Error> error = source_->full(range.begin, range.end)) return *error;
    }
    Result<std::unique_ptr<port::Mapping>> inner = inner_->map(direction, range);
    if (!inner) return inner.error();
    return std::unique_ptr<port::Mapping>(std::make_unique<FaultyMapping>(std::move(*inner), source_, range.begin));
  }

  Result<void> lock(Direction direction, ByteRange range) override {
    if (const std::optional<Error> error = source_->strike(Call::lock, range.begin)) return *error;
    return inner_->lock(direction, range);
  }

  Result<void> unlock(ByteRange range) override {
    const Result<void> done = inner_->unlock(range);
    if (const std::optional<Error> error = source_->strike(Call::unlock, range.begin)) return *error;
    return done;
  }

  Result<Length> size() override {
    if (const std::optional<Error> error = source_->strike(Call::size)) return *error;
    return inner_->size();
  }

  Result<void> resize(Length size) override { return sized(Call::resize, size, &port::OpenFile::resize); }
  Result<void> preallocate(Length size) override { return sized(Call::preallocate, size, &port::OpenFile::preallocate); }

  Result<void> sync() override {
    if (const std::optional<Error> error = source_->strike(Call::sync)) return *error;
    return inner_->sync();
  }

  Result<void> close() override {
    const Result<void> done = inner_->close();
    if (const std::optional<Error> error = source_->strike(Call::close)) return *error;
    return done;
  }

 private:
  Result<void> sized(Call call, Length size, Result<void> (port::OpenFile::*change)(Length)) {
    if (const std::optional<Error> error = source_->strike(call, size)) return *error;
    if (const std::optional<Error> error = source_->full(0, size)) return *error;
    return (inner_.get()->*change)(size);
  }

  Result<Length> in_pieces(Direction direction, Offset offset, std::span<const port::Segment> segments, Length total) {
    std::optional<Error> full;
    Length possible = total;
    if (direction == Direction::write && total > 0) {
      full = source_->full(offset, offset + total);
      if (full) possible = full->offset - offset;
    }
    Slicer slicer(segments);
    Length moved = 0;
    while (moved < possible) {
      const Length piece = source_->next_piece(possible - moved);
      const Result<Length> got = inner_->transfer(direction, offset + moved, slicer.take(piece));
      if (!got) return got.error();
      moved += *got;
      if (*got < piece) return moved;
    }
    if (total == 0) return inner_->transfer(direction, offset, segments);  // still has the right to refuse
    if (full) return *full;
    return moved;
  }

  std::unique_ptr<port::OpenFile> inner_;
  std::shared_ptr<FaultSource> source_;
};

class FaultyDriver final : public port::FileDriver {
 public:
  FaultyDriver(std::unique_ptr<port::FileDriver> inner, std::shared_ptr<FaultSource> source)
      : inner_(std::move(inner)), source_(std::move(source)) {}

  Result<std::unique_ptr<port::OpenFile>> open(const port::OpenSpec& spec) override {
    if (const std::optional<Error> error = source_->strike(Call::open)) return *error;
    Result<std::unique_ptr<port::OpenFile>> inner = inner_->open(spec);
    if (!inner) return inner.error();
    return std::unique_ptr<port::OpenFile>(std::make_unique<FaultyFile>(std::move(*inner), source_));
  }

  Result<void> remove(const std::string& path) override {
    if (const std::optional<Error> error = source_->strike(Call::remove)) return *error;
    return inner_->remove(path);
  }

 private:
  std::unique_ptr<port::FileDriver> inner_;
  std::shared_ptr<FaultSource> source_;
};

}  // namespace

std::unique_ptr<port::FileDriver> make_faulty_driver(std::unique_ptr<port::FileDriver> inner, FaultPlan plan,
                                                     std::shared_ptr<FaultRecord> record) {
  return std::make_unique<FaultyDriver>(std::move(inner), std::make_shared<FaultSource>(std::move(plan), std::move(record)));
}

}  // namespace collate::driver
