// execute/agree.hpp - every rank learns every rank's record: how summaries and errors are compared.
//
// Where all ranks share memory, records go over a board in it: each rank writes its own, the last to arrive wakes
// the others. The board has two sides used in turn; a side is used again only after everybody has arrived at the
// other one, and hence has read it. Elsewhere it is one allgather of the Comm. Waiting sleeps.
//
// Cost on a node: one cache line per rank and one wake-up. Thread rule: one gather at a time per Agreement.
#pragma once

#include <vector>

#include "base/task.hpp"
#include "plan/summary.hpp"
#include "port/comm.hpp"

namespace collate::execute {

class Agreement {
 public:
  // `board` may be null (no shared memory); otherwise board_bytes(size) zeroed bytes at the same place on all ranks.
  Agreement(port::Comm& comm, std::byte* board);

  [[nodiscard]] static Length board_bytes(int ranks);

  // Collective: everybody's summaries in rank order, valid until the next gather.
  Task<std::span<const plan::Summary>> gather(plan::Summary mine);
  // Collective: the first error any rank brings, the same on all ranks.
  Task<std::optional<Error>> first_error(plan::Summary mine, Result<void> outcome);

 private:
  struct Board;
  Task<bool> gather_on_board(const plan::Summary& mine);

  port::Comm& comm_;
  Board* board_;
  std::uint32_t side_ = 0;
  std::vector<plan::Summary> summaries_;
};

}  // namespace collate::execute
