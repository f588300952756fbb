// Normalising constructors and queries of Layout.
//
// Every constructor first tries to say the same with less: empty parts vanish, touching neighbours become one,
// a constant step becomes `strided`, and strided(c1, c2 * s, strided(c2, s, x)) becomes strided(c1 * c2, s, x).
// The hull, the piece count and the `ordered` flag are computed once, bottom up.
#include "layout/layout.hpp"

#include <algorithm>
#include <limits>

namespace collate::layout {
namespace {

constexpr Count many = std::numeric_limits<Count>::max();

Count saturating_multiply(Count a, Count b) { return checked_multiply(a, b).value_or(many); }
Count saturating_add(Count a, Count b) { return checked_add(a, b).value_or(many); }

NodeRef bytes_node(Length size) {
  auto node = std::make_shared<Node>();
  node->size = size;
  node->high = size;
  return node;
}

// Where the last byte of the stream may still be merged with what follows: only whole `bytes` nodes merge.
bool is_bytes(const NodeRef& node) { return node->kind == Node::Kind::bytes; }

NodeRef strided_node(Count count, Offset stride, const NodeRef& child) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::strided;
  node->count = count;
  node->stride = stride;
  node->child = child;
  node->size = count * child->size;
  const Offset last = (count - 1) * stride;
  node->low = child->low + std::min<Offset>(0, last);
  node->high = child->high + std::max<Offset>(0, last);
  node->pieces = saturating_multiply(count, child->pieces);
  node->ordered = child->ordered && stride >= child->high - child->low;
  node->depth = child->depth + 1;
  return node;
}

// The hull and order of a list of (offset, child) pairs, child given by `at`.
template <class ChildAt>
void measure_list(Node& node, ChildAt at) {
  node.count = static_cast<Count>(node.offsets.size());
  node.low = std::numeric_limits<Offset>::max();
  node.high = std::numeric_limits<Offset>::min();
  node.pieces = 0;
  Offset previous_end = std::numeric_limits<Offset>::min();
  for (std::size_t i = 0; i < node.offsets.size(); ++i) {
    const Node& child = at(i);
    const Offset low = node.offsets[i] + child.low;
    const Offset high = node.offsets[i] + child.high;
    node.ordered = node.ordered && child.ordered && low >= previous_end;
    previous_end = high;
    node.low = std::min(node.low, low);
    node.high = std::max(node.high, high);
    node.pieces = saturating_add(node.pieces, child.pieces);
    node.depth = std::max(node.depth, child.depth + 1);
  }
}

NodeRef indexed_node(std::vector<Offset> offsets, const NodeRef& child) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::indexed;
  node->offsets = std::move(offsets);
  node->child = child;
  measure_list(*node, [&](std::size_t) -> const Node& { return *child; });
  node->size = node->count * child->size;
  return node;
}

// The common step of a list, if it has one.
bool constant_step(const std::vector<Offset>& offsets, Offset& step) {
  step = offsets.size() > 1 ? offsets[1] - offsets[0] : 0;
  for (std::size_t i = 2; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - 1] != step) return false;
  }
  return true;
}

// Merges blocks that touch; both lists shrink together.
void merge_touching(std::vector<Offset>& offsets, std::vector<Length>& lengths) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (lengths[i] == 0) continue;
    if (kept > 0 && offsets[kept - 1] + lengths[kept - 1] == offsets[i]) {
      lengths[kept - 1] += lengths[i];
      continue;
    }
    offsets[kept] = offsets[i];
    lengths[kept] = lengths[i];
    ++kept;
  }
  offsets.resize(kept);
  lengths.resize(kept);
}

NodeRef blocks_node(std::vector<Offset> offsets, const std::vector<Length>& lengths) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::blocks;
  node->offsets = std::move(offsets);
  node->prefix.reserve(lengths.size() + 1);
  node->prefix.push_back(0);
  Node scratch;
  measure_list(*node, [&](std::size_t i) -> const Node& {
    scratch.high = lengths[i];
    return scratch;
  });
  for (const Length length : lengths) node->prefix.push_back(node->prefix.back() + length);
  node->size = node->prefix.back();
  node->depth = 1;
  return node;
}

NodeRef group_node(std::vector<Layout>& parts) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::group;
  node->prefix.push_back(0);
  for (const Layout& part : parts) {
    node->offsets.push_back(part.origin());
    node->children.push_back(part.node_ref());
    node->prefix.push_back(node->prefix.back() + part.size());
  }
  node->size = node->prefix.back();
  measure_list(*node, [&](std::size_t i) -> const Node& { return *node->children[i]; });
  return node;
}

// First entry of a sorted prefix list whose bytes reach beyond `position`.
std::size_t entry_holding(const std::vector<Length>& prefix, Length position) {
  return static_cast<std::size_t>(std::upper_bound(prefix.begin() + 1, prefix.end(), position) - prefix.begin()) - 1;
}

Length bytes_below_in(const Node& node, Offset offset);

Length below_in_list(const Node& node, Offset offset) {
  const bool same = node.kind == Node::Kind::indexed;
  const auto low_of = [&](std::size_t i) {
    if (same) return node.offsets[i] + node.child->low;
    return node.kind == Node::Kind::blocks ? node.offsets[i] : node.offsets[i] + node.children[i]->low;
  };
  std::size_t first = 0;
  std::size_t beyond = node.offsets.size();  // first entry that starts at or above `offset`
  while (first < beyond) {
    const std::size_t middle = (first + beyond) / 2;
    if (low_of(middle) < offset) first = middle + 1;
    else beyond = middle;
  }
  if (beyond == 0) return 0;
  const std::size_t last = beyond - 1;
  if (node.kind == Node::Kind::blocks) {
    return node.prefix[last] + std::min(offset - node.offsets[last], node.prefix[last + 1] - node.prefix[last]);
  }
  const Node& child = same ? *node.child : *node.children[last];
  const Length before = same ? static_cast<Length>(last) * child.size : node.prefix[last];
  return before + bytes_below_in(child, offset - node.offsets[last]);
}

Length bytes_below_in(const Node& node, Offset offset) {
  if (offset <= node.low) return 0;
  if (offset >= node.high) return node.size;
  if (node.kind == Node::Kind::bytes) return offset;
  if (node.kind != Node::Kind::strided) return below_in_list(node, offset);
  const Count index = std::clamp<Count>(floor_divide(offset - node.child->low, node.stride), 0, node.count - 1);
  return index * node.child->size + bytes_below_in(*node.child, offset - index * node.stride);
}

}  // namespace

Layout Layout::shifted(Offset by) const { return node_ ? Layout(origin_ + by, node_) : Layout(); }

Layout Layout::bytes(Length size) { return size > 0 ? Layout(0, bytes_node(size)) : Layout(); }

Layout Layout::strided(Count count, Offset stride, const Layout& child) {
  if (count <= 0 || child.empty()) return {};
  if (count == 1) return child;
  const NodeRef& node = child.node_;
  if (is_bytes(node) && stride == node->size) return Layout(child.origin_, bytes_node(count * node->size));
  const bool one_level = node->kind == Node::Kind::strided && stride == checked_multiply(node->count, node->stride);
  if (one_level) return Layout(child.origin_, strided_node(count * node->count, node->stride, node->child));
  return Layout(child.origin_, strided_node(count, stride, node));
}

Layout Layout::indexed(std::vector<Offset> offsets, const Layout& child) {
  if (offsets.empty() || child.empty()) return {};
  Offset step = 0;
  if (constant_step(offsets, step)) {
    return strided(static_cast<Count>(offsets.size()), step, child).shifted(offsets.front());
  }
  if (is_bytes(child.node_)) {
    std::vector<Length> lengths(offsets.size(), child.size());
    return blocks(std::move(offsets), std::move(lengths)).shifted(child.origin_);
  }
  return Layout(child.origin_, indexed_node(std::move(offsets), child.node_));
}

Layout Layout::blocks(std::vector<Offset> offsets, std::vector<Length> lengths) {
  merge_touching(offsets, lengths);
  if (offsets.empty()) return {};
  const bool equal = std::all_of(lengths.begin(), lengths.end(), [&](Length length) { return length == lengths[0]; });
  if (equal) {
    Offset step = 0;
    const Layout child = bytes(lengths[0]);
    if (constant_step(offsets, step)) {
      return strided(static_cast<Count>(offsets.size()), step, child).shifted(offsets.front());
    }
    return Layout(0, indexed_node(std::move(offsets), child.node_));
  }
  return Layout(0, blocks_node(std::move(offsets), lengths));
}

Layout Layout::group(std::vector<Layout> parts) {
  std::erase_if(parts, [](const Layout& part) { return part.empty(); });
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts.front();
  if (std::all_of(parts.begin(), parts.end(), [](const Layout& part) { return is_bytes(part.node_); })) {
    std::vector<Offset> offsets;
    std::vector<Length> lengths;
    for (const Layout& part : parts) {
      offsets.push_back(part.origin_);
      lengths.push_back(part.size());
    }
    return blocks(std::move(offsets), std::move(lengths));
  }
  const NodeRef& first = parts.front().node_;
  if (std::all_of(parts.begin(), parts.end(), [&](const Layout& part) { return part.node_ == first; })) {
    std::vector<Offset> offsets;
    for (const Layout& part : parts) offsets.push_back(part.origin_);
    return indexed(std::move(offsets), Layout(0, first));
  }
  return Layout(0, group_node(parts));
}

Offset Layout::offset_of(Length position) const {
  Offset base = origin_;
  const Node* node = node_.get();
  while (node->kind != Node::Kind::bytes) {
    if (node->kind == Node::Kind::strided || node->kind == Node::Kind::indexed) {
      const Count index = position / node->child->size;
      position -= index * node->child->size;
      base += node->kind == Node::Kind::strided ? index * node->stride : node->offsets[static_cast<std::size_t>(index)];
      node = node->child.get();
      continue;
    }
    const std::size_t entry = entry_holding(node->prefix, position);
    base += node->offsets[entry];
    position -= node->prefix[entry];
    if (node->kind == Node::Kind::blocks) break;
    node = node->children[entry].get();
  }
  return base + position;
}

Length Layout::bytes_below(Offset offset) const { return node_ ? bytes_below_in(*node_, offset - origin_) : 0; }

}  // namespace collate::layout
