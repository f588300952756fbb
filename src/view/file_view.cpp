#include "view/file_view.hpp"

#include <algorithm>
#include <limits>

namespace collate::view {
namespace {

constexpr Length endless = std::numeric_limits<Length>::max() / 4;

}  // namespace

FileView::FileView() : tile_size_(endless), tile_extent_(endless), tile_hull_{0, endless}, tiled_(layout::Layout::bytes(endless)) {}

Result<FileView> FileView::make(Offset displacement, const layout::Type& etype, const layout::Type& filetype) {
  if (displacement < 0) return refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  if (!filetype.layout.empty() && filetype.layout.low() < 0) return refusal(ErrorClass::type, ErrorDetail::view_negative);
  const Length unit = etype.size();
  if (unit > 0 ? filetype.size() % unit != 0 : filetype.size() != 0) {
    return refusal(ErrorClass::type, ErrorDetail::view_not_in_etypes);
  }
  FileView view;
  view.displacement_ = displacement;
  view.etype_size_ = unit;
  view.tile_size_ = filetype.size();
  view.tile_extent_ = filetype.extent;
  view.tile_hull_ = {filetype.layout.low(), filetype.layout.high()};
  view.tile_pieces_ = std::max<Count>(filetype.layout.pieces(), 1);
  const Length widest = std::max({filetype.size(), filetype.extent, -filetype.extent, view.tile_hull_.end, Length{1}});
  const auto room = checked_add(endless, -displacement);
  if (!room || *room < widest) return refusal(ErrorClass::type, ErrorDetail::type_overflow);
  view.tiled_ = layout::Layout::strided(*room / widest, filetype.extent, filetype.layout).shifted(displacement);
  return view;
}

Result<Offset> FileView::byte_offset(Offset position) const {
  const auto stream = checked_multiply(position, etype_size_);
  if (position < 0) return refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  if (tile_size_ == 0) return displacement_;
  if (!stream || *stream >= tiled_.size()) return refusal(ErrorClass::argument, ErrorDetail::position_overflow);
  return tiled_.offset_of(*stream);
}

Offset FileView::position_at(Offset offset) const {
  if (etype_size_ == 0 || tiled_.empty()) return 0;
  if (tiled_.ordered()) return (tiled_.bytes_below(offset) + etype_size_ - 1) / etype_size_;
  const Count tiles = tile_extent_ > 0 ? std::max<Count>(0, (offset - displacement_ + tile_extent_ - 1) / tile_extent_) : 0;
  return tiles * tile_size_ / etype_size_;
}

ByteRange FileView::span_of(Length start, Length bytes) const {
  if (tiled_.ordered()) return {tiled_.offset_of(start), tiled_.offset_of(start + bytes - 1) + 1};
  const Offset first = start / tile_size_ * tile_extent_;
  const Offset last = (start + bytes - 1) / tile_size_ * tile_extent_;
  return {displacement_ + std::min(first, last) + tile_hull_.begin, displacement_ + std::max(first, last) + tile_hull_.end};
}

Result<Transfer> FileView::transfer(Offset position, layout::Layout memory, std::byte* origin) const {
  Transfer transfer;
  transfer.bytes = memory.size();
  transfer.origin = origin;
  transfer.memory = std::move(memory);
  if (position < 0) return refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  if (transfer.bytes == 0) return transfer;
  if (etype_size_ == 0 || transfer.bytes % etype_size_ != 0) {
    return refusal(ErrorClass::argument, ErrorDetail::memory_not_in_etypes);
  }
  const auto start = checked_multiply(position, etype_size_);
  const auto end = checked_add(start.value_or(tiled_.size()), transfer.bytes);
  if (!start || !end || *end > tiled_.size()) return refusal(ErrorClass::argument, ErrorDetail::position_overflow);
  transfer.start = *start;
  transfer.file = tiled_;
  transfer.ordered = tiled_.ordered();
  transfer.span = span_of(transfer.start, transfer.bytes);
  if (transfer.contiguous_in_file()) {
    transfer.pieces = 1;
  } else {
    const Length mean = std::max<Length>(1, tile_size_ / tile_pieces_);
    transfer.pieces = std::max<Count>(2, transfer.bytes / mean);
  }
  return transfer;
}

}  // namespace collate::view
