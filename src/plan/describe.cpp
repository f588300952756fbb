// A plan in words: what will be done, then why, then with which sizes.
#include "plan/plan.hpp"

namespace collate::plan {
namespace {

const char* words(Reason reason) {
  switch (reason) {
    case Reason::forced_by_hint: return "a hint asks for it";
    case Reason::no_data: return "there is nothing to move";
    case Reason::one_piece: return "the access is one piece of the file";
    case Reason::large_pieces: return "the pieces are large";
    case Reason::small_pieces_close_together: return "the pieces are small and close together";
    case Reason::small_pieces_far_apart: return "the pieces lie too far apart to share a page";
    case Reason::not_ordered: return "the view's pieces overlap or go backwards";
    case Reason::sieving_allowed_by_hint: return "a hint allows read-modify-write";
    case Reason::collective_buffering_disabled: return "a hint disables collective buffering";
    case Reason::one_rank_has_data: return "only one rank has data";
    case Reason::ranks_do_not_interleave: return "the ranks' parts do not interleave";
    case Reason::union_is_sparse: return "all pieces together cover little of their span";
    case Reason::ranks_interleave_on_one_node: return "the ranks' pieces interleave on one node";
    case Reason::ranks_interleave_across_nodes: return "the ranks' pieces interleave across nodes";
    case Reason::no_shared_memory: return "the ranks' pieces interleave and no memory can be shared";
    case Reason::atomic_mode: return "the file is in atomic mode";
  }
  return "";
}

const char* words(Strategy strategy) {
  switch (strategy) {
    case Strategy::automatic: return "automatic";
    case Strategy::contiguous: return "one contiguous transfer";
    case Strategy::pieces: return "exact pieces";
    case Strategy::sieve: return "sieving that leaves large holes out";
    case Strategy::mapped: return "stores through a mapping";
    case Strategy::rmw: return "read-modify-write under a lock";
    case Strategy::direct: return "each rank by itself";
    case Strategy::node: return "exchange through shared windows";
    case Strategy::messages: return "exchange by messages";
  }
  return "";
}

std::string sized(Length bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return std::to_string(bytes >> 10) + " KiB";
  return std::to_string(bytes) + " B";
}

}  // namespace

std::string describe(const IndependentPlan& plan) {
  std::string text = std::string(words(plan.strategy)) + ": " + words(plan.reason);
  if (plan.locked) text += "; under a range lock";
  return text;
}

std::string describe(const CollectivePlan& plan) {
  std::string text = std::string(words(plan.strategy)) + ": " + words(plan.reason);
  if (plan.windows.count > 0) text += "; " + std::to_string(plan.windows.count) + " windows of " + sized(plan.windows.size);
  if (plan.strategy == Strategy::node) text += ", " + std::to_string(plan.slots) + " in memory";
  if (plan.strategy == Strategy::messages) text += ", " + std::to_string(plan.aggregators.size()) + " aggregators";
  return text;
}

}  // namespace collate::plan
