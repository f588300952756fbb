// layout/run.hpp - the unit in which byte ranges are walked: equal pieces at equal distance.
//
// A Run is `count` pieces of `length` bytes whose starts lie `stride` apart. A row of a matrix is one Run of
// count 1; a column of 8-byte numbers of a 1000 x 1000 matrix is one Run {offset, 8, 8000, 1000}.
//
// Thread rule: plain value.
#pragma once

#include "base/units.hpp"

namespace collate::layout {

struct Run {
  Offset offset = 0;  // of the first piece
  Length length = 0;  // of each piece, > 0
  Offset stride = 0;  // from start to start; unused when count == 1
  Count count = 1;    // >= 1
  [[nodiscard]] constexpr Length bytes() const noexcept { return length * count; }
  friend constexpr bool operator==(const Run&, const Run&) = default;
};

}  // namespace collate::layout
