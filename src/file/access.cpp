// Data access: resolve the position, pair memory with file through the view, have a plan made, run it.
//
// One function each for what a rank does alone and what all do together; direction, positioning and memory are
// values in the Access. A contiguous access through a contiguous view takes a short cut: one transfer, no plan.
#include "file/opened.hpp"

namespace collate::file {

std::optional<Error> Opened::refuse(const Access& access) const {
  if (access.refused) return access.refused;
  const AccessMode& mode = parts_.mode;
  if (access.positioning == Positioning::shared_pointer) return refusal(ErrorClass::unsupported_operation, ErrorDetail::not_yet_supported);
  if (mode.sequential) return refusal(ErrorClass::unsupported_operation, ErrorDetail::sequential_needs_shared_pointer);
  if (access.direction == Direction::write && mode.read_only) return refusal(ErrorClass::read_only, ErrorDetail::nothing_written_in_read_only);
  if (access.direction == Direction::read && mode.write_only) return refusal(ErrorClass::access, ErrorDetail::nothing_read_in_write_only);
  if (access.count < 0) return refusal(ErrorClass::count, ErrorDetail::negative_argument);
  if (position_of(access) < 0) return refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  return std::nullopt;
}

Offset Opened::position_of(const Access& access) const {
  return access.positioning == Positioning::explicit_offset ? access.offset : position_.load();
}

// The pointer moves by what was asked for, not by what was there (MPI-5.0 15.4.3).
void Opened::advance(const Access& access) {
  if (access.positioning != Positioning::individual_pointer || view_.etype_size() == 0) return;
  position_ += access.count * access.type->size() / view_.etype_size();
}

Result<view::Transfer> Opened::transfer_of(const Access& access) const {
  Result<layout::Layout> memory = layout::repeated(access.count, *access.type);
  if (!memory) return memory.error();
  return view_.transfer(position_of(access), std::move(*memory), access.memory);
}

plan::IndependentAccess Opened::describe_own(Direction direction, const view::Transfer& transfer) const {
  plan::IndependentAccess own;
  own.direction = direction;
  own.bytes = transfer.bytes;
  own.span = transfer.span;
  own.pieces = transfer.pieces;
  own.ordered = transfer.ordered;
  own.contiguous = transfer.bytes == 0 || transfer.contiguous_in_file();
  own.atomic = atomic_;
  return own;
}

plan::IndependentPlan Opened::plan_own(Direction direction, const view::Transfer& transfer) const {
  return plan::plan_independent(describe_own(direction, transfer), parts_.hints.values(), parts_.driver_file->traits());
}

void Opened::count(plan::Strategy strategy, Direction direction, Length bytes) {
  ++tally_.accesses[static_cast<std::size_t>(strategy)];
  tally_.bytes[static_cast<std::size_t>(direction)] += bytes;
}

std::optional<Result<Outcome>> Opened::access_plainly(const Access& access) {
  const layout::Type& type = *access.type;
  const bool solid = type.layout.contiguous() && (access.count == 1 || type.extent == type.size());
  if (!plain_ || !solid || !view_.contiguous()) return std::nullopt;
  const auto bytes = checked_multiply(access.count, type.size());
  const auto at = checked_multiply(position_of(access), view_.etype_size());
  if (!bytes || !at || *bytes == 0 || *bytes % view_.etype_size() != 0) return std::nullopt;
  const Result<Offset> offset = view_.byte_offset(position_of(access));
  if (!offset || !checked_add(*offset, *bytes)) return std::nullopt;
  const port::Segment segment{access.memory + type.layout.low(), *bytes};
  const Result<Length> moved = parts_.driver_file->transfer(access.direction, *offset, {&segment, 1});
  if (!moved) return Result<Outcome>(moved.error());
  advance(access);
  count(plan::Strategy::contiguous, access.direction, *moved);
  return Result<Outcome>(Outcome{*moved});
}

Result<Outcome> Opened::access(const Access& access) {
  std::optional<Error> refused = refuse(access);
  if (refused) {
    refused->rank = parts_.comm->rank();
    return *refused;
  }
  if (std::optional<Result<Outcome>> done = access_plainly(access)) {
    if (*done) return **done;
    Error error = done->error();
    error.rank = parts_.comm->rank();
    return error;
  }
  Result<Length> moved = Length{0};
  const Result<view::Transfer> transfer = transfer_of(access);
  if (transfer) {
    const plan::IndependentPlan own = plan_own(access.direction, *transfer);
    moved = execute::run_independent(own, access.direction, *transfer, bench_);
    if (moved) count(own.strategy, access.direction, *moved);
  }
  if (!transfer || !moved) {
    Error error = transfer ? moved.error() : transfer.error();
    error.rank = parts_.comm->rank();
    return error;
  }
  advance(access);
  return Outcome{*moved};
}

// Everybody compares notes once, and once more at the end only where somebody still had something to move.
Task<Result<Length>> Opened::move_together(Direction direction, const view::Transfer& transfer, std::optional<Error> refused) {
  const hints::Hints& hints = parts_.hints.values();
  const plan::IndependentPlan own = plan_own(direction, transfer);
  plan::Summary mine = plan::summarize(transfer);
  const plan::Summary stamped = stamp(direction == Direction::read ? plan::Call::read_all : plan::Call::write_all);
  mine.call = stamped.call;
  mine.sequence = stamped.sequence;
  Length moved_ahead = 0;
  if (!refused && plan::goes_ahead(describe_own(direction, transfer), own, hints, parts_.driver_file->traits())) {
    const Result<Length> moved = execute::run_independent(own, direction, transfer, {*parts_.driver_file, collective_staging_});
    if (moved) moved_ahead = *moved;
    else refused = moved.error();
    mine.bytes = 0;
  }
  mine.refused = refused.has_value();
  if (refused) mine.error = *refused;
  const std::span<const plan::Summary> gathered = co_await agreement_.gather(mine);
  const plan::CollectiveAccess access{direction, atomic_};
  const plan::CollectivePlan together = plan::plan_collective(gathered, access, hints, topology());
  if (session_.environment.verbose) tally_.last_plan = plan::describe(together) + (together.strategy == plan::Strategy::direct ? " (" + plan::describe(own) + ")" : "");
  if (together.refusal) co_return *together.refusal;
  const bool alone = together.strategy == plan::Strategy::direct || moved_ahead > 0;
  Length moved = moved_ahead;
  if (together.bytes > 0) {
    const std::vector<plan::Summary> summaries(gathered.begin(), gathered.end());
    const view::Transfer rest = mine.bytes > 0 ? transfer : view::Transfer();
    const execute::CollectiveSetting setting{together, summaries, own, rest, stamped};
    const Result<Length> exchanged = co_await collective_.run(setting);
    if (!exchanged) co_return exchanged.error();
    moved += *exchanged;
  }
  count(alone ? own.strategy : together.strategy, direction, moved);
  co_return moved;
}

Task<Result<Outcome>> Opened::access_all(const Access& given) {
  const Access access = given;
  view::Transfer transfer;
  std::optional<Error> refused = refuse(access);
  if (!refused) {
    Result<view::Transfer> made = transfer_of(access);
    if (made) transfer = std::move(*made);
    else refused = made.error();
  }
  const Result<Length> moved = co_await move_together(access.direction, transfer, refused);
  if (!moved) co_return moved.error();
  advance(access);
  co_return Outcome{*moved};
}

}  // namespace collate::file
