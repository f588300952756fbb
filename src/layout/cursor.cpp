// A cursor keeps the path from the root to a leaf: one frame per inner node (which child it is in, and where that
// node's origin lies). A leaf is whatever can hand out Runs by itself: bytes, strided bytes, indexed bytes, blocks.
#include "layout/cursor.hpp"

#include <algorithm>

namespace collate::layout {
namespace {

bool hands_out_runs(const Node& node) {
  switch (node.kind) {
    case Node::Kind::bytes:
    case Node::Kind::blocks:
      return true;
    case Node::Kind::strided:
    case Node::Kind::indexed:
      return node.child->kind == Node::Kind::bytes;
    case Node::Kind::group:
      return false;
  }
  return false;
}

const Node* child_at(const Node& node, Count index) {
  return node.kind == Node::Kind::group ? node.children[static_cast<std::size_t>(index)].get() : node.child.get();
}

Offset child_offset(const Node& node, Count index) {
  return node.kind == Node::Kind::strided ? index * node.stride : node.offsets[static_cast<std::size_t>(index)];
}

}  // namespace

Cursor::Cursor(Layout layout) : layout_(std::move(layout)) { seek(0); }

void Cursor::seek(Length position) {
  position_ = position;
  frames_.clear();
  leaf_ = nullptr;
  if (position < layout_.size()) descend(layout_.node(), layout_.origin(), position);
}

void Cursor::descend(const Node* node, Offset base, Length within) {
  while (!hands_out_runs(*node)) {
    Count index = 0;
    if (node->kind == Node::Kind::group) {
      const auto beyond = std::upper_bound(node->prefix.begin() + 1, node->prefix.end(), within);
      index = static_cast<Count>(beyond - node->prefix.begin()) - 1;
      within -= node->prefix[static_cast<std::size_t>(index)];
    } else {
      index = within / node->child->size;
      within -= index * node->child->size;
    }
    frames_.push_back({node, index, base});
    base += child_offset(*node, index);
    node = child_at(*node, index);
  }
  leaf_ = node;
  leaf_base_ = base;
  within_ = within;
  block_ = 0;
  if (node->kind == Node::Kind::blocks && within > 0) {
    block_ = static_cast<Count>(std::upper_bound(node->prefix.begin() + 1, node->prefix.end(), within) - node->prefix.begin()) - 1;
  }
}

// The leaf is used up: step to the next child of the nearest node that has one.
void Cursor::climb() {
  leaf_ = nullptr;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (++frame.index < frame.node->count) {
      const Offset base = frame.base + child_offset(*frame.node, frame.index);
      descend(child_at(*frame.node, frame.index), base, 0);
      return;
    }
    frames_.pop_back();
  }
}

Run Cursor::cut_leaf(Length limit) {
  const Node& leaf = *leaf_;
  if (leaf.kind == Node::Kind::bytes) return {leaf_base_ + within_, std::min(leaf.size - within_, limit), 0, 1};
  if (leaf.kind == Node::Kind::blocks) {
    const auto entry = static_cast<std::size_t>(block_);
    const Length inside = within_ - leaf.prefix[entry];
    const Length rest = leaf.prefix[entry + 1] - within_;
    if (rest <= limit) ++block_;
    return {leaf_base_ + leaf.offsets[entry] + inside, std::min(rest, limit), 0, 1};
  }
  const Length piece = leaf.child->size;
  const Count index = within_ / piece;
  const Length inside = within_ - index * piece;
  const Offset start = leaf_base_ + child_offset(leaf, index) + inside;
  if (leaf.kind == Node::Kind::indexed || inside > 0 || limit < piece) return {start, std::min(piece - inside, limit), leaf.stride, 1};
  return {start, piece, leaf.stride, std::min(leaf.count - index, limit / piece)};
}

std::optional<Run> Cursor::next(Length limit) {
  if (leaf_ == nullptr || limit <= 0) return std::nullopt;
  const Run run = cut_leaf(limit);
  within_ += run.bytes();
  position_ += run.bytes();
  if (within_ == leaf_->size) climb();
  return run;
}

}  // namespace collate::layout
