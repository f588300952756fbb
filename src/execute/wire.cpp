#include "execute/wire.hpp"

namespace collate::execute {

void RunWriter::put(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<std::byte>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<std::byte>(value));
}

void RunWriter::put_signed(std::int64_t value) {
  put((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void RunWriter::add(const layout::Run& run) {
  put_signed(run.offset - last_);
  put(static_cast<std::uint64_t>(run.length) << 1 | (run.count > 1 ? 1U : 0U));
  if (run.count > 1) {
    put(static_cast<std::uint64_t>(run.count));
    put_signed(run.stride);
  }
  last_ = run.offset + (run.count - 1) * run.stride + run.length;
}

std::uint64_t RunReader::get() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !rest_.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<std::uint64_t>(rest_.front());
    rest_ = rest_.subspan(1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

std::int64_t RunReader::get_signed() {
  const std::uint64_t value = get();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::optional<layout::Run> RunReader::next() {
  if (rest_.empty()) return std::nullopt;
  layout::Run run;
  run.offset = last_ + get_signed();
  const std::uint64_t length = get();
  run.length = static_cast<Length>(length >> 1);
  if ((length & 1) != 0) {
    run.count = static_cast<Count>(get());
    run.stride = get_signed();
  }
  last_ = run.offset + (run.count - 1) * run.stride + run.length;
  return run;
}

}  // namespace collate::execute
