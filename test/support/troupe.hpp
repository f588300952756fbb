// test/support/troupe.hpp - N ranks with one open file each, stepped together: a script for a fixed scene.
//
//   Troupe troupe({.ranks = 4}, [&](int rank) { return driver::make_memory_driver(store); });
//   troupe.open("x", read_write, {});                               // one Reply per rank
//   Replies wrote = troupe.all([&](int rank) { return troupe.access_all(rank, accesses[rank]); });
//   agreed(wrote)                                                   // "" when all ranks say the same
// A hang makes the replies empty and `hang()` says who waits. Thread rule: one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "file/file.hpp"
#include "support/sim_world.hpp"

namespace collate::sim {

// What a call answered on one rank.
struct Reply {
  std::optional<Error> error;
  Length bytes = 0;
  [[nodiscard]] bool ok() const { return !error; }
};
using Replies = std::vector<Reply>;

template <class T>
Reply reply_of(const Result<T>& result) {
  Reply reply;
  if (!result) reply.error = result.error();
  return reply;
}
inline Reply reply_of(const Result<file::Outcome>& result) {
  Reply reply;
  if (result) reply.bytes = result->bytes;
  else reply.error = result.error();
  return reply;
}

// "" when all ranks succeeded or all failed with the same class on the same rank; otherwise who said what.
[[nodiscard]] std::string agreed(const Replies& replies);
[[nodiscard]] bool all_ok(const Replies& replies);
// Every rank answered with this class.
[[nodiscard]] bool all_are(const Replies& replies, ErrorClass code);

class Troupe {
 public:
  using DriverOf = std::function<std::unique_ptr<port::FileDriver>(int)>;
  using Program = std::function<Task<Reply>(int)>;
  Troupe(const WorldOptions& options, const DriverOf& driver_of);

  [[nodiscard]] int ranks() const { return static_cast<int>(sessions_.size()); }
  [[nodiscard]] file::File& file(int rank) { return *files_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool opened() const { return files_[0] != nullptr; }
  [[nodiscard]] const std::string& hang() const { return hang_; }
  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  // Every rank runs its program to the end.
  [[nodiscard]] Replies all(const Program& program);
  // Opens on every rank; `differing` may change one rank's arguments.
  [[nodiscard]] Replies open(const std::string& path, const file::AccessMode& mode, const file::InfoEntries& info,
                             const std::function<void(int, file::OpenArguments&)>& differing = {});
  [[nodiscard]] Replies close();

  // Programs of one rank.
  [[nodiscard]] Task<Reply> access_all(int rank, file::Access access);
  [[nodiscard]] Task<Reply> run(Task<Result<void>> call);

 private:
  Task<Reply> open_one(int rank, file::OpenArguments arguments);

  World world_;
  std::vector<file::Session> sessions_;
  std::vector<std::unique_ptr<file::File>> files_;
  std::string hang_;
  std::vector<std::string> notices_;
  int opens_ = 0;
};

}  // namespace collate::sim
