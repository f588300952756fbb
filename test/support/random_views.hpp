// test/support/random_views.hpp - random file views for all ranks of a case: how programs cut up a file.
//
// Families: a repeated tile whose slots are dealt out to ranks (at random, cyclic, in blocks, with holes); a
// vector shifted by rank; a darray; regions of their own; any type for anybody. Those of the first four families
// are disjoint. Ordered views never touch a byte twice and ascend; unordered ones are for reading only. `large`
// makes etypes of several KiB.
// Thread rule: one thread.
#pragma once

#include "file/file.hpp"
#include "support/random_types.hpp"
#include "support/reference_engine.hpp"

namespace collate::sim {

struct RankView {
  file::ViewArguments made;
  ReferenceView naive;
  bool ordered = true;
  bool empty = false;  // this rank moves nothing through it
  std::string text;
};

[[nodiscard]] std::vector<RankView> random_views(Random& random, int ranks, bool large);
// For reading: displacements may go back and touch bytes again.
[[nodiscard]] std::vector<RankView> unordered_views(Random& random, int ranks, bool large);
[[nodiscard]] RankView byte_stream();

}  // namespace collate::sim
