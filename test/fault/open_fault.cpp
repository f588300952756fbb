// Opening and closing when ranks or the file system do not agree, and memory that cannot be shared.
#include <gtest/gtest.h>

#include "scene.hpp"

namespace collate::sim {
namespace {

class Opening : public testing::Test {
 protected:
  Opening() { store_->set_contents("there.dat", Scene::before()); }
  Troupe troupe(std::uint64_t seed = 1) {
    return Troupe({.ranks = scene_ranks, .seed = seed}, [&](int) { return driver::make_memory_driver(store_); });
  }
  static file::AccessMode creating(bool exclusive) {
    file::AccessMode mode = Scene::read_write();
    mode.create = true;
    mode.exclusive = exclusive;
    return mode;
  }
  std::shared_ptr<driver::MemoryStore> store_ = std::make_shared<driver::MemoryStore>();
};

TEST_F(Opening, MissingFileIsNoSuchFileOnAll) {
  Troupe ranks = troupe();
  EXPECT_TRUE(all_are(ranks.open("missing.dat", Scene::read_write(), {}), ErrorClass::no_such_file)) << ranks.hang();
  EXPECT_FALSE(store_->exists("missing.dat"));
}

TEST_F(Opening, ExclusiveCreationWorksOnceUnderEveryInterleaving) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Troupe ranks = troupe(seed);
    const std::string path = "new" + std::to_string(seed);
    EXPECT_TRUE(all_ok(ranks.open(path, creating(true), {}))) << ranks.hang();
    EXPECT_TRUE(all_ok(ranks.close()));
    EXPECT_TRUE(all_are(ranks.open(path, creating(true), {}), ErrorClass::file_exists)) << ranks.hang();
    EXPECT_TRUE(all_ok(ranks.open(path, creating(false), {}))) << ranks.hang();
  }
}

TEST_F(Opening, AFailureOnOneRankIsEverybodysError) {
  for (int rank = 0; rank < scene_ranks; ++rank) {
    for (const int error : {EACCES, EMFILE, EIO, ENOENT, EROFS, ENAMETOOLONG}) {
      SCOPED_TRACE("rank " + std::to_string(rank) + ", errno " + std::to_string(error));
      Troupe ranks({.ranks = scene_ranks}, [&](int at) {
        const driver::FaultPlan plan{.faults = {{driver::Call::open, 1, error, false}}};
        return at == rank ? driver::make_faulty_driver(driver::make_memory_driver(store_), plan) : driver::make_memory_driver(store_);
      });
      const Replies replies = ranks.open("there.dat", Scene::read_write(), {});
      EXPECT_EQ(agreed(replies), "");
      EXPECT_TRUE(all_are(replies, class_of_errno(error))) << ranks.hang();
      EXPECT_TRUE(all_ok(ranks.open("there.dat", Scene::read_write(), {})));
    }
  }
}

TEST_F(Opening, DifferentModesAreNotSame) {
  Troupe ranks = troupe();
  const Replies replies = ranks.open("there.dat", Scene::read_write(), {}, [](int rank, file::OpenArguments& arguments) {
    arguments.mode.append = rank == 3;
  });
  EXPECT_TRUE(all_are(replies, ErrorClass::not_same)) << ranks.hang();
}

TEST_F(Opening, ContradictingModesAreAmodeOnAll) {
  Troupe ranks = troupe();
  file::AccessMode mode = Scene::read_write();
  mode.write_only = true;
  EXPECT_TRUE(all_are(ranks.open("there.dat", mode, {}), ErrorClass::amode)) << ranks.hang();
  mode = {};
  EXPECT_TRUE(all_are(ranks.open("there.dat", mode, {}), ErrorClass::amode)) << ranks.hang();
  mode.read_only = true;
  mode.create = true;
  EXPECT_TRUE(all_are(ranks.open("new.dat", mode, {}), ErrorClass::amode)) << ranks.hang();
  EXPECT_FALSE(store_->exists("new.dat"));
}

TEST_F(Opening, DifferentPathsAreNotSameAndNothingIsCreated) {
  Troupe ranks = troupe();
  const Replies replies = ranks.open("a.dat", creating(false), {}, [](int rank, file::OpenArguments& arguments) {
    if (rank == 2) arguments.path = "b.dat";
  });
  EXPECT_TRUE(all_are(replies, ErrorClass::not_same)) << ranks.hang();
  EXPECT_EQ(store_->paths(), std::vector<std::string>{"there.dat"});
}

TEST_F(Opening, TheDoorsRefusalOnOneRankReachesAll) {
  Troupe ranks = troupe();
  const Replies replies = ranks.open("there.dat", Scene::read_write(), {}, [](int rank, file::OpenArguments& arguments) {
    if (rank == 1) arguments.refused = refusal(ErrorClass::argument, ErrorDetail::negative_argument);
  });
  EXPECT_TRUE(all_are(replies, ErrorClass::argument)) << ranks.hang();
}

// A node-local file system: the same path is another file on one rank.
TEST_F(Opening, DifferentFilesBehindOnePathAreNotSame) {
  const auto other = std::make_shared<driver::MemoryStore>();
  other->set_contents("first.dat", Scene::before());
  other->set_contents("there.dat", Scene::before());
  Troupe ranks({.ranks = scene_ranks}, [&](int rank) { return driver::make_memory_driver(rank == 2 ? other : store_); });
  EXPECT_TRUE(all_are(ranks.open("there.dat", Scene::read_write(), {}), ErrorClass::not_same)) << ranks.hang();
}

TEST_F(Opening, HintsOfRankZeroCountOnAllRanks) {
  Troupe ranks = troupe();
  const Replies replies = ranks.open("there.dat", Scene::read_write(), {}, [](int rank, file::OpenArguments& arguments) {
    arguments.info = {{"cb_nodes", std::to_string(rank + 2)}, {"collate_window_size", std::to_string(64 << rank)}};
    if (rank == 3) arguments.info.clear();
  });
  EXPECT_TRUE(all_ok(replies)) << ranks.hang();
  for (int rank = 1; rank < scene_ranks; ++rank) EXPECT_EQ(ranks.file(rank).info(), ranks.file(0).info());
}

TEST_F(Opening, DeleteOnCloseRemovesTheFileOnce) {
  Troupe ranks = troupe();
  file::AccessMode mode = Scene::read_write();
  mode.delete_on_close = true;
  ASSERT_TRUE(all_ok(ranks.open("there.dat", mode, {})));
  EXPECT_TRUE(all_ok(ranks.close())) << ranks.hang();
  EXPECT_FALSE(store_->exists("there.dat"));
}

TEST_F(Opening, AppendStartsAtTheEndOnEveryRank) {
  Troupe ranks = troupe();
  file::AccessMode mode = Scene::read_write();
  mode.append = true;
  ASSERT_TRUE(all_ok(ranks.open("there.dat", mode, {})));
  for (int rank = 0; rank < scene_ranks; ++rank) EXPECT_EQ(ranks.file(rank).position(), file_bytes);
}

// Shared memory may be missing from the start, or for the windows only, or on one rank.
TEST(SharedMemory, WithoutItTheExchangeGoesAnotherWay) {
  for (int segments = 0; segments <= 2; ++segments) {
    for (int rank = -1; rank < scene_ranks; ++rank) {
      SCOPED_TRACE(std::to_string(segments) + " segments, attaching fails on rank " + std::to_string(rank));
      Scene scene({"node", true, false, 0});
      Troupe troupe({.ranks = scene_ranks, .segments_at_most = segments, .attach_fails_on = rank}, [&](int) { return scene.driver(); });
      ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), scene.hints()))) << troupe.hang();
      scene.set_views(troupe);
      EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::write, 1))) << troupe.hang();
      EXPECT_EQ(scene.store().contents(file_name), scene.written(1));
      EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 1))) << troupe.hang();
      EXPECT_TRUE(scene.read_back(1));
      EXPECT_TRUE(all_ok(troupe.close()));
      EXPECT_EQ(troupe.world().segments_left(), 0U);
    }
  }
}

}  // namespace
}  // namespace collate::sim
