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
  block_ = 0;
  inside_ = within;
  if (within == 0 || node->kind == Node::Kind::bytes) return;
  if (node->kind == Node::Kind::blocks) {
    block_ = static_cast<Count>(std::upper_bound(node->prefix.begin() + 1, node->prefix.end(), within) - node->prefix.begin()) - 1;
    inside_ = within - node->prefix[static_cast<std::size_t>(block_)];
  } else {
    block_ = within / node->child->size;
    inside_ = within - block_ * node->child->size;
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

// Cuts the next Run off the leaf and steps behind it.
void Cursor::cut_leaf(Run& run, Length limit) {
  const Node& leaf = *leaf_;
  const auto entry = static_cast<std::size_t>(block_);
  run.offset = leaf_base_ + inside_;
  run.length = leaf.size;
  run.stride = 0;
  run.count = 1;
  switch (leaf.kind) {
    case Node::Kind::strided:
      run.offset += block_ * leaf.stride;
      run.length = leaf.child->size;
      run.stride = leaf.stride;
      break;
    case Node::Kind::indexed:
      run.offset += leaf.offsets[entry];
      run.length = leaf.child->size;
      break;
    case Node::Kind::blocks:
      run.offset += leaf.offsets[entry];
      run.length = leaf.prefix[entry + 1] - leaf.prefix[entry];
      break;
    default:
      break;
  }
  if (inside_ > 0 || limit < run.length) {
    run.length = std::min(run.length - inside_, limit);
    inside_ += run.length;
    const Length whole = leaf.kind == Node::Kind::blocks ? leaf.prefix[entry + 1] - leaf.prefix[entry]
                         : leaf.kind == Node::Kind::bytes ? leaf.size
                                                          : leaf.child->size;
    if (inside_ == whole) {
      inside_ = 0;
      ++block_;
    }
    return;
  }
  if (leaf.kind == Node::Kind::strided) run.count = std::min(leaf.count - block_, limit / run.length);
  block_ += run.count;
}

bool Cursor::step(Run& run, Length limit) {
  if (leaf_ == nullptr || limit <= 0) return false;
  cut_leaf(run, limit);
  position_ += run.bytes();
  if (block_ == leaf_->count) climb();
  return true;
}

}  // namespace collate::layout
