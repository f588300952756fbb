// The Nth driver call of one rank fails, for every N, every rank, every strategy, several errnos.
//
// Whatever fails: nobody hangs, all ranks return the same error, of the class that the errno has; bytes that
// nobody wrote stay as they were; and the next write and read on the same file are right.
#include <gtest/gtest.h>

#include "scene.hpp"

namespace collate::sim {
namespace {

const std::vector<int> errnos{EIO, ENOSPC, EDQUOT, EACCES, EROFS};

struct Trial {
  Script script;
  Direction direction = Direction::write;
  int rank = 0;
  driver::Fault fault;
};

class NthCall : public testing::TestWithParam<Script> {
 protected:
  // A call's replies: agreed, and if they failed then by the injected error, at the rank that met it.
  void check(const Replies& replies, const Trial& trial, const std::string& what) {
    ASSERT_EQ(troupe_->hang(), "") << what;
    ASSERT_EQ(agreed(replies), "") << what;
    if (all_ok(replies)) return;
    ++failures_;
    EXPECT_EQ(replies[0].error->code, class_of_errno(trial.fault.system_error)) << what;
    EXPECT_EQ(replies[0].error->rank, trial.rank) << what;
    EXPECT_EQ(replies[0].error->system_error, trial.fault.system_error) << what;
  }

  void open(Scene& scene, const Trial& trial) {
    Replies opened = troupe_->open(file_name, Scene::read_write(), scene.hints());
    check(opened, trial, "open");
    if (HasFatalFailure() || all_ok(opened)) return;
    opened = troupe_->open(file_name, Scene::read_write(), scene.hints());
    check(opened, trial, "open again");
    ASSERT_TRUE(all_ok(opened) || trial.fault.from_then_on);
  }

  void use(Scene& scene, const Trial& trial) {
    scene.set_views(*troupe_);
    check(scene.access_all(*troupe_, trial.direction, 1), trial, "the access");
    if (HasFatalFailure()) return;
    EXPECT_EQ(scene.damaged(), -1) << "a byte that nobody wrote";
    const Replies wrote = scene.access_all(*troupe_, Direction::write, 2);
    check(wrote, trial, "the next write");
    EXPECT_EQ(scene.damaged(), -1) << "a byte that nobody wrote, by the next write";
    if (all_ok(wrote)) { EXPECT_EQ(scene.store().contents(file_name), scene.written(2)) << "the next write"; }
    const Replies read = scene.access_all(*troupe_, Direction::read, 2);
    check(read, trial, "the next read");
    if (all_ok(wrote) && all_ok(read)) { EXPECT_TRUE(scene.read_back(2)) << "the next read"; }
    check(troupe_->close(), trial, "close");
  }

  // False when the program makes fewer calls than the fault's number.
  bool run(const Trial& trial) {
    Scene scene(trial.script);
    auto record = std::make_shared<driver::FaultRecord>();
    troupe_ = std::make_unique<Troupe>(WorldOptions{.ranks = scene_ranks, .seed = static_cast<std::uint64_t>(trial.fault.number)},
                                       scene.drivers(trial.rank, {.faults = {trial.fault}}, record));
    failures_ = 0;
    SCOPED_TRACE(words_of(trial.script) + (trial.direction == Direction::read ? ", read" : ", write") + ", call " +
                 std::to_string(trial.fault.number) + " of rank " + std::to_string(trial.rank) + " fails with errno " +
                 std::to_string(trial.fault.system_error) + (trial.fault.from_then_on ? " from then on" : ""));
    open(scene, trial);
    const bool opened = !HasFatalFailure() && troupe_->opened();
    if (opened) use(scene, trial);
    if (!trial.fault.from_then_on && !HasFailure()) { EXPECT_EQ(failures_, record->injected()) << "an error was swallowed"; }
    if (trial.fault.from_then_on && record->injected() > 0 && !HasFailure()) { EXPECT_GT(failures_, 0) << "an error was swallowed"; }
    troupe_.reset();
    return record->injected() > 0;
  }

  void run_all(bool from_then_on) {
    Count trials = 0;
    for (const Direction direction : {Direction::write, Direction::read}) {
      for (int rank = 0; rank < scene_ranks; ++rank) {
        for (const int error : errnos) {
          for (Count number = 1; number < 1000; ++number) {
            ++trials;
            if (!run({GetParam(), direction, rank, {driver::Call::any, number, error, from_then_on}})) break;
            if (HasFailure()) return;
          }
        }
      }
    }
    EXPECT_GT(trials, 100);
    RecordProperty("trials", static_cast<int>(trials));
  }

  std::unique_ptr<Troupe> troupe_;
  Count failures_ = 0;
};

TEST_P(NthCall, FailsOnce) { run_all(false); }

TEST_P(NthCall, FailsFromThenOn) { run_all(true); }

INSTANTIATE_TEST_SUITE_P(Strategies, NthCall, testing::ValuesIn(all_scripts()), [](const auto& given) {
  std::string name = words_of(given.param);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

class FullDisk : public testing::TestWithParam<Script> {};

TEST_P(FullDisk, IsNoSpaceEverywhereAndDamagesNothing) {
  for (const Offset full_from : {Offset{0}, Offset{100}, Offset{300}}) {
    SCOPED_TRACE(words_of(GetParam()) + ", full from " + std::to_string(full_from));
    Scene scene(GetParam());
    Troupe troupe({.ranks = scene_ranks}, [&](int) { return driver::make_faulty_driver(scene.driver(), {.faults = {}, .full_from = full_from}); });
    ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), scene.hints())));
    scene.set_views(troupe);
    const Replies wrote = scene.access_all(troupe, Direction::write, 1);
    ASSERT_EQ(troupe.hang(), "");
    EXPECT_EQ(agreed(wrote), "");
    EXPECT_TRUE(all_are(wrote, ErrorClass::no_space));
    EXPECT_EQ(scene.damaged(), -1);
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 1)));
    EXPECT_TRUE(all_ok(troupe.close()));
  }
}

TEST_P(FullDisk, TransfersCutToPiecesChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(words_of(GetParam()) + ", seed " + std::to_string(seed));
    Scene scene(GetParam());
    Troupe troupe({.ranks = scene_ranks, .seed = seed}, [&](int) { return driver::make_faulty_driver(scene.driver(), {.faults = {}, .largest_piece = 5, .seed = seed}); });
    ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), scene.hints())));
    scene.set_views(troupe);
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::write, 1)));
    EXPECT_EQ(scene.store().contents(file_name), scene.written(1));
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 1)));
    EXPECT_TRUE(scene.read_back(1));
    EXPECT_TRUE(all_ok(troupe.close()));
  }
}

TEST_P(FullDisk, ADriverThatWillNotMapIsWrittenAndReadAllTheSame) {
  for (Count number = 1; number < 12; ++number) {
    SCOPED_TRACE(words_of(GetParam()) + ", from mapping " + std::to_string(number));
    Scene scene(GetParam());
    const driver::FaultPlan plan{.faults = {{driver::Call::map, number, EOPNOTSUPP, true}}};
    Troupe troupe({.ranks = scene_ranks}, [&](int) { return driver::make_faulty_driver(scene.driver(), plan); });
    ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), scene.hints())));
    scene.set_views(troupe);
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::write, 1)));
    EXPECT_EQ(scene.store().contents(file_name), scene.written(1));
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 1)));
    EXPECT_TRUE(scene.read_back(1));
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, FullDisk, testing::ValuesIn(all_scripts()), [](const auto& given) {
  std::string name = words_of(given.param);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

}  // namespace
}  // namespace collate::sim
