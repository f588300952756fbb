#include "driver/memory/memory_driver.hpp"

#include <atomic>
#include <cerrno>
#include <limits>
#include <optional>
#include <utility>

#include "driver/memory/memory_file.hpp"

namespace collate::driver {
namespace {

constexpr ByteRange everything = {0, std::numeric_limits<Offset>::max()};

Error closed() { return refusal(ErrorClass::file, ErrorDetail::file_is_closed); }
Error negative() { return refusal(ErrorClass::argument, ErrorDetail::negative_argument); }

bool sound(std::span<const port::Segment> segments, Offset offset) {
  std::optional<Offset> end = offset;
  for (const port::Segment& segment : segments) {
    if (segment.size < 0) return false;
    end = checked_add(*end, segment.size);
    if (!end) return false;
  }
  return true;
}

// Pages of a MemoryFile are always there: guarded work simply runs.
class MemoryMapping final : public port::Mapping {
 public:
  MemoryMapping(std::shared_ptr<MemoryStore> store, std::shared_ptr<MemoryFile> file, std::span<std::byte> memory)
      : store_(std::move(store)), file_(std::move(file)), memory_(memory) {}
  std::span<std::byte> memory() override { return memory_; }
  Result<void> guarded(void (*work)(void*), void* argument) override {
    work(argument);
    return {};
  }

 private:
  std::shared_ptr<MemoryStore> store_;  // outlives the file
  std::shared_ptr<MemoryFile> file_;
  std::span<std::byte> memory_;
};

class MemoryOpenFile final : public port::OpenFile {
 public:
  MemoryOpenFile(std::shared_ptr<MemoryStore> store, std::shared_ptr<MemoryFile> file, const port::DriverTraits& traits)
      : store_(std::move(store)), file_(std::move(file)), traits_(traits) {}
  ~MemoryOpenFile() override { file_->unlock(this, everything); }
  MemoryOpenFile(const MemoryOpenFile&) = delete;
  MemoryOpenFile& operator=(const MemoryOpenFile&) = delete;

  const port::DriverTraits& traits() const override { return traits_; }

  Result<Length> transfer(Direction direction, Offset offset, std::span<const port::Segment> segments) override {
    if (const Result<void> allowed = may(direction); !allowed) return allowed.error();
    if (offset < 0) return negative();
    if (!sound(segments, offset)) return refusal(ErrorClass::argument, ErrorDetail::position_overflow);
    if (direction == Direction::read) {
      const Result<Length> moved = file_->read(offset, segments);
      store_->count([](MemoryStatistics& all, Length bytes) { ++all.reads, all.bytes_read += bytes; }, moved ? *moved : 0);
      return moved;
    }
    const Result<Length> moved = file_->write(offset, segments);
    store_->count([](MemoryStatistics& all, Length bytes) { ++all.writes, all.bytes_written += bytes; }, moved ? *moved : 0);
    return moved;
  }

  Result<std::unique_ptr<port::Mapping>> map(Direction direction, ByteRange range) override {
    if (const Result<void> allowed = may(direction); !allowed) return allowed.error();
    if (range.begin < 0 || range.empty()) return negative();
    const bool offered = traits_.readable && (direction == Direction::read || traits_.mapped_stores);
    const std::span<std::byte> memory = file_->bytes(range);
    if (!offered || memory.empty()) return refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot);
    store_->count([](MemoryStatistics& all, Length) { ++all.maps; });
    return std::unique_ptr<port::Mapping>(std::make_unique<MemoryMapping>(store_, file_, memory));
  }

  Result<void> lock(Direction direction, ByteRange range) override {
    if (!open_) return closed();
    if (range.begin < 0) return negative();
    if (!traits_.range_locks) return refusal(ErrorClass::unsupported_operation, ErrorDetail::file_system_cannot);
    if (range.empty()) return {};
    store_->count([](MemoryStatistics& all, Length) { ++all.locks; });
    if (file_->lock(this, direction, range)) return {};
    Error error = refusal(ErrorClass::internal, ErrorDetail::none);  // would wait for ever: see memory_store.hpp
    error.system_error = EDEADLK;
    error.offset = range.begin;
    return error;
  }

  Result<void> unlock(ByteRange range) override {
    if (!open_) return closed();
    if (range.begin < 0) return negative();
    if (!range.empty()) file_->unlock(this, range);
    return {};
  }

  Result<Length> size() override {
    if (!open_) return closed();
    return file_->size();
  }

  Result<void> resize(Length size) override {
    if (const Result<void> allowed = may(Direction::write); !allowed) return allowed;
    if (size < 0) return negative();
    store_->count([](MemoryStatistics& all, Length) { ++all.resizes; });
    return file_->resize(size);
  }

  Result<void> preallocate(Length size) override {
    if (const Result<void> allowed = may(Direction::write); !allowed) return allowed;
    if (size < 0) return negative();
    return size > file_->size() ? file_->resize(size) : Result<void>();
  }

  Result<void> sync() override {
    if (!open_) return closed();
    store_->count([](MemoryStatistics& all, Length) { ++all.syncs; });
    return {};
  }

  std::uint64_t identity() override { return file_->identity(); }

  Result<void> close() override {
    if (!open_) return closed();
    open_ = false;
    file_->unlock(this, everything);
    return {};
  }

 private:
  [[nodiscard]] Result<void> may(Direction direction) const {
    if (!open_) return closed();
    if (direction == Direction::read && !traits_.readable) return refusal(ErrorClass::access, ErrorDetail::nothing_read_in_write_only);
    if (direction == Direction::write && !traits_.writable) {
      return refusal(ErrorClass::read_only, ErrorDetail::nothing_written_in_read_only);
    }
    return {};
  }

  std::shared_ptr<MemoryStore> store_;  // before file_: the file gives its room back to the store
  std::shared_ptr<MemoryFile> file_;
  port::DriverTraits traits_;
  std::atomic<bool> open_{true};
};

class MemoryDriver final : public port::FileDriver {
 public:
  explicit MemoryDriver(std::shared_ptr<MemoryStore> store) : store_(std::move(store)) {}

  Result<std::unique_ptr<port::OpenFile>> open(const port::OpenSpec& spec) override {
    if (!spec.read && !spec.write) return refusal(ErrorClass::amode, ErrorDetail::amode_contradicts_itself);
    bool readable = true;
    Result<std::shared_ptr<MemoryFile>> file = store_->open(spec, readable);
    if (!file) return file.error();
    port::DriverTraits traits = store_->options().traits;
    traits.readable = readable;
    traits.writable = spec.write;
    traits.mapped_stores = traits.mapped_stores && readable && spec.write;
    traits.mapped_loads = readable;
    return std::unique_ptr<port::OpenFile>(std::make_unique<MemoryOpenFile>(store_, std::move(*file), traits));
  }

  Result<void> remove(const std::string& path) override { return store_->remove(path); }

 private:
  std::shared_ptr<MemoryStore> store_;
};

}  // namespace

std::unique_ptr<port::FileDriver> make_memory_driver(std::shared_ptr<MemoryStore> store) {
  return std::make_unique<MemoryDriver>(std::move(store));
}

}  // namespace collate::driver
