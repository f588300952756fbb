// layout/cursor.hpp - walks a Layout in stream order, a Run at a time.
//
//   Cursor cursor(layout);
//   cursor.seek(4096);
//   while (auto run = cursor.next(limit)) use(*run);
// next() returns the longest Run that starts at the current position, is described by one node, and holds at
// most `limit` bytes; the cursor then stands behind it. Seeking costs O(depth x log entries), stepping O(1)
// amortised. Thread rule: one thread per cursor; the Layout may be shared.
#pragma once

#include <optional>

#include "layout/layout.hpp"
#include "layout/run.hpp"

namespace collate::layout {

class Cursor {
 public:
  explicit Cursor(Layout layout);

  void seek(Length position);
  // Bytes before the current position.
  [[nodiscard]] Length position() const noexcept { return position_; }
  [[nodiscard]] bool at_end() const noexcept { return position_ == layout_.size(); }
  // The next Run in `run`; false at the end or when limit is 0.
  [[nodiscard]] bool step(Run& run, Length limit);
  [[nodiscard]] std::optional<Run> next(Length limit) {
    Run run;
    if (!step(run, limit)) return std::nullopt;
    return run;
  }

 private:
  struct Frame {
    const Node* node;
    Count index;
    Offset base;
  };
  void descend(const Node* node, Offset base, Length within);
  void climb();
  void cut_leaf(Run& run, Length limit);

  Layout layout_;
  Length position_ = 0;
  std::vector<Frame> frames_;
  const Node* leaf_ = nullptr;  // bytes, strided of bytes, or blocks
  Offset leaf_base_ = 0;
  Count block_ = 0;    // the piece of the leaf it stands in
  Length inside_ = 0;  // bytes of that piece already walked
};

}  // namespace collate::layout
