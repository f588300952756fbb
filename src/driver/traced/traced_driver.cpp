#include "driver/traced/traced_driver.hpp"

#include <utility>

namespace collate::driver {
namespace {

class TracedFile final : public port::OpenFile {
 public:
  TracedFile(std::unique_ptr<port::OpenFile> inner, port::Tracer& tracer, port::Clock& clock)
      : inner_(std::move(inner)), tracer_(tracer), clock_(clock) {}

  Result<Length> transfer(Direction direction, Offset offset, std::span<const port::Segment> segments) override {
    const double start = clock_.now();
    Result<Length> moved = inner_->transfer(direction, offset, segments);
    const port::TraceEvent event = direction == Direction::read ? port::TraceEvent::file_read : port::TraceEvent::file_write;
    tracer_.record(event, offset, moved ? *moved : 0, clock_.now() - start);
    return moved;
  }

  Result<std::unique_ptr<port::Mapping>> map(Direction direction, ByteRange range) override {
    const double start = clock_.now();
    Result<std::unique_ptr<port::Mapping>> mapping = inner_->map(direction, range);
    tracer_.record(port::TraceEvent::file_map, range.begin, mapping ? range.size() : 0, clock_.now() - start);
    return mapping;
  }

  Result<void> lock(Direction direction, ByteRange range) override {
    const double start = clock_.now();
    const Result<void> taken = inner_->lock(direction, range);
    tracer_.record(port::TraceEvent::file_lock, range.begin, taken ? range.size() : 0, clock_.now() - start);
    return taken;
  }

  const port::DriverTraits& traits() const override { return inner_->traits(); }
  Result<void> unlock(ByteRange range) override { return inner_->unlock(range); }
  Result<Length> size() override { return inner_->size(); }
  Result<void> resize(Length size) override { return inner_->resize(size); }
  Result<void> preallocate(Length size) override { return inner_->preallocate(size); }
  Result<void> sync() override { return inner_->sync(); }
  std::uint64_t identity() override { return inner_->identity(); }
  Result<void> close() override { return inner_->close(); }

 private:
  std::unique_ptr<port::OpenFile> inner_;
  port::Tracer& tracer_;
  port::Clock& clock_;
};

class TracedDriver final : public port::FileDriver {
 public:
  TracedDriver(std::unique_ptr<port::FileDriver> inner, port::Tracer& tracer, port::Clock& clock)
      : inner_(std::move(inner)), tracer_(tracer), clock_(clock) {}

  Result<std::unique_ptr<port::OpenFile>> open(const port::OpenSpec& spec) override {
    Result<std::unique_ptr<port::OpenFile>> inner = inner_->open(spec);
    if (!inner) return inner.error();
    return std::unique_ptr<port::OpenFile>(std::make_unique<TracedFile>(std::move(*inner), tracer_, clock_));
  }

  Result<void> remove(const std::string& path) override { return inner_->remove(path); }

 private:
  std::unique_ptr<port::FileDriver> inner_;
  port::Tracer& tracer_;
  port::Clock& clock_;
};

}  // namespace

std::unique_ptr<port::FileDriver> make_traced_driver(std::unique_ptr<port::FileDriver> inner, port::Tracer& tracer, port::Clock& clock) {
  return std::make_unique<TracedDriver>(std::move(inner), tracer, clock);
}

}  // namespace collate::driver
