// execute/message_exchange.hpp - two-phase collective I/O by messages, between nodes.
//
// The span is cut into aligned windows and each aggregator owns a run of consecutive ones (its file domain). For
// every window its range meets, a rank and the window's owner talk in parcels of bounded size: which bytes (runs,
// see wire.hpp), and the bytes themselves - sent along when writing, sent back when reading. Both sides know from
// the ranks' ranges alone who talks to whom, so there is no exchange of counts and no step of all ranks per round;
// each pair moves on when it is ready. (Thakur, Gropp, Lusk 1999; per-pair progress instead of rounds with an
// Alltoall as in docs/design/0003-exchange.md.)
// A window of which some bytes were not sent is written run by run: holes are left alone.
//
// No deadlock: ranks send in the order (round, aggregator), aggregators receive in the order (round, rank); the
// least pair not yet through has both sides waiting for it.
// Guarantees: memory is one window and one parcel per aggregator, one parcel per other rank. Returns this rank's
// own outcome; the caller agrees on errors. Thread rule: one exchange at a time per file.
#pragma once

#include "base/task.hpp"
#include "execute/independent.hpp"
#include "port/comm.hpp"

namespace collate::execute {

struct MessageSetting {
  const plan::CollectivePlan& plan;
  std::span<const ByteRange> spans;  // of all ranks; empty where a rank has no data
  const view::Transfer& transfer;
  port::Comm& comm;
  port::OpenFile& file;
  bool locked = false;  // write windows under a range lock: somebody may be rewriting holes around them
};

// Collective. Bytes this rank moved, or the error it met as an aggregator.
Task<Result<Length>> exchange_by_messages(const MessageSetting& setting);

}  // namespace collate::execute
