// layout/layout.hpp - an ordered set of byte ranges, described by a formula wherever one exists.
//
// A Layout is the type map of the MPI standard reduced to bytes: which bytes, in which order, relative to an
// origin. It is an immutable tree that is never expanded: a vector of 2^31 one-byte blocks is one node.
//   bytes    `size` bytes at 0
//   strided  `count` copies of a child, `stride` apart
//   indexed  copies of one child at listed offsets
//   blocks   listed offsets, each with its own number of bytes
//   group    different children at listed offsets
// The constructors normalise: neighbours that touch are merged, a list with a constant step becomes strided,
// strided-in-strided with matching steps becomes one level. Equal descriptions of regular data therefore
// usually become equal trees, and contiguous data always becomes one `bytes` node.
//
// Positions: the layout's bytes are numbered 0 .. size-1 in type-map order ("stream position").
// Cost: construction O(listed entries), queries O(depth x log entries). Thread rule: immutable, shareable.
#pragma once

#include <memory>
#include <vector>

#include "base/units.hpp"

namespace collate::layout {

class Node;
using NodeRef = std::shared_ptr<const Node>;

class Node {
 public:
  enum class Kind : std::uint8_t { bytes, strided, indexed, blocks, group };
  Kind kind = Kind::bytes;
  bool ordered = true;  // pieces at strictly increasing offsets, none touching a byte twice
  Length size = 0;      // bytes of data, > 0
  Offset low = 0;       // the hull: every byte lies in [low, high) relative to the node's origin
  Offset high = 0;
  Count pieces = 1;  // contiguous pieces, at most (saturates at INT64_MAX)
  Count count = 1;   // children (strided, indexed, group) or blocks
  Offset stride = 0;             // strided
  NodeRef child;                 // strided, indexed
  std::vector<Offset> offsets;   // indexed, blocks, group
  std::vector<Length> prefix;    // blocks, group: bytes before entry i; count + 1 entries
  std::vector<NodeRef> children; // group
  int depth = 1;
};

class Layout {
 public:
  Layout() = default;  // no bytes at all

  [[nodiscard]] bool empty() const noexcept { return node_ == nullptr; }
  [[nodiscard]] Length size() const noexcept { return node_ ? node_->size : 0; }
  [[nodiscard]] Offset low() const noexcept { return node_ ? origin_ + node_->low : 0; }
  [[nodiscard]] Offset high() const noexcept { return node_ ? origin_ + node_->high : 0; }
  [[nodiscard]] Count pieces() const noexcept { return node_ ? node_->pieces : 0; }
  [[nodiscard]] bool ordered() const noexcept { return node_ == nullptr || node_->ordered; }
  [[nodiscard]] bool contiguous() const noexcept { return node_ == nullptr || node_->kind == Node::Kind::bytes; }
  [[nodiscard]] Offset origin() const noexcept { return origin_; }
  [[nodiscard]] const Node* node() const noexcept { return node_.get(); }
  [[nodiscard]] const NodeRef& node_ref() const noexcept { return node_; }

  // The same bytes, `by` further on.
  [[nodiscard]] Layout shifted(Offset by) const;

  // Offset of the byte at stream position `position` (0 <= position < size).
  [[nodiscard]] Offset offset_of(Length position) const;
  // How many bytes of an `ordered` layout lie below `offset`: the inverse of offset_of.
  // Example: blocks [0,4) [10,14): bytes_below(12) = 6.
  [[nodiscard]] Length bytes_below(Offset offset) const;

  // Constructors; sizes and offsets were checked to fit 64 bits by layout/type.hpp.
  static Layout bytes(Length size);
  static Layout strided(Count count, Offset stride, const Layout& child);
  static Layout indexed(std::vector<Offset> offsets, const Layout& child);
  static Layout blocks(std::vector<Offset> offsets, std::vector<Length> lengths);
  static Layout group(std::vector<Layout> parts);

  Layout(Offset origin, NodeRef node) : origin_(origin), node_(std::move(node)) {}

 private:
  Offset origin_ = 0;
  NodeRef node_;
};

}  // namespace collate::layout
