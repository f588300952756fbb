// execute/collective.hpp - runs a CollectivePlan: all ranks of a file move their bytes together.
//
// Guarantees: every rank returns the same Error if any rank met one; every byte of a write is in the file when it
// returns. Keeps what is worth keeping between calls (shared windows). Thread rule: one at a time per file.
#pragma once

#include "execute/agree.hpp"
#include "execute/message_exchange.hpp"
#include "execute/node_exchange.hpp"

namespace collate::execute {

struct CollectiveSetting {
  const plan::CollectivePlan& plan;
  std::span<const plan::Summary> summaries;
  const plan::IndependentPlan& own;   // for what this rank moves by itself
  const view::Transfer& transfer;
  plan::Summary stamp;                // this call's summary, for the final agreement
};

class Collective {
 public:
  Collective(port::Comm& comm, Agreement& agreement, Bench bench) : comm_(comm), agreement_(agreement), bench_(bench) {}

  Task<Result<Length>> run(CollectiveSetting setting);

 private:
  Task<bool> prepare_node_exchange(const plan::CollectivePlan& plan);
  Task<Result<Length>> finish(plan::Summary stamp, Result<Length> mine);

  port::Comm& comm_;
  Agreement& agreement_;
  Bench bench_;
  std::unique_ptr<NodeExchange> node_;
};

}  // namespace collate::execute
