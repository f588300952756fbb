// Runs a Case on the engine in the simulated world and compares everything with what the oracle foresaw.
#include <algorithm>
#include <sstream>

#include "driver/faulty/faulty_driver.hpp"
#include "driver/memory/memory_driver.hpp"
#include "driver/memory/memory_store.hpp"
#include "support/random_case.hpp"

namespace collate::sim {
namespace {

const char* const path = "case.dat";

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::set_view: return "set_view";
    case Kind::seek: return "seek";
    case Kind::access: return "access";
    case Kind::access_all: return "access_all";
    case Kind::set_size: return "set_size";
    case Kind::preallocate: return "preallocate";
    case Kind::sync: return "sync";
    case Kind::set_atomicity: return "set_atomicity";
  }
  return "";
}

std::string first_difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected) {
  const std::size_t both = std::min(found.size(), expected.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (found[i] == expected[i]) continue;
    return "byte " + std::to_string(i) + " is " + std::to_string(std::to_integer<int>(found[i])) + " and should be " +
           std::to_string(std::to_integer<int>(expected[i]));
  }
  return std::to_string(found.size()) + " bytes instead of " + std::to_string(expected.size());
}

std::string words_of(const Error& error) { return collate::describe(error, "it", path); }

// One rank's program: its calls one after the other, its findings.
class Actor {
 public:
  Actor(Case& made, int rank, std::unique_ptr<port::FileDriver> driver, bool tolerant)
      : case_(made), rank_(rank), tolerant_(tolerant), said_(made.steps.size() + 2) {
    session_.driver = std::move(driver);
    session_.notice = [this](const std::string& line) { find("notice: " + line); };
  }

  Task<bool> open(World& world) {
    file::OpenArguments arguments;
    arguments.comm = world.comm(rank_);
    arguments.path = path;
    arguments.mode.read_write = true;
    arguments.mode.create = true;
    arguments.info = case_.hints;
    Result<std::unique_ptr<file::File>> opened = co_await file::File::open(session_, std::move(arguments));
    step_ = case_.steps.size() + 1;
    if (opened) file_ = std::move(*opened);
    else report(opened.error()), find("open: " + words_of(opened.error()));
    co_return file_ != nullptr;
  }

  // Steps [from, to).
  Task<bool> perform(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && failure_.empty(); ++i) {
      step_ = i;
      Step& step = case_.steps[i];
      if (step.kind == Kind::access_all) co_await access_all(step.parts[static_cast<std::size_t>(rank_)]);
      else if (step.parts.empty()) co_await together(step);
      else alone(step, step.parts[static_cast<std::size_t>(rank_)]);
    }
    co_return failure_.empty();
  }

  Task<bool> close() {
    step_ = case_.steps.size();
    const Result<void> closed = co_await file_->close();
    if (!closed) report(closed.error()), find("close: " + words_of(closed.error()));
    co_return closed.ok();
  }

  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] bool open() const { return file_ != nullptr; }
  // What the step answered, 0 for success; close and open come after the steps.
  [[nodiscard]] const std::vector<int>& said() const { return said_; }

 private:
  void report(const Error& error) { said_[step_] = 1 + static_cast<int>(error.code) * 100 + error.rank; }
  void find(const std::string& what) {
    if (!failure_.empty() || tolerant_) return;
    const char* const step = step_ < case_.steps.size() ? name_of(case_.steps[step_].kind) : "end";
    failure_ = "rank " + std::to_string(rank_) + ", step " + std::to_string(step_) + " (" + step + "): " + what;
  }
  void check(const Result<void>& outcome) {
    if (!outcome) report(outcome.error()), find(words_of(outcome.error()));
  }

  static file::Access access_of(Part& part) {
    file::Access access = part.access;
    access.memory = part.buffer.data() + part.origin;
    access.type = &part.type.made;
    return access;
  }

  void compare(const Result<file::Outcome>& outcome, const Part& part) {
    if (!outcome) {
      report(outcome.error());
      check(file_->seek(part.expected_position, file::Whence::set));  // where it would be without the mishap
      return find(words_of(outcome.error()));
    }
    if (outcome->bytes != part.expected_bytes) {
      find("moved " + std::to_string(outcome->bytes) + " bytes instead of " + std::to_string(part.expected_bytes));
    }
    if (part.buffer != part.expected) find("user memory: " + first_difference(part.buffer, part.expected));
    compare_position(part);
  }
  void compare_position(const Part& part) {
    if (file_->position() == part.expected_position) return;
    find("pointer at " + std::to_string(file_->position()) + " instead of " + std::to_string(part.expected_position));
  }

  Task<bool> access_all(Part& part) {
    const file::Access access = access_of(part);
    const Result<file::Outcome> outcome = co_await file_->access_all(access);
    compare(outcome, part);
    co_return true;
  }

  Task<bool> together(const Step& step) {
    Result<void> outcome;
    if (step.kind == Kind::set_size) outcome = co_await file_->set_size(step.size);
    else if (step.kind == Kind::preallocate) outcome = co_await file_->preallocate(step.size);
    else if (step.kind == Kind::sync) outcome = co_await file_->sync();
    else outcome = co_await file_->set_atomicity(step.atomic);
    check(outcome);
    co_return true;
  }

  void alone(const Step& step, Part& part) {
    if (step.kind == Kind::set_view) return check(file_->set_view(part.view.made));
    if (step.kind == Kind::seek) {
      if (tolerant_) check(file_->seek(part.expected_position, file::Whence::set));
      else check(file_->seek(part.offset, part.whence));
      return compare_position(part);
    }
    if (part.takes_part) compare(file_->access(access_of(part)), part);
  }

  Case& case_;
  int rank_;
  bool tolerant_;
  std::vector<int> said_;
  file::Session session_;
  std::unique_ptr<file::File> file_;
  std::string failure_;
  std::size_t step_ = 0;
};

class Stage {
 public:
  explicit Stage(const Case& made, const Mishap* mishap = nullptr) : case_(made), world_(made.world), tolerant_(mishap != nullptr) {
    driver::MemoryOptions options;
    options.largest_file = 1 << 20;
    options.traits = made.traits;
    store_ = std::make_shared<driver::MemoryStore>(options);
    if (!made.before.empty()) store_->set_contents(path, made.before);
    for (int rank = 0; rank < made.world.ranks; ++rank) {
      std::unique_ptr<port::FileDriver> driver = driver::make_memory_driver(store_);
      if (mishap != nullptr && mishap->rank == rank) {
        const driver::FaultPlan plan{.faults = {{driver::Call::any, mishap->number, mishap->system_error, false}}};
        driver = driver::make_faulty_driver(std::move(driver), plan, record_);
      }
      actors_.push_back(std::make_unique<Actor>(case_, rank, std::move(driver), tolerant_));
    }
  }

  [[nodiscard]] bool injected() const { return record_->injected() > 0; }

  // After a run with a mishap: all ranks said the same, and nobody touched what nobody wrote.
  [[nodiscard]] std::string compare_mishap() const {
    for (std::size_t i = 0; i < case_.steps.size() + 2; ++i) {
      const bool collective = i >= case_.steps.size() || case_.steps[i].kind == Kind::access_all || case_.steps[i].parts.empty();
      for (const auto& actor : actors_) {
        if (!collective || actor->said()[i] == actors_[0]->said()[i]) continue;
        return "step " + std::to_string(i) + " does not fail on all ranks alike";
      }
    }
    const std::vector<std::byte> found = store_->contents(path);
    for (std::size_t at = 0; at < std::min(found.size(), case_.before.size()); ++at) {
      const bool touched = at < case_.touched.size() && case_.touched[at];
      if (!touched && found[at] != case_.before[at]) return "byte " + std::to_string(at) + " changed, and nobody wrote it";
    }
    return "";
  }

  std::string run() {
    std::string failure = all([&](Actor& actor) { return actor.open(world_); });
    if (tolerant_ && failure.empty() && !actors_[0]->open()) return compare_mishap();
    for (std::size_t from = 0; from < case_.steps.size() && failure.empty();) {
      std::size_t to = from + 1;
      while (to < case_.steps.size() && !case_.steps[to].barrier) ++to;
      failure = all([&](Actor& actor) { return actor.perform(from, to); });
      from = to;
    }
    if (failure.empty()) failure = all([](Actor& actor) { return actor.close(); });
    if (failure.empty()) failure = tolerant_ ? compare_mishap() : compare_file();
    if (failure.empty() && world_.segments_left() > 0) failure = "shared memory is left behind";
    if (failure.empty() && world_.messages_left() > 0) failure = "messages nobody received";
    return failure;
  }

 private:
  template <class Program>
  std::string all(Program program) {
    std::vector<std::unique_ptr<Strand<bool>>> strands;
    std::vector<StrandBase*> pointers;
    for (const auto& actor : actors_) {
      strands.push_back(std::make_unique<Strand<bool>>(program(*actor)));
      pointers.push_back(strands.back().get());
    }
    const std::string hang = world_.run(pointers);
    for (const auto& actor : actors_) {
      if (!actor->failure().empty()) return actor->failure() + (hang.empty() ? "" : "; then " + hang);
    }
    return hang;
  }

  std::string compare_file() {
    const std::vector<std::byte> found = store_->contents(path);
    return found == case_.after ? "" : "file: " + first_difference(found, case_.after);
  }

  Case case_;
  World world_;
  bool tolerant_;
  std::shared_ptr<driver::MemoryStore> store_;
  std::shared_ptr<driver::FaultRecord> record_ = std::make_shared<driver::FaultRecord>();
  std::vector<std::unique_ptr<Actor>> actors_;
};

void tell_part(std::ostringstream& text, const Step& step, std::size_t rank) {
  const Part& part = step.parts[rank];
  text << "    rank " << rank << ": ";
  if (step.kind == Kind::set_view) {
    text << part.view.text << (part.view.ordered ? "" : " (unordered)") << "\n";
  } else if (step.kind == Kind::seek) {
    text << part.offset << " from " << static_cast<int>(part.whence) << " to " << part.expected_position << "\n";
  } else if (!part.takes_part) {
    text << "-\n";
  } else {
    const bool pointer = part.access.positioning == file::Positioning::individual_pointer;
    text << (part.access.direction == Direction::read ? "read " : "write ") << part.access.count << " x " << part.type.text
         << (pointer ? " at pointer" : " at " + std::to_string(part.access.offset)) << " -> " << part.expected_bytes << " bytes\n";
  }
}

}  // namespace

std::string describe(const Case& made) {
  std::ostringstream text;
  text << made.world.ranks << " ranks, file of " << made.before.size() << " bytes, sieve_hole " << made.traits.sieve_hole << ", mapped stores "
       << made.traits.mapped_stores << " loads " << made.traits.mapped_loads << " stride " << made.traits.mapped_stride << ", segments "
       << made.world.segments_at_most << ", attach fails on " << made.world.attach_fails_on << ", nodes";
  for (const int node : made.world.node_of_rank) text << " " << node;
  text << "\n  hints:";
  for (const auto& [key, value] : made.hints) text << " " << key << "=" << value;
  for (std::size_t i = 0; i < made.steps.size(); ++i) {
    const Step& step = made.steps[i];
    text << "\n  step " << i << (step.barrier ? " (after a barrier): " : ": ") << name_of(step.kind) << " " << step.size << "\n";
    for (std::size_t rank = 0; rank < step.parts.size(); ++rank) tell_part(text, step, rank);
  }
  return text.str();
}

std::string run_case(const Case& made) {
  const std::string failure = Stage(made).run();
  if (failure.empty()) return failure;
  return failure + "\nrepeat with COLLATE_SIM_SEED=" + std::to_string(made.seed) + " COLLATE_SIM_CASES=1\n" + describe(made);
}

std::string run_case_with(const Case& made, const Mishap& mishap, bool& injected) {
  Stage stage(made, &mishap);
  const std::string failure = stage.run();
  injected = stage.injected();
  if (failure.empty()) return failure;
  return failure + "\ncall " + std::to_string(mishap.number) + " of rank " + std::to_string(mishap.rank) + " fails; repeat with COLLATE_SIM_SEED=" +
         std::to_string(made.seed) + " COLLATE_SIM_CASES=1\n" + describe(made);
}

}  // namespace collate::sim
