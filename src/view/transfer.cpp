// Pairing two streams of Runs. Three shapes matter and are recognised: pieces of equal length on both sides; one
// side contiguous while the other is strided; anything else, which goes piece by piece at the shorter length.
#include "view/transfer.hpp"

#include <algorithm>

namespace collate::view {

Length Transfer::bytes_below(Offset offset) const {
  return std::clamp<Length>(file.bytes_below(offset) - start, 0, bytes);
}

void RunFeed::seek(Length position) {
  cursor_.seek(position);
  run_.count = 0;
  head_ = 0;
}

bool RunFeed::fill(Length limit) {
  if (run_.count > 0) return true;
  head_ = 0;
  if (cursor_.step(run_, limit)) return true;
  run_.count = 0;
  return false;
}

layout::Run RunFeed::front() const {
  if (head_ > 0) return {run_.offset + head_, run_.length - head_, run_.stride, 1};
  return run_;
}

void RunFeed::take(Length bytes) {
  if (head_ == 0 && bytes == run_.bytes()) {
    run_.count = 0;
    return;
  }
  const Length reached = head_ + bytes;
  const Count pieces = reached < run_.length ? 0 : reached / run_.length;
  run_.count -= pieces;
  run_.offset += pieces * run_.stride;
  head_ = reached - pieces * run_.length;
}

TransferCursor::TransferCursor(const Transfer& transfer)
    : start_(transfer.start), bytes_(transfer.bytes), file_(transfer.file), memory_(transfer.memory) {
  seek(0);
}

void TransferCursor::seek(Length position) {
  position_ = position;
  file_.seek(start_ + position);
  memory_.seek(position);
}

bool TransferCursor::step(CopyRun& run, Length limit) {
  const Length rest = bytes_ - position_;
  limit = std::min(limit, rest);
  if (limit <= 0 || !file_.fill(rest) || !memory_.fill(rest)) return false;
  const layout::Run& file = file_.whole();
  const layout::Run& memory = memory_.whole();
  const bool equal = !file_.partial() && !memory_.partial() && file.length == memory.length && file.count == 1 && memory.count == 1;
  if (!equal || file.length > limit) {
    pair_runs(run, limit);
    return true;
  }
  run.file = file.offset;
  run.memory = memory.offset;
  run.length = file.length;
  run.count = 1;
  position_ += run.length;
  file_.take_all();
  memory_.take_all();
  return true;
}

void TransferCursor::pair_runs(CopyRun& run, Length limit) {
  const layout::Run file = file_.front();
  const layout::Run memory = memory_.front();
  run = {file.offset, file.stride, memory.offset, memory.stride, std::min(file.length, memory.length), 1};
  if (file.length == memory.length) {
    run.count = std::min(file.count, memory.count);
  } else if (memory.length > file.length) {
    run.memory_stride = file.length;
    run.count = file.count == 1 ? 1 : std::min(file.count, memory.length / file.length);
  } else {
    run.file_stride = memory.length;
    run.count = memory.count == 1 ? 1 : std::min(memory.count, file.length / memory.length);
  }
  if (run.length > limit) {
    run.length = limit;
    run.count = 1;
  } else if (run.count > 1) {
    run.count = std::min(run.count, limit / run.length);
  }
  file_.take(run.bytes());
  memory_.take(run.bytes());
  position_ += run.bytes();
}

}  // namespace collate::view
