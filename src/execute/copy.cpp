#include "execute/copy.hpp"

#include <algorithm>
#include <cstring>

namespace collate::execute {
namespace {

struct Strides {
  std::byte* to;
  const std::byte* from;
  Offset to_stride;
  Offset from_stride;
};

template <std::size_t size>
void copy_fixed(Strides at, Count count) {
  for (Count i = 0; i < count; ++i) {
    std::memcpy(at.to, at.from, size);
    at.to += at.to_stride;
    at.from += at.from_stride;
  }
}

void copy_any(Strides at, std::size_t size, Count count) {
  for (Count i = 0; i < count; ++i) {
    std::memcpy(at.to, at.from, size);
    at.to += at.to_stride;
    at.from += at.from_stride;
  }
}

void copy_pieces(const Strides& at, std::size_t size, Count count) {
  switch (size) {
    case 1: return copy_fixed<1>(at, count);
    case 2: return copy_fixed<2>(at, count);
    case 4: return copy_fixed<4>(at, count);
    case 8: return copy_fixed<8>(at, count);
    case 12: return copy_fixed<12>(at, count);
    case 16: return copy_fixed<16>(at, count);
    case 24: return copy_fixed<24>(at, count);
    case 32: return copy_fixed<32>(at, count);
    case 40: return copy_fixed<40>(at, count);
    case 64: return copy_fixed<64>(at, count);
    case 128: return copy_fixed<128>(at, count);
    default: return copy_any(at, size, count);
  }
}

}  // namespace

void copy(Direction direction, const FileBytes& file, std::byte* memory, const view::CopyRun& run) {
  std::byte* const in_file = file.at(run.file);
  std::byte* const in_memory = memory + run.memory;
  const bool write = direction == Direction::write;
  const Strides at = write ? Strides{in_file, in_memory, run.file_stride, run.memory_stride}
                           : Strides{in_memory, in_file, run.memory_stride, run.file_stride};
  const bool touching = run.count == 1 || (run.file_stride == run.length && run.memory_stride == run.length);
  if (touching && run.bytes() > 128) {
    std::memcpy(at.to, at.from, static_cast<std::size_t>(run.bytes()));
  } else if (touching) {
    copy_pieces(at, static_cast<std::size_t>(run.bytes()), 1);
  } else {
    copy_pieces(at, static_cast<std::size_t>(run.length), run.count);
  }
}

Length copy_prefix(Direction direction, const FileBytes& file, std::byte* memory, view::CopyRun run, Length bytes) {
  const Length taken = std::min(bytes, run.bytes());
  const Count whole = taken / run.length;
  const Length rest = taken - whole * run.length;
  if (rest > 0) copy(direction, file, memory, {run.file + whole * run.file_stride, 0, run.memory + whole * run.memory_stride, 0, rest, 1});
  run.count = whole;
  if (whole > 0) copy(direction, file, memory, run);
  return taken;
}

}  // namespace collate::execute
