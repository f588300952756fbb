// Which way all ranks move their pieces together.
//
//   gone ahead           a rank with a single piece of a local file moves it before the ranks even compare notes;
//                        so does one that reads large pieces, or small ones through a mapping that costs less than
//                        fetching them from other ranks (docs/design/0003-exchange.md)
//   nothing to exchange  one rank has data, or each rank's range stands by itself, or pieces are large: every rank
//                        does its own independent access and only errors are agreed on
//   node                 pieces interleave and all ranks share memory: they fill windows of the file together and
//                        each window is moved by one system call
//   messages             pieces interleave and ranks live on several nodes: two-phase I/O, each aggregator owns a
//                        run of windows and receives their bytes (Thakur, Gropp, Lusk 1999)
// The union's density tells whether windows would be mostly holes; then exact pieces are cheaper.
#include <algorithm>

#include "plan/plan.hpp"

namespace collate::plan {
namespace {

// Pieces of this size gain nothing from being exchanged first (bytes).
constexpr Length direct_write_piece = 1024 * 1024;
constexpr Length direct_read_piece = 16 * 1024;
// Where the holes of the union are this large, on average, windows would be mostly holes (bytes per piece).
constexpr Length large_hole = 4096;
// A written window that is less than 1/sparse_write full is not worth exchanging: it cannot be moved as a whole.
constexpr Length sparse_write = 4;

struct Together {
  Length bytes = 0;
  Count pieces = 0;
  ByteRange span;
  int ranks_with_data = 0;
  bool ordered = true;
  bool contiguous = true;  // each rank's access is one piece
  bool disjoint = true;    // the ranks' spans do not overlap
};

Together add_up(std::span<const Summary> summaries) {
  Together all;
  std::vector<ByteRange> spans;
  for (const Summary& summary : summaries) {
    if (summary.bytes == 0) continue;
    all.span = all.ranks_with_data == 0 ? summary.span
                                        : ByteRange{std::min(all.span.begin, summary.span.begin), std::max(all.span.end, summary.span.end)};
    ++all.ranks_with_data;
    all.bytes += summary.bytes;
    all.pieces += summary.pieces;
    all.ordered = all.ordered && summary.ordered;
    all.contiguous = all.contiguous && summary.contiguous;
    spans.push_back(summary.span);
  }
  std::sort(spans.begin(), spans.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < spans.size(); ++i) all.disjoint = all.disjoint && spans[i].begin >= spans[i - 1].end;
  return all;
}

bool exchange_possible(Strategy strategy, const Together& all, const Topology& topology) {
  if (!all.ordered) return false;
  return strategy == Strategy::messages || (strategy == Strategy::node && topology.nodes == 1 && topology.shared_memory);
}

bool is_sparse(const Together& all, bool reading) {
  const Length holes = all.span.size() - all.bytes;
  return holes / std::max<Count>(all.pieces, 1) >= large_hole || (!reading && all.bytes < all.span.size() / sparse_write);
}

struct Choice {
  Strategy strategy;
  Reason reason;
};

Choice choose(const Together& all, const CollectiveAccess& access, const hints::Hints& hints, const Topology& topology) {
  const bool reading = access.direction == Direction::read;
  const Strategy forced = hints.collate_strategy;
  if (all.ranks_with_data == 0) return {Strategy::direct, Reason::no_data};
  if (!all.ordered) return {Strategy::direct, Reason::not_ordered};
  if (access.atomic) return {Strategy::direct, Reason::atomic_mode};
  if (exchange_possible(forced, all, topology)) return {forced, Reason::forced_by_hint};
  if (forced != Strategy::automatic && forced != Strategy::node) return {Strategy::direct, Reason::forced_by_hint};
  const hints::Toggle buffering = reading ? hints.romio_cb_read : hints.romio_cb_write;
  if (buffering == hints::Toggle::disable || !hints.collective_buffering) return {Strategy::direct, Reason::collective_buffering_disabled};
  const bool wanted = buffering == hints::Toggle::enable;
  const Length piece = all.bytes / std::max<Count>(all.pieces, 1);
  if (!wanted) {
    if (all.ranks_with_data == 1) return {Strategy::direct, Reason::one_rank_has_data};
    if (all.disjoint && all.contiguous) return {Strategy::direct, Reason::ranks_do_not_interleave};
    if (piece >= (reading ? direct_read_piece : direct_write_piece)) return {Strategy::direct, Reason::large_pieces};
    if (is_sparse(all, reading)) return {Strategy::direct, Reason::union_is_sparse};
  }
  if (topology.nodes > 1) return {Strategy::messages, Reason::ranks_interleave_across_nodes};
  if (!topology.shared_memory) return {Strategy::messages, Reason::no_shared_memory};
  return {Strategy::node, Reason::ranks_interleave_on_one_node};
}

Windows cut_windows(ByteRange span, Length size) {
  const Offset origin = align_down(span.begin, size);
  return {origin, size, (span.end - origin + size - 1) / size};
}

// One aggregator per node unless cb_nodes says otherwise; the first rank of every node, then the second, ...
std::vector<int> choose_aggregators(const Topology& topology, const hints::Hints& hints) {
  const int ranks = static_cast<int>(topology.node_of_rank.size());
  const int wanted = std::clamp(hints.cb_nodes > 0 ? hints.cb_nodes : topology.nodes, 1, ranks);
  std::vector<int> chosen;
  std::vector<bool> taken(static_cast<std::size_t>(ranks), false);
  while (static_cast<int>(chosen.size()) < wanted) {
    std::vector<bool> node_served(static_cast<std::size_t>(topology.nodes), false);
    for (int rank = 0; rank < ranks && static_cast<int>(chosen.size()) < wanted; ++rank) {
      const auto node = static_cast<std::size_t>(topology.node_of_rank[static_cast<std::size_t>(rank)]);
      if (taken[static_cast<std::size_t>(rank)] || node_served[node]) continue;
      node_served[node] = true;
      taken[static_cast<std::size_t>(rank)] = true;
      chosen.push_back(rank);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void size_node_exchange(CollectivePlan& plan, const hints::Hints& hints) {
  const Length window = std::min(hints.collate_window_size, hints.cb_buffer_size);
  plan.windows = cut_windows(plan.span, window);
  const Length affordable = std::max<Length>(1, hints.cb_buffer_size / window);
  plan.slots = static_cast<int>(std::min<Length>(affordable, hints.collate_windows));
}

void size_message_exchange(CollectivePlan& plan, const hints::Hints& hints, const Topology& topology) {
  plan.aggregators = choose_aggregators(topology, hints);
  plan.windows = cut_windows(plan.span, std::min<Length>(hints.cb_buffer_size, 4 * hints.collate_window_size));
  const auto aggregators = static_cast<Count>(plan.aggregators.size());
  const Count least = (hints.romio_min_fdomain_size + plan.windows.size - 1) / plan.windows.size;
  plan.windows_per_domain = std::max((plan.windows.count + aggregators - 1) / aggregators, least);
}

}  // namespace

std::optional<Error> first_refusal(std::span<const Summary> summaries) {
  for (std::size_t rank = 1; rank < summaries.size(); ++rank) {
    const Summary& summary = summaries[rank];
    if (summary.call == summaries[0].call && summary.sequence == summaries[0].sequence) continue;
    Error error = refusal(ErrorClass::not_same, ErrorDetail::calls_differ);
    error.rank = static_cast<int>(rank);
    return error;
  }
  for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
    if (!summaries[rank].refused) continue;
    Error error = summaries[rank].error;
    error.rank = static_cast<int>(rank);
    return error;
  }
  return std::nullopt;
}

bool goes_ahead(const IndependentAccess& access, const IndependentPlan& own, const hints::Hints& hints, const port::DriverTraits& traits) {
  const bool reading = access.direction == Direction::read;
  const hints::Toggle buffering = reading ? hints.romio_cb_read : hints.romio_cb_write;
  const bool exchange_wanted = buffering == hints::Toggle::enable || hints.collate_strategy == Strategy::node || hints.collate_strategy == Strategy::messages;
  if (access.bytes == 0 || traits.remote || exchange_wanted) return false;
  if (access.contiguous) return true;
  const bool cheap = own.strategy == Strategy::mapped && traits.cheap_loads;
  return reading && access.ordered && (cheap || own.reason == Reason::large_pieces);
}

CollectivePlan plan_collective(std::span<const Summary> summaries, const CollectiveAccess& access, const hints::Hints& hints,
                               const Topology& topology) {
  CollectivePlan plan;
  plan.direction = access.direction;
  plan.refusal = first_refusal(summaries);
  if (plan.refusal) return plan;
  const Together all = add_up(summaries);
  const Choice choice = choose(all, access, hints, topology);
  plan.strategy = choice.strategy;
  plan.reason = choice.reason;
  plan.span = all.span;
  plan.bytes = all.bytes;
  plan.covered = all.bytes >= all.span.size();
  if (plan.strategy == Strategy::node) size_node_exchange(plan, hints);
  if (plan.strategy == Strategy::messages) size_message_exchange(plan, hints, topology);
  return plan;
}

}  // namespace collate::plan
