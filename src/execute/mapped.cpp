// Mapped access: small pieces that lie close together are copied to or from a mapping of the file, page by page,
// instead of one system call each. Stores are byte exact: a hole is never written, so no lock is needed.
//
// A mapping reaches no further than the end of the file. A write therefore first writes the access's last byte by a
// system call, so that everything else lies below the end; a read stops at the end. Where the driver will not map a
// window, it is moved as exact pieces.
#include <algorithm>

#include "execute/copy.hpp"
#include "execute/independent.hpp"

namespace collate::execute {
namespace {

constexpr Length map_size = 8 * 1024 * 1024;

struct Job {
  Direction direction;
  view::TransferCursor& cursor;
  Length to;
  FileBytes file;
  std::byte* memory;
};

void copy_all(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  copy_until(job.cursor, job.to, job.direction, job.file, job.memory, [](const view::CopyRun&) {});
}

Result<void> copy_window(Direction direction, const Part& part, ByteRange range, view::TransferCursor& cursor, Bench bench) {
  Result<std::unique_ptr<port::Mapping>> mapping = bench.file.map(direction, range);
  if (!mapping) return mapping.error();
  Job job{direction, cursor, part.to, {(*mapping)->memory().data(), range.begin}, part.transfer.origin};
  return (*mapping)->guarded(copy_all, &job);
}

// Where the access has to stop: a read at the end of the file; a write makes room for all of it.
Result<Length> reachable(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  if (direction == Direction::write) {
    const Result<Length> grown = move_windows(plan, direction, {part.transfer, part.to - 1, part.to}, bench);
    if (!grown) return grown;
    return part.to;
  }
  const Result<Length> size = bench.file.size();
  if (!size) return size;
  return std::clamp(part.transfer.bytes_below(*size), part.from, part.to);
}

}  // namespace

Result<Length> move_mapped(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  const view::Transfer& transfer = part.transfer;
  const Result<Length> end_of_access = reachable(plan, direction, part, bench);
  if (!end_of_access) return end_of_access;
  view::TransferCursor cursor(transfer);
  cursor.seek(part.from);
  while (cursor.position() < *end_of_access) {
    const Offset begin = transfer.file.offset_of(transfer.start + cursor.position());
    const Offset limit = align_down(begin, map_size) + map_size;
    const Length to = std::min(*end_of_access, transfer.bytes_below(limit));
    const Offset end = transfer.file.offset_of(transfer.start + to - 1) + 1;
    const Part window{transfer, cursor.position(), to};
    const Result<void> copied = copy_window(direction, window, {begin, end}, cursor, bench);
    if (copied) continue;
    if (copied.error().code != ErrorClass::unsupported_operation) return copied.error();
    const Result<Length> moved = move_windows(plan, direction, window, bench);
    if (!moved) return moved;
    if (*moved < to - window.from) return window.from + *moved - part.from;
    cursor.seek(to);
  }
  return *end_of_access - part.from;
}

}  // namespace collate::execute
