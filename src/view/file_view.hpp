// view/file_view.hpp - displacement + etype + filetype: which bytes of the file a rank sees, and in which order.
//
// The filetype is repeated without end from the displacement; that too is one strided Layout, never a list.
// Building a view is local and costs O(1) beyond the datatype's own decoding.
//
//   view: displacement 8, etype 4 bytes, filetype = bytes [0,4) of every 16 -> etype 3 lies at byte 8 + 48
//
// Units: positions in etypes, offsets in bytes. Thread rule: immutable value. Source: MPI-5.0 section 15.3.
#pragma once

#include "base/result.hpp"
#include "layout/type.hpp"
#include "view/transfer.hpp"

namespace collate::view {

class FileView {
 public:
  FileView();  // the default: a stream of bytes from 0

  // Errors: negative displacement or filetype displacements, a filetype that is not made of etypes, overflow.
  static Result<FileView> make(Offset displacement, const layout::Type& etype, const layout::Type& filetype);

  [[nodiscard]] Offset displacement() const noexcept { return displacement_; }
  [[nodiscard]] Length etype_size() const noexcept { return etype_size_; }
  [[nodiscard]] bool contiguous() const noexcept { return !tiled_.empty() && tiled_.contiguous(); }

  // Absolute byte of the etype at `position` (>= 0).
  [[nodiscard]] Result<Offset> byte_offset(Offset position) const;
  // The first etype position whose byte lies at or beyond `offset`: where MPI_SEEK_END puts the pointer.
  [[nodiscard]] Offset position_at(Offset offset) const;

  // The access of `memory` (relative to `origin`) at etype position `position`.
  [[nodiscard]] Result<Transfer> transfer(Offset position, layout::Layout memory, std::byte* origin) const;

 private:
  [[nodiscard]] ByteRange span_of(Length start, Length bytes) const;

  Offset displacement_ = 0;
  Length etype_size_ = 1;
  Length tile_size_ = 0;      // bytes of data in one filetype
  Offset tile_extent_ = 0;
  ByteRange tile_hull_;       // relative to the tile's origin
  Count tile_pieces_ = 1;
  layout::Layout tiled_;      // absolute offsets
};

}  // namespace collate::view
