// The simulated Comm and the scheduler of sim_world.hpp.
//
// A hang is a fixed point: every strand has been polled several times since anything last happened. What counts
// as happening is counted in `activity_`: a new wait, a delay running down, an unpark.
#include "support/sim_world.hpp"

#include <algorithm>
#include <cstring>

namespace collate::sim {

class SimPending : public Pending {
 public:
  SimPending(World& world, int rank, std::string what) : world_(world), rank_(rank), what_(std::move(what)) {
    delay_ = static_cast<int>(world_.random_.below(world_.options_.largest_delay + 1));
    world_.pendings_.insert(this);
    ++world_.activity_;
  }
  ~SimPending() override { world_.pendings_.erase(this); }
  SimPending(const SimPending&) = delete;
  SimPending& operator=(const SimPending&) = delete;

  bool ready() final {
    if (done_) return true;
    if (!complete()) return false;
    ++world_.activity_;
    if (delay_-- > 0) return false;
    finish();
    done_ = true;
    return true;
  }
  void block() final { world_.complain("somebody blocks instead of being polled"); }
  [[nodiscard]] std::string describe() const { return "rank " + std::to_string(rank_) + " in " + what_; }
  [[nodiscard]] bool done() const { return done_; }

 protected:
  [[nodiscard]] virtual bool complete() = 0;
  virtual void finish() {}
  World& world_;
  int rank_;

 private:
  std::string what_;
  int delay_ = 0;
  bool done_ = false;
};

class SimGather final : public SimPending {
 public:
  using Key = std::pair<int, std::uint64_t>;
  SimGather(World& world, int rank, Key key, std::span<std::byte> all)
      : SimPending(world, rank, "allgather " + std::to_string(key.second)), key_(key), all_(all) {}

 private:
  bool complete() override { return world_.rounds_.at(key_).arrived == world_.options_.ranks; }
  void finish() override {
    World::Round& round = world_.rounds_.at(key_);
    std::size_t at = 0;
    for (const std::vector<std::byte>& part : round.parts) {
      if (part.size() * round.parts.size() != all_.size()) world_.complain("allgather with different sizes on different ranks");
      else if (!part.empty()) std::memcpy(all_.data() + at, part.data(), part.size());
      at += part.size();
    }
    if (++round.left == world_.options_.ranks) world_.rounds_.erase(key_);
  }
  Key key_;
  std::span<std::byte> all_;
};

class SimSend final : public SimPending {
 public:
  SimSend(World& world, int rank, std::string what, std::shared_ptr<World::Message> message, bool buffered)
      : SimPending(world, rank, std::move(what)), message_(std::move(message)), buffered_(buffered) {}

 private:
  bool complete() override { return buffered_ || message_->taken; }
  std::shared_ptr<World::Message> message_;
  bool buffered_;
};

class SimReceive final : public SimPending {
 public:
  struct Ticket {
    World::Mailbox& box;
    std::uint64_t number;
  };
  SimReceive(World& world, int rank, std::string what, Ticket ticket, std::span<std::byte> buffer, Length& received)
      : SimPending(world, rank, std::move(what)), ticket_(ticket), buffer_(buffer), received_(received) {}

 private:
  bool complete() override { return ticket_.box.sent > ticket_.number; }
  void finish() override {
    World::Mailbox& box = ticket_.box;
    World::Message& message = *box.messages[ticket_.number - box.first];
    if (message.data.size() > buffer_.size()) return world_.complain("a message larger than the receiver's buffer");
    if (!message.data.empty()) std::memcpy(buffer_.data(), message.data.data(), message.data.size());
    received_ = static_cast<Length>(message.data.size());
    message.taken = true;
    while (!box.messages.empty() && box.messages.front()->taken) {
      box.messages.pop_front();
      ++box.first;
    }
  }
  Ticket ticket_;
  std::span<std::byte> buffer_;
  Length& received_;
};

class SimSegment final : public port::SharedSegment {
 public:
  static constexpr std::size_t alignment = 4096;
  explicit SimSegment(std::shared_ptr<std::vector<std::byte>> storage) : storage_(std::move(storage)) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_->data());
    begin_ = (alignment - address % alignment) % alignment;
  }
  std::span<std::byte> memory() override { return {storage_->data() + begin_, storage_->size() - alignment}; }

 private:
  std::shared_ptr<std::vector<std::byte>> storage_;
  std::size_t begin_ = 0;
};

class SimComm final : public port::Comm {
 public:
  SimComm(World& world, int rank, int context) : world_(world), rank_(rank), context_(context) {}
  int rank() const override { return rank_; }
  int size() const override { return world_.options_.ranks; }
  std::span<const int> node_of_rank() const override { return world_.options_.node_of_rank; }
  int cores() const override { return 1; }

  std::unique_ptr<Pending> allgather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    const SimGather::Key key{context_, world_.rounds_joined_[{context_, rank_}]++};
    World::Round& round = world_.rounds_[key];
    round.parts.resize(static_cast<std::size_t>(world_.options_.ranks));
    round.parts[static_cast<std::size_t>(rank_)].assign(mine.begin(), mine.end());
    ++round.arrived;
    return std::make_unique<SimGather>(world_, rank_, key, all);
  }
  std::unique_ptr<Pending> send(int to, int channel, std::span<const std::byte> message) override {
    World::Mailbox& box = world_.mailboxes_[{context_, rank_, to, channel}];
    auto sent = std::make_shared<World::Message>();
    sent->data.assign(message.begin(), message.end());
    box.messages.push_back(sent);
    ++box.sent;
    return std::make_unique<SimSend>(world_, rank_, "send to " + std::to_string(to), sent, world_.random_.chance(50));
  }
  std::unique_ptr<Pending> receive(int from, int channel, std::span<std::byte> message, Length& received) override {
    World::Mailbox& box = world_.mailboxes_[{context_, from, rank_, channel}];
    return std::make_unique<SimReceive>(world_, rank_, "receive from " + std::to_string(from), SimReceive::Ticket{box, box.asked++}, message,
                                        received);
  }

  Result<std::unique_ptr<port::SharedSegment>> create_segment(Length bytes, port::SegmentToken& token) override {
    if (world_.segments_made_ >= world_.options_.segments_at_most) return refusal(ErrorClass::no_memory, ErrorDetail::no_shared_memory);
    const std::string name = "segment " + std::to_string(world_.segments_made_++);
    std::copy(name.begin(), name.end(), token.text.begin());
    auto storage = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(bytes) + SimSegment::alignment);
    world_.segments_[name] = storage;
    return std::unique_ptr<port::SharedSegment>(std::make_unique<SimSegment>(storage));
  }
  Result<std::unique_ptr<port::SharedSegment>> attach_segment(Length bytes, const port::SegmentToken& token) override {
    const auto found = world_.segments_.find(token.text.data());
    const bool refused = rank_ == world_.options_.attach_fails_on || found == world_.segments_.end();
    if (refused) return refusal(ErrorClass::no_memory, ErrorDetail::no_shared_memory);
    if (found->second->size() != static_cast<std::size_t>(bytes) + SimSegment::alignment) world_.complain("segment sizes differ");
    return std::unique_ptr<port::SharedSegment>(std::make_unique<SimSegment>(found->second));
  }
  void unlink_segment(const port::SegmentToken& token) override { world_.segments_.erase(token.text.data()); }
  void park(const std::atomic<std::uint32_t>&, std::uint32_t) override { world_.complain("rank parks, but strands are polled here"); }
  void unpark(std::atomic<std::uint32_t>&) override { ++world_.activity_; }

 private:
  World& world_;
  int rank_;
  int context_;
};

World::World(WorldOptions options) : options_(std::move(options)), random_(options_.seed) {
  if (options_.node_of_rank.empty()) options_.node_of_rank.assign(static_cast<std::size_t>(options_.ranks), 0);
  if (random_.chance(30)) slow_ = static_cast<int>(random_.below(options_.ranks));
}

World::~World() = default;

std::unique_ptr<port::Comm> World::comm(int rank, int context) { return std::make_unique<SimComm>(*this, rank, context); }

void World::complain(const std::string& what) {
  if (complaint_.empty()) complaint_ = what;
}

std::size_t World::messages_left() const {
  std::size_t left = 0;
  for (const auto& [address, box] : mailboxes_) left += box.messages.size();
  return left;
}

std::size_t World::choose(std::size_t strands) {
  const auto chosen = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(strands)));
  const bool again = static_cast<int>(chosen) == slow_ && random_.chance(90);
  return again ? static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(strands))) : chosen;
}

std::string World::waiting(const std::vector<StrandBase*>& strands) const {
  std::string text = "hang:";
  for (std::size_t rank = 0; rank < strands.size(); ++rank) {
    if (!strands[rank]->done()) text += " rank " + std::to_string(rank) + " has not come to its end;";
  }
  for (const SimPending* pending : pendings_) {
    if (!pending->done()) text += " " + pending->describe() + ";";
  }
  return text;
}

std::string World::run(const std::vector<StrandBase*>& strands) {
  constexpr int idle_rounds = 3;
  std::vector<int> polled(strands.size(), 0);
  std::uint64_t seen = activity_ - 1;
  for (;;) {
    if (!complaint_.empty()) return complaint_;
    if (activity_ != seen) {
      std::fill(polled.begin(), polled.end(), 0);
      seen = activity_;
    }
    std::size_t rank = choose(strands.size());
    const bool idle = polled[rank] >= idle_rounds;
    if (idle || strands[rank]->done()) {
      const auto live = [&](std::size_t i) { return !strands[i]->done() && polled[i] < idle_rounds; };
      rank = 0;
      while (rank < strands.size() && !live(rank)) ++rank;
      if (rank == strands.size()) break;
    }
    ++polled[rank];
    (void)strands[rank]->poll();
  }
  const bool all = std::all_of(strands.begin(), strands.end(), [](const StrandBase* strand) { return strand->done(); });
  return all ? complaint_ : waiting(strands);
}

}  // namespace collate::sim
