#include "support/troupe.hpp"

#include <algorithm>

namespace collate::sim {

std::string agreed(const Replies& replies) {
  if (replies.empty()) return "no replies: a hang";
  for (std::size_t rank = 1; rank < replies.size(); ++rank) {
    const Reply& first = replies[0];
    const Reply& other = replies[rank];
    const bool same = first.ok() == other.ok() && (first.ok() || (first.error->code == other.error->code && first.error->rank == other.error->rank));
    if (same) continue;
    const auto words = [](const Reply& reply) { return reply.ok() ? std::string("succeeded") : collate::describe(*reply.error, "it", "the file"); };
    return "rank 0: " + words(first) + "; rank " + std::to_string(rank) + ": " + words(other);
  }
  return "";
}

bool all_ok(const Replies& replies) {
  return !replies.empty() && std::all_of(replies.begin(), replies.end(), [](const Reply& reply) { return reply.ok(); });
}

bool all_are(const Replies& replies, ErrorClass code) {
  return !replies.empty() && std::all_of(replies.begin(), replies.end(), [&](const Reply& reply) { return !reply.ok() && reply.error->code == code; });
}

Troupe::Troupe(const WorldOptions& options, const DriverOf& driver_of) : world_(options), sessions_(static_cast<std::size_t>(options.ranks)) {
  for (int rank = 0; rank < options.ranks; ++rank) {
    file::Session& session = sessions_[static_cast<std::size_t>(rank)];
    session.driver = driver_of(rank);
    session.notice = [this](const std::string& line) { notices_.push_back(line); };
  }
  files_.resize(sessions_.size());
}

Replies Troupe::all(const Program& program) {
  std::vector<std::unique_ptr<Strand<Reply>>> strands;
  std::vector<StrandBase*> pointers;
  for (int rank = 0; rank < ranks(); ++rank) {
    strands.push_back(std::make_unique<Strand<Reply>>(program(rank)));
    pointers.push_back(strands.back().get());
  }
  hang_ = world_.run(pointers);
  Replies replies;
  if (!hang_.empty()) return replies;
  for (const auto& strand : strands) replies.push_back(strand->take());
  return replies;
}

Replies Troupe::open(const std::string& path, const file::AccessMode& mode, const file::InfoEntries& info,
                     const std::function<void(int, file::OpenArguments&)>& differing) {
  const int context = opens_++;
  return all([&](int rank) {
    file::OpenArguments arguments;
    arguments.comm = world_.comm(rank, context);
    arguments.path = path;
    arguments.mode = mode;
    arguments.info = info;
    if (differing) differing(rank, arguments);
    return open_one(rank, std::move(arguments));
  });
}

Replies Troupe::close() {
  return all([&](int rank) { return run(file(rank).close()); });
}

Task<Reply> Troupe::open_one(int rank, file::OpenArguments arguments) {
  const auto place = static_cast<std::size_t>(rank);
  Result<std::unique_ptr<file::File>> opened = co_await file::File::open(sessions_[place], std::move(arguments));
  const Reply reply = reply_of(opened);
  if (opened) files_[place] = std::move(*opened);
  co_return reply;
}

Task<Reply> Troupe::access_all(int rank, file::Access access) {
  const Result<file::Outcome> outcome = co_await file(rank).access_all(access);
  co_return reply_of(outcome);
}

Task<Reply> Troupe::run(Task<Result<void>> call) {
  const Result<void> outcome = co_await std::move(call);
  co_return reply_of(outcome);
}

}  // namespace collate::sim
