// Tables of what is known and what must be decided, reason included.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace collate::plan {
namespace {

using hints::Hints;
using hints::Toggle;
using Traits = port::DriverTraits;

constexpr Length MiB = 1024 * 1024;

IndependentAccess small_pieces(Direction direction, Length piece = 64, Length stride = 256) {
  return {direction, 1000 * piece, {0, 1000 * stride}, 1000, true, false, false};
}

struct IndependentRow {
  const char* name;
  IndependentAccess access;
  std::function<void(Hints&, Traits&)> with;
  Strategy strategy;
  Reason reason;
  bool locked;
};

IndependentAccess changed(IndependentAccess access, const std::function<void(IndependentAccess&)>& change) {
  change(access);
  return access;
}

const std::vector<IndependentRow> independent_rows{
    {"nothing", {Direction::write, 0, {}, 0, true, true, true}, {}, Strategy::contiguous, Reason::no_data, false},
    {"one piece", {Direction::write, 100, {0, 100}, 1, true, true, false}, {}, Strategy::contiguous, Reason::one_piece, false},
    {"one piece, atomic", {Direction::read, 100, {0, 100}, 1, true, true, true}, {}, Strategy::contiguous, Reason::one_piece, true},
    {"small reads", small_pieces(Direction::read), {}, Strategy::sieve, Reason::small_pieces_close_together, false},
    {"small writes", small_pieces(Direction::write), {}, Strategy::pieces, Reason::small_pieces_far_apart, false},
    {"large pieces", small_pieces(Direction::read, 16384, 65536), {}, Strategy::pieces, Reason::large_pieces, false},
    {"not ordered", changed(small_pieces(Direction::read), [](auto& access) { access.ordered = false; }), {}, Strategy::pieces, Reason::not_ordered, false},
    {"mapped stores pay", small_pieces(Direction::write), [](Hints&, Traits& traits) { traits.mapped_stores = true, traits.mapped_stride = 256; },
     Strategy::mapped, Reason::small_pieces_close_together, false},
    {"mapped stores, pieces too far apart", small_pieces(Direction::write),
     [](Hints&, Traits& traits) { traits.mapped_stores = true, traits.mapped_stride = 255; }, Strategy::pieces, Reason::small_pieces_far_apart, false},
    {"mapped loads alone do not let writes map", small_pieces(Direction::write),
     [](Hints&, Traits& traits) { traits.mapped_loads = true, traits.mapped_stride = 256; }, Strategy::pieces, Reason::small_pieces_far_apart, false},
    {"sieving writes allowed", small_pieces(Direction::write), [](Hints& hints, Traits&) { hints.romio_ds_write = Toggle::enable; }, Strategy::rmw,
     Reason::sieving_allowed_by_hint, true},
    {"sieving writes allowed, no locks", small_pieces(Direction::write),
     [](Hints& hints, Traits& traits) { hints.romio_ds_write = Toggle::enable, traits.range_locks = false; }, Strategy::pieces,
     Reason::small_pieces_far_apart, false},
    {"sieving writes allowed, cannot read", small_pieces(Direction::write),
     [](Hints& hints, Traits& traits) { hints.romio_ds_write = Toggle::enable, traits.readable = false; }, Strategy::pieces,
     Reason::small_pieces_far_apart, true},
    {"a contiguous writer among sieving ones locks", {Direction::write, 100, {0, 100}, 1, true, true, false},
     [](Hints& hints, Traits&) { hints.romio_ds_write = Toggle::enable; }, Strategy::contiguous, Reason::one_piece, true},
    {"sieving reads forbidden", small_pieces(Direction::read), [](Hints& hints, Traits&) { hints.romio_ds_read = Toggle::disable; }, Strategy::pieces,
     Reason::forced_by_hint, false},
    {"forced pieces", small_pieces(Direction::read), [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::pieces; }, Strategy::pieces,
     Reason::forced_by_hint, false},
    {"forced sieve cannot write", small_pieces(Direction::write), [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::sieve; },
     Strategy::pieces, Reason::small_pieces_far_apart, false},
    {"forced rmw", small_pieces(Direction::write), [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::rmw; }, Strategy::rmw,
     Reason::forced_by_hint, true},
    {"forced rmw cannot read", small_pieces(Direction::read), [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::rmw; }, Strategy::sieve,
     Reason::small_pieces_close_together, false},
    {"forced mapped, not offered", small_pieces(Direction::write), [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::mapped; },
     Strategy::pieces, Reason::small_pieces_far_apart, false},
    {"forced mapped", small_pieces(Direction::write),
     [](Hints& hints, Traits& traits) { hints.collate_strategy = Strategy::mapped, traits.mapped_stores = true; }, Strategy::mapped,
     Reason::forced_by_hint, false},
    {"atomic is never read-modify-write, window by window", changed(small_pieces(Direction::write), [](auto& access) { access.atomic = true; }),
     [](Hints& hints, Traits&) { hints.collate_strategy = Strategy::rmw; }, Strategy::pieces, Reason::small_pieces_far_apart, true},
    {"atomic pieces are locked", changed(small_pieces(Direction::write), [](auto& access) { access.atomic = true; }), {}, Strategy::pieces,
     Reason::small_pieces_far_apart, true},
};

TEST(PlanIndependent, Table) {
  for (const IndependentRow& row : independent_rows) {
    SCOPED_TRACE(row.name);
    Hints hints;
    Traits traits;
    if (row.with) row.with(hints, traits);
    const IndependentPlan plan = plan_independent(row.access, hints, traits);
    EXPECT_EQ(plan.strategy, row.strategy) << describe(plan);
    EXPECT_EQ(plan.reason, row.reason) << describe(plan);
    EXPECT_EQ(plan.locked, row.locked);
    EXPECT_FALSE(describe(plan).empty());
  }
}

TEST(PlanIndependent, BuffersFollowTheHints) {
  Hints hints;
  hints.ind_rd_buffer_size = 1000;
  hints.ind_wr_buffer_size = 2000;
  Traits traits;
  traits.sieve_hole = 77;
  const IndependentPlan read = plan_independent(small_pieces(Direction::read), hints, traits);
  EXPECT_EQ(read.buffer, 1000);
  EXPECT_EQ(read.hole, 77);
  hints.romio_ds_write = Toggle::enable;
  const IndependentPlan write = plan_independent(small_pieces(Direction::write), hints, traits);
  EXPECT_EQ(write.buffer, 2000);
  EXPECT_EQ(write.hole, 2000);
  hints.romio_ds_read = Toggle::enable;
  EXPECT_EQ(plan_independent(small_pieces(Direction::read), hints, traits).hole, 1000);
}

// Four ranks, `piece` bytes each in turn, `tiles` times; every tile is `tile` bytes long.
std::vector<Summary> interleaved(Length piece, Length tile, Count tiles = 1000) {
  std::vector<Summary> summaries(4);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    Summary& summary = summaries[rank];
    summary.bytes = piece * tiles;
    summary.pieces = tiles;
    summary.span = {static_cast<Offset>(rank) * piece, static_cast<Offset>(rank) * piece + (tiles - 1) * tile + piece};
    summary.contiguous = false;
  }
  return summaries;
}

std::vector<Summary> regions() {
  std::vector<Summary> summaries(4);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    summaries[rank].bytes = 100;
    summaries[rank].pieces = 1;
    summaries[rank].span = {static_cast<Offset>(rank) * 100, static_cast<Offset>(rank) * 100 + 100};
  }
  return summaries;
}

Topology one_node() { return {0, {0, 0, 0, 0}, 1, true}; }
Topology two_nodes() { return {0, {0, 0, 1, 1}, 2, true}; }

struct CollectiveRow {
  const char* name;
  std::vector<Summary> summaries;
  CollectiveAccess access;
  std::function<void(Hints&)> with;
  Topology topology;
  Strategy strategy;
  Reason reason;
};

std::vector<Summary> edited(std::vector<Summary> summaries, const std::function<void(std::vector<Summary>&)>& edit) {
  edit(summaries);
  return summaries;
}

constexpr CollectiveAccess writing{Direction::write, false};
constexpr CollectiveAccess reading{Direction::read, false};

const std::vector<CollectiveRow> collective_rows{
    {"nobody has data", std::vector<Summary>(4), writing, {}, one_node(), Strategy::direct, Reason::no_data},
    {"small pieces on one node", interleaved(64, 256), writing, {}, one_node(), Strategy::node, Reason::ranks_interleave_on_one_node},
    {"small pieces on two nodes", interleaved(64, 256), writing, {}, two_nodes(), Strategy::messages, Reason::ranks_interleave_across_nodes},
    {"no shared memory", interleaved(64, 256), writing, {}, {0, {0, 0, 0, 0}, 1, false}, Strategy::messages, Reason::no_shared_memory},
    {"large pieces", interleaved(MiB, 4 * MiB, 10), writing, {}, one_node(), Strategy::direct, Reason::large_pieces},
    {"16 KiB pieces are large for reading", interleaved(16384, 65536), reading, {}, one_node(), Strategy::direct, Reason::large_pieces},
    {"16 KiB pieces are small for writing", interleaved(16384, 65536), writing, {}, one_node(), Strategy::node, Reason::ranks_interleave_on_one_node},
    {"sparse write", interleaved(64, 2000), writing, {}, one_node(), Strategy::direct, Reason::union_is_sparse},
    {"the same union is dense enough to read", interleaved(64, 2000), reading, {}, one_node(), Strategy::node, Reason::ranks_interleave_on_one_node},
    {"a region each", regions(), writing, {}, one_node(), Strategy::direct, Reason::ranks_do_not_interleave},
    {"one rank", edited(interleaved(64, 256), [](auto& all) { all[0] = all[1] = all[2] = Summary{}; }), writing, {}, one_node(), Strategy::direct,
     Reason::one_rank_has_data},
    {"not ordered", edited(interleaved(64, 256), [](auto& all) { all[2].ordered = false; }), reading, {}, one_node(), Strategy::direct,
     Reason::not_ordered},
    {"an empty rank does not matter", edited(interleaved(64, 256), [](auto& all) { all[2] = Summary{}, all[2].ordered = false; }), writing, {},
     one_node(), Strategy::node, Reason::ranks_interleave_on_one_node},
    {"atomic", interleaved(64, 256), {Direction::write, true}, {}, one_node(), Strategy::direct, Reason::atomic_mode},
    {"disabled for writing", interleaved(64, 256), writing, [](Hints& hints) { hints.romio_cb_write = Toggle::disable; }, one_node(),
     Strategy::direct, Reason::collective_buffering_disabled},
    {"disabled for writing, reading", interleaved(64, 256), reading, [](Hints& hints) { hints.romio_cb_write = Toggle::disable; }, one_node(),
     Strategy::node, Reason::ranks_interleave_on_one_node},
    {"disabled altogether", interleaved(64, 256), reading, [](Hints& hints) { hints.collective_buffering = false; }, one_node(), Strategy::direct,
     Reason::collective_buffering_disabled},
    {"wanted for a region each", regions(), writing, [](Hints& hints) { hints.romio_cb_write = Toggle::enable; }, one_node(), Strategy::node,
     Reason::ranks_interleave_on_one_node},
    {"forced node", regions(), writing, [](Hints& hints) { hints.collate_strategy = Strategy::node; }, one_node(), Strategy::node,
     Reason::forced_by_hint},
    {"forced node across nodes", interleaved(64, 256), writing, [](Hints& hints) { hints.collate_strategy = Strategy::node; }, two_nodes(),
     Strategy::messages, Reason::ranks_interleave_across_nodes},
    {"forced messages", regions(), reading, [](Hints& hints) { hints.collate_strategy = Strategy::messages; }, one_node(), Strategy::messages,
     Reason::forced_by_hint},
    {"forced independent strategy", interleaved(64, 256), writing, [](Hints& hints) { hints.collate_strategy = Strategy::pieces; }, one_node(),
     Strategy::direct, Reason::forced_by_hint},
};

TEST(PlanCollective, Table) {
  for (const CollectiveRow& row : collective_rows) {
    SCOPED_TRACE(row.name);
    Hints hints;
    if (row.with) row.with(hints);
    const CollectivePlan plan = plan_collective(row.summaries, row.access, hints, row.topology);
    EXPECT_EQ(plan.strategy, row.strategy) << describe(plan);
    EXPECT_EQ(plan.reason, row.reason) << describe(plan);
    EXPECT_FALSE(plan.refusal.has_value());
    EXPECT_FALSE(describe(plan).empty());
  }
}

TEST(PlanCollective, WindowsAreAlignedAndCoverTheSpan) {
  for (const Length size : {Length{64}, Length{100}, Length{4096}, MiB}) {
    for (const Offset begin : {Offset{0}, Offset{1}, Offset{63}, Offset{64}, Offset{1000}}) {
      std::vector<Summary> summaries = interleaved(64, 256);
      for (Summary& summary : summaries) summary.span = {summary.span.begin + begin, summary.span.end + begin};
      Hints hints;
      hints.collate_window_size = size;
      hints.collate_strategy = Strategy::node;
      const CollectivePlan plan = plan_collective(summaries, writing, hints, one_node());
      ASSERT_GT(plan.windows.count, 0);
      EXPECT_EQ(plan.windows.origin % size, 0);
      EXPECT_LE(plan.windows.range(0).begin, plan.span.begin);
      EXPECT_GT(plan.windows.range(0).end, plan.span.begin);
      EXPECT_LT(plan.windows.range(plan.windows.count - 1).begin, plan.span.end);
      EXPECT_GE(plan.windows.range(plan.windows.count - 1).end, plan.span.end);
    }
  }
}

TEST(PlanCollective, SlotsFitTheBuffer) {
  Hints hints;
  hints.collate_strategy = Strategy::node;
  hints.collate_window_size = 1000;
  hints.cb_buffer_size = 3500;
  hints.collate_windows = 8;
  EXPECT_EQ(plan_collective(interleaved(64, 256), writing, hints, one_node()).slots, 3);
  hints.collate_windows = 2;
  EXPECT_EQ(plan_collective(interleaved(64, 256), writing, hints, one_node()).slots, 2);
  hints.cb_buffer_size = 500;
  const CollectivePlan small = plan_collective(interleaved(64, 256), writing, hints, one_node());
  EXPECT_EQ(small.slots, 1);
  EXPECT_EQ(small.windows.size, 500);
}

TEST(PlanCollective, AggregatorsSpreadOverNodes) {
  Hints hints;
  hints.collate_strategy = Strategy::messages;
  hints.cb_buffer_size = 256;
  const Topology uneven{0, {0, 0, 0, 1, 2, 2}, 3, true};
  const std::vector<std::vector<int>> expected{{0, 3, 4}, {0}, {0, 3}, {0, 3, 4}, {0, 1, 3, 4}, {0, 1, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}};
  for (std::size_t wanted = 0; wanted < expected.size(); ++wanted) {
    hints.cb_nodes = static_cast<int>(wanted);
    std::vector<Summary> summaries = interleaved(64, 256);
    summaries.resize(6);
    const CollectivePlan plan = plan_collective(summaries, writing, hints, uneven);
    EXPECT_EQ(plan.aggregators, expected[wanted]) << wanted;
    const auto aggregators = static_cast<Count>(plan.aggregators.size());
    EXPECT_GE(plan.windows_per_domain * aggregators, plan.windows.count);
    EXPECT_LT((plan.windows_per_domain - 1) * aggregators, plan.windows.count);
  }
}

TEST(FirstRefusal, CallsAreComparedBeforeErrors) {
  std::vector<Summary> summaries = interleaved(64, 256);
  EXPECT_FALSE(first_refusal(summaries).has_value());
  summaries[3].refused = true;
  summaries[3].error = system_failure(ENOSPC, 12);
  summaries[2].refused = true;
  summaries[2].error = system_failure(EIO, 10);
  ASSERT_TRUE(first_refusal(summaries).has_value());
  EXPECT_EQ(first_refusal(summaries)->code, ErrorClass::io);
  EXPECT_EQ(first_refusal(summaries)->rank, 2);
  EXPECT_EQ(first_refusal(summaries)->offset, 10);
  summaries[1].call = Call::write_all;
  EXPECT_EQ(first_refusal(summaries)->code, ErrorClass::not_same);
  summaries[1].call = summaries[0].call;
  summaries[1].sequence = 9;
  EXPECT_EQ(first_refusal(summaries)->code, ErrorClass::not_same);
  EXPECT_TRUE(plan_collective(summaries, writing, Hints(), one_node()).refusal.has_value());
}

}  // namespace

IndependentAccess close_pieces(Direction direction) {
  IndependentAccess access;
  access.direction = direction;
  access.bytes = 64 * 1000;
  access.pieces = 1000;
  access.span = {0, 256 * 1000};
  access.contiguous = false;
  return access;
}

TEST(GoesAhead, OnlyWhereOtherRanksHaveNothingToAdd) {
  port::DriverTraits traits;
  traits.mapped_stores = traits.mapped_loads = traits.cheap_loads = true;
  traits.mapped_stride = 8192;
  hints::Hints hints;
  const auto ahead = [&](const IndependentAccess& access) { return goes_ahead(access, plan_independent(access, hints, traits), hints, traits); };
  EXPECT_TRUE(ahead(close_pieces(Direction::read)));
  EXPECT_FALSE(ahead(close_pieces(Direction::write)));
  IndependentAccess piece = close_pieces(Direction::write);
  piece.contiguous = true;
  EXPECT_TRUE(ahead(piece));
  traits.remote = true;
  EXPECT_FALSE(ahead(piece));
  traits.remote = false;
  traits.cheap_loads = false;
  EXPECT_FALSE(ahead(close_pieces(Direction::read)));
  hints.romio_cb_write = hints::Toggle::enable;
  EXPECT_FALSE(ahead(piece));
}

}  // namespace collate::plan
