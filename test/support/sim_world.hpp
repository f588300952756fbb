// test/support/sim_world.hpp - N ranks in one process, on one thread, under a seeded scheduler.
//
// A rank's program is a Task; its Strand is polled when the scheduler picks the rank. Messages go through
// mailboxes, shared segments are plain memory. Everything that could be ready is delayed at random, sends are
// at random buffered or wait for their receiver, and in some worlds one rank is slow: one seed is one
// interleaving, and replays it.
//
//   World world({.ranks = 4, .seed = 7});
//   std::vector<Task<int>> programs = ...;        // each over world.comm(rank)
//   const std::string hang = world.run(strands);  // "" when all came to their end
// When nobody can move any more, run() returns who waits for what: a hang is a sentence, not a stuck test.
// Calls that break the rules of port/comm.hpp (park, sizes that differ) are reported the same way.
// Thread rule: one thread per World.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "port/comm.hpp"
#include "support/random.hpp"

namespace collate::sim {

struct WorldOptions {
  int ranks = 1;
  std::uint64_t seed = 1;
  std::vector<int> node_of_rank{};  // empty: all on one node
  int largest_delay = 2;            // polls that something ready may still look not ready
  int segments_at_most = 1 << 30;   // create_segment fails from then on
  int attach_fails_on = -1;         // rank that cannot attach to segments
};

class SimPending;

class World {
 public:
  explicit World(WorldOptions options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Another communicator over the same ranks needs its own index (a file dups its communicator).
  [[nodiscard]] std::unique_ptr<port::Comm> comm(int rank, int context = 0);
  // Polls the strands until all are done; otherwise tells who waits for what.
  [[nodiscard]] std::string run(const std::vector<StrandBase*>& strands);
  [[nodiscard]] std::size_t segments_left() const { return segments_.size(); }
  [[nodiscard]] std::size_t messages_left() const;

 private:
  friend class SimComm;
  friend class SimPending;
  friend class SimGather;
  friend class SimSend;
  friend class SimReceive;
  struct Round {
    std::vector<std::vector<std::byte>> parts;
    int arrived = 0;
    int left = 0;
  };
  struct Message {
    std::vector<std::byte> data;
    bool taken = false;
  };
  struct Mailbox {
    std::deque<std::shared_ptr<Message>> messages;
    std::uint64_t sent = 0;
    std::uint64_t asked = 0;
    std::uint64_t first = 0;  // number of messages.front()
  };
  using Address = std::tuple<int, int, int, int>;  // context, from, to, channel

  void complain(const std::string& what);
  [[nodiscard]] std::string waiting(const std::vector<StrandBase*>& strands) const;
  [[nodiscard]] std::size_t choose(std::size_t strands);

  WorldOptions options_;
  Random random_;
  int slow_ = -1;
  std::uint64_t activity_ = 0;
  std::string complaint_;
  std::map<std::pair<int, std::uint64_t>, Round> rounds_;                 // by context and number
  std::map<std::pair<int, int>, std::uint64_t> rounds_joined_;            // by context and rank
  std::map<Address, Mailbox> mailboxes_;
  std::map<std::string, std::shared_ptr<std::vector<std::byte>>> segments_;
  int segments_made_ = 0;
  std::set<const SimPending*> pendings_;
};

}  // namespace collate::sim
