// Kernels take plain arguments, not a struct: a struct passed through memory would make every copy wait for the
// cache misses of the one before it (measured: 69 ns instead of 24 ns per random 64-byte piece).
#include "execute/copy.hpp"

#include <cstring>

namespace collate::execute {
namespace {

template <std::size_t size>
void copy_fixed(std::byte* to, Offset to_stride, const std::byte* from, Offset from_stride, Count count) {
  for (Count i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, size);
}

}  // namespace

void copy_strided(std::byte* to, Offset to_stride, const std::byte* from, Offset from_stride, const Pieces& pieces) {
  const Count count = pieces.count;
  switch (pieces.length) {
    case 1: return copy_fixed<1>(to, to_stride, from, from_stride, count);
    case 2: return copy_fixed<2>(to, to_stride, from, from_stride, count);
    case 4: return copy_fixed<4>(to, to_stride, from, from_stride, count);
    case 8: return copy_fixed<8>(to, to_stride, from, from_stride, count);
    case 12: return copy_fixed<12>(to, to_stride, from, from_stride, count);
    case 16: return copy_fixed<16>(to, to_stride, from, from_stride, count);
    case 24: return copy_fixed<24>(to, to_stride, from, from_stride, count);
    case 32: return copy_fixed<32>(to, to_stride, from, from_stride, count);
    case 40: return copy_fixed<40>(to, to_stride, from, from_stride, count);
    case 64: return copy_fixed<64>(to, to_stride, from, from_stride, count);
    case 128: return copy_fixed<128>(to, to_stride, from, from_stride, count);
    default: break;
  }
  const auto size = static_cast<std::size_t>(pieces.length);
  for (Count i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, size);
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
