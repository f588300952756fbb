// plan/summary.hpp - what every rank must know of one rank's part in a collective access: fixed size.
//
// Exchanged once per collective call, errors included, so that all ranks make the same Plan from the same facts
// or all return the same Error. Cost: O(1) to make. Thread rule: plain value; trivially copyable on purpose.
#pragma once

#include <type_traits>

#include "base/error.hpp"
#include "view/transfer.hpp"

namespace collate::plan {

// Which collective call this is: ranks that disagree are told so instead of hanging.
enum class Call : std::uint8_t { open, close, set_size, preallocate, sync, set_info, set_atomicity, read_all, write_all };

struct Summary {
  Call call = Call::read_all;
  bool refused = false;      // `error` says why this rank cannot take part
  bool ordered = true;
  bool contiguous = true;    // one piece in the file
  std::uint32_t sequence = 0;  // collective calls on this file so far
  Count pieces = 0;
  Length bytes = 0;
  ByteRange span;
  std::int64_t argument = 0;  // what must be equal on all ranks (a size, a flag), 0 otherwise
  Error error;
};
static_assert(std::is_trivially_copyable_v<Summary>);

// The summary of a rank's access, not yet stamped with call and sequence.
[[nodiscard]] inline Summary summarize(const view::Transfer& transfer) {
  Summary summary;
  summary.bytes = transfer.bytes;
  summary.span = transfer.span;
  summary.pieces = transfer.pieces;
  summary.ordered = transfer.ordered;
  summary.contiguous = transfer.bytes == 0 || transfer.contiguous_in_file();
  return summary;
}

}  // namespace collate::plan
