#include "execute/node_memory.hpp"

#include <algorithm>
#include <vector>

namespace collate::execute {
namespace {

struct Offer {
  port::SegmentToken token;
  bool good = false;
};

}  // namespace

Task<std::unique_ptr<port::SharedSegment>> share_memory(port::Comm& comm, Length bytes) {
  std::unique_ptr<port::SharedSegment> segment;
  Offer mine;
  if (comm.rank() == 0) {
    Result<std::unique_ptr<port::SharedSegment>> created = comm.create_segment(bytes, mine.token);
    mine.good = created.ok();
    if (created) segment = std::move(*created);
  }
  std::vector<Offer> offers(static_cast<std::size_t>(comm.size()));
  const auto gather_offers = comm.allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(offers)));
  co_await *gather_offers;
  if (!offers[0].good) co_return nullptr;
  if (comm.rank() != 0) {
    Result<std::unique_ptr<port::SharedSegment>> attached = comm.attach_segment(bytes, offers[0].token);
    mine.good = attached.ok();
    if (attached) segment = std::move(*attached);
  }
  const port::SegmentToken token = offers[0].token;
  const auto gather_outcomes = comm.allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(offers)));
  co_await *gather_outcomes;
  if (comm.rank() == 0) comm.unlink_segment(token);
  const bool all = std::all_of(offers.begin(), offers.end(), [](const Offer& offer) { return offer.good; });
  if (!all) segment.reset();
  co_return segment;
}

}  // namespace collate::execute
