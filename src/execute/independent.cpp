#include "execute/independent.hpp"

namespace collate::execute {
namespace {

Result<Length> run_strategy(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench) {
  return plan.strategy == plan::Strategy::mapped ? move_mapped(plan, direction, part, bench) : move_windows(plan, direction, part, bench);
}

}  // namespace

Result<Length> transfer_window(port::OpenFile& file, Direction direction, Offset offset, const port::Segment& segment, bool locked) {
  if (!locked) return file.transfer(direction, offset, {&segment, 1});
  const ByteRange range{offset, offset + segment.size};
  const Result<void> taken = file.lock(direction, range);
  if (!taken) return taken.error();
  Result<Length> moved = file.transfer(direction, offset, {&segment, 1});
  const Result<void> released = file.unlock(range);
  if (moved && !released) return released.error();
  return moved;
}

Result<Length> run_part(const plan::IndependentPlan& plan, Direction direction, const Part& part, ByteRange range, Bench bench) {
  const bool lock_whole = plan.locked && plan.strategy != plan::Strategy::rmw;
  if (!lock_whole) return run_strategy(plan, direction, part, bench);
  const Result<void> locked = bench.file.lock(direction, range);
  if (!locked) return locked.error();
  const Result<Length> moved = run_strategy(plan, direction, part, bench);
  const Result<void> unlocked = bench.file.unlock(range);
  if (moved && !unlocked) return unlocked.error();
  return moved;
}

Result<Length> run_independent(const plan::IndependentPlan& plan, Direction direction, const view::Transfer& transfer, Bench bench) {
  if (transfer.bytes == 0) return Length{0};
  if (plan.strategy == plan::Strategy::contiguous && transfer.contiguous_in_memory() && !plan.locked) {
    const port::Segment segment{transfer.origin + transfer.memory.low(), transfer.bytes};
    return bench.file.transfer(direction, transfer.span.begin, {&segment, 1});
  }
  return run_part(plan, direction, {transfer, 0, transfer.bytes}, transfer.span, bench);
}

}  // namespace collate::execute
