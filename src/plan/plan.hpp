// plan/plan.hpp - a decision as data: what will be done for one access, and why.
//
// Made by the pure functions below, the same on every rank from the same inputs; run by execute, which decides
// nothing. `describe` says it in words.
//
//   IndependentPlan own = plan_independent(access, hints, traits);
//   CollectivePlan all = plan_collective(summaries, {direction, atomic}, hints, topology);
//
// Cost: O(1) independent, O(ranks) collective. Thread rule: pure functions, plain values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hints/hints.hpp"
#include "plan/summary.hpp"
#include "port/driver_traits.hpp"

namespace collate::plan {

using hints::Strategy;

enum class Reason : std::uint8_t {
  forced_by_hint,
  no_data,
  one_piece,
  large_pieces,
  small_pieces_close_together,
  small_pieces_far_apart,
  not_ordered,
  sieving_allowed_by_hint,
  collective_buffering_disabled,
  one_rank_has_data,
  ranks_do_not_interleave,
  union_is_sparse,
  ranks_interleave_on_one_node,
  ranks_interleave_across_nodes,
  no_shared_memory,
  atomic_mode,
};

struct IndependentPlan {
  Strategy strategy = Strategy::contiguous;  // contiguous, pieces, sieve, mapped or rmw
  Reason reason = Reason::one_piece;
  Length buffer = 0;    // bytes of staging memory at most
  Length hole = 0;      // sieve and rmw: the largest hole that is moved along
  bool locked = false;  // hold a lock: on the whole span, but on each window for rmw and for exchanged windows
};

// What the planner must know of one independent access.
struct IndependentAccess {
  Direction direction = Direction::read;
  Length bytes = 0;
  ByteRange span;
  Count pieces = 0;
  bool ordered = true;
  bool contiguous = true;
  bool atomic = false;
};

// What all ranks know of a collective access before they compare notes.
struct CollectiveAccess {
  Direction direction = Direction::read;
  bool atomic = false;
};

struct Topology {
  int rank = 0;
  std::vector<int> node_of_rank;
  int nodes = 1;
  bool shared_memory = true;  // the ranks of a node can share memory
};

// Windows are aligned pieces of the file, numbered from 0; the last may reach beyond `span`.
struct Windows {
  Offset origin = 0;  // of window 0, a multiple of `size`
  Length size = 0;
  Count count = 0;
  [[nodiscard]] ByteRange range(Count index) const noexcept { return {origin + index * size, origin + (index + 1) * size}; }
};

struct CollectivePlan {
  Strategy strategy = Strategy::direct;  // contiguous (nothing to move), direct, node or messages
  Reason reason = Reason::no_data;
  Direction direction = Direction::read;
  ByteRange span;                 // of all ranks together
  Length bytes = 0;               // of all ranks together
  Windows windows;                // node, messages
  int slots = 0;                  // node: windows in memory at once
  bool covered = false;           // write: the pieces may cover every byte of the span (checked per window)
  std::vector<int> aggregators;   // messages: ranks, in file order of their domains
  Count windows_per_domain = 0;   // messages: consecutive windows that one aggregator owns
  std::optional<Error> refusal;   // the first error any rank brought: nothing will be moved
};

[[nodiscard]] IndependentPlan plan_independent(const IndependentAccess& access, const hints::Hints& hints, const port::DriverTraits& traits);

[[nodiscard]] CollectivePlan plan_collective(std::span<const Summary> summaries, const CollectiveAccess& access, const hints::Hints& hints,
                                             const Topology& topology);

// Whether a rank may move its part of a collective access before it knows of the others, `own` being how: a single
// piece of a local file gains nothing from them, nor do reads of large pieces or through cheap mappings. It then
// brings no bytes to the agreement, only how it went.
[[nodiscard]] bool goes_ahead(const IndependentAccess& access, const IndependentPlan& own, const hints::Hints& hints,
                              const port::DriverTraits& traits);

// The first Error among the summaries, or the one that says that the ranks are not in the same call.
[[nodiscard]] std::optional<Error> first_refusal(std::span<const Summary> summaries);

// "mapped stores: small pieces close together"
[[nodiscard]] std::string describe(const IndependentPlan& plan);
// "exchange on the node: the ranks' pieces interleave on one node; 64 windows of 1 MiB, 8 in memory"
[[nodiscard]] std::string describe(const CollectivePlan& plan);

}  // namespace collate::plan
