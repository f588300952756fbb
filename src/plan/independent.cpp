// Which way one rank moves its own pieces, without anybody's help.
//
// Reading: a window is read with its small holes and the pieces are picked out (data sieving); a hole is left out
// as soon as it costs more to read than another request would (DriverTraits::sieve_hole), so large holes are
// never touched. Writing: exact pieces. In both directions, pieces that are small and close together are moved
// through a mapping of the file where the driver says that a page fault is cheaper than the system calls. None of
// these writes a byte that nobody wrote, so no lock is needed. Read-modify-write does, under a lock of its own
// window, and is used only where a hint asks for it.
// (Thakur, Gropp, Lusk 1999 for sieving; Chen, Lu, Thakur 2013 for dropping holes. Break-evens:
// docs/design/0002-independent-strategies.md.)
#include <algorithm>

#include "plan/plan.hpp"

namespace collate::plan {
namespace {

// A piece of this size is moved by a system call of its own at nearly the speed of a large one.
constexpr Length large_piece = 16 * 1024;
// Mapping costs a few system calls and page faults; fewer pieces than this are moved faster by one call each.
constexpr Count mapped_pieces = 64;

bool sieving_may_rewrite(const hints::Hints& hints) {
  return hints.romio_ds_write == hints::Toggle::enable || hints.collate_strategy == Strategy::rmw;
}

bool possible(Strategy strategy, const IndependentAccess& access, const port::DriverTraits& traits) {
  switch (strategy) {
    case Strategy::pieces:
      return true;
    case Strategy::sieve:
      return access.direction == Direction::read && access.ordered;
    case Strategy::mapped:
      return access.ordered && (access.direction == Direction::write ? traits.mapped_stores : traits.mapped_loads);
    case Strategy::rmw:
      return access.direction == Direction::write && access.ordered && traits.readable && traits.range_locks && !access.atomic;
    default:
      return false;
  }
}

IndependentPlan choose(const IndependentAccess& access, const hints::Hints& hints, const port::DriverTraits& traits) {
  IndependentPlan plan;
  const auto decide = [&](Strategy strategy, Reason reason) {
    plan.strategy = strategy;
    plan.reason = reason;
    return plan;
  };
  if (access.bytes == 0) return decide(Strategy::contiguous, Reason::no_data);
  if (access.contiguous) return decide(Strategy::contiguous, Reason::one_piece);
  if (possible(hints.collate_strategy, access, traits)) return decide(hints.collate_strategy, Reason::forced_by_hint);
  if (!access.ordered) return decide(Strategy::pieces, Reason::not_ordered);
  const Length piece = access.bytes / std::max<Count>(access.pieces, 1);
  const Length stride = access.span.size() / std::max<Count>(access.pieces, 1);
  const bool reading = access.direction == Direction::read;
  const hints::Toggle sieving = reading ? hints.romio_ds_read : hints.romio_ds_write;
  if (sieving == hints::Toggle::disable) return decide(Strategy::pieces, Reason::forced_by_hint);
  if (!reading && sieving_may_rewrite(hints) && possible(Strategy::rmw, access, traits) && piece < large_piece) {
    return decide(Strategy::rmw, Reason::sieving_allowed_by_hint);
  }
  if (piece >= large_piece) return decide(Strategy::pieces, Reason::large_pieces);
  if (access.pieces >= mapped_pieces && stride <= traits.mapped_stride && possible(Strategy::mapped, access, traits)) {
    return decide(Strategy::mapped, Reason::small_pieces_close_together);
  }
  if (reading) return decide(Strategy::sieve, Reason::small_pieces_close_together);
  return decide(Strategy::pieces, Reason::small_pieces_far_apart);
}

}  // namespace

IndependentPlan plan_independent(const IndependentAccess& access, const hints::Hints& hints, const port::DriverTraits& traits) {
  IndependentPlan plan = choose(access, hints, traits);
  plan.buffer = access.direction == Direction::read ? hints.ind_rd_buffer_size : hints.ind_wr_buffer_size;
  plan.hole = hints.romio_ds_read == hints::Toggle::enable || plan.strategy == Strategy::rmw ? plan.buffer : traits.sieve_hole;
  // A lock is due in atomic mode, and wherever another rank of this file may be rewriting holes.
  const bool rewriting_around = access.direction == Direction::write && sieving_may_rewrite(hints) && traits.range_locks;
  plan.locked = access.bytes > 0 && (access.atomic || rewriting_around);
  return plan;
}

}  // namespace collate::plan
