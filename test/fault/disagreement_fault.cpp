// Ranks that do not do the same: other calls, other arguments, refused accesses, opens that fail on one rank.
//
// The standard calls most of this erroneous; here it is an answer, MPI_ERR_NOT_SAME or the refusing rank's own
// class, on every rank, and the file can be used afterwards.
#include <gtest/gtest.h>

#include "scene.hpp"

namespace collate::sim {
namespace {

using Call = Task<Reply> (*)(Scene&, Troupe&, int);

struct Named {
  const char* name;
  Call call;
};

const std::vector<Named> calls{
    {"write_all", [](Scene& scene, Troupe& troupe, int rank) { return troupe.access_all(rank, scene.access(rank, Direction::write, 1)); }},
    {"read_all", [](Scene& scene, Troupe& troupe, int rank) { return troupe.access_all(rank, scene.access(rank, Direction::read, 1)); }},
    {"set_size", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).set_size(file_bytes)); }},
    {"preallocate", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).preallocate(10)); }},
    {"sync", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).sync()); }},
    {"set_info", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).set_info({})); }},
    {"set_atomicity", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).set_atomicity(false)); }},
    {"close", [](Scene&, Troupe& troupe, int rank) { return troupe.run(troupe.file(rank).close()); }},
};

class Disagreement : public testing::TestWithParam<bool> {  // whether ranks share memory
 protected:
  WorldOptions world(std::uint64_t seed) const {
    WorldOptions options{.ranks = scene_ranks, .seed = seed};
    if (!GetParam()) options.node_of_rank = {0, 0, 1, 1};
    return options;
  }
  std::unique_ptr<Troupe> opened(Scene& scene, std::uint64_t seed = 1) {
    auto troupe = std::make_unique<Troupe>(world(seed), [&](int) { return scene.driver(); });
    EXPECT_TRUE(all_ok(troupe->open(file_name, Scene::read_write(), scene.hints())));
    scene.set_views(*troupe);
    return troupe;
  }
  static void expect_usable(Scene& scene, Troupe& troupe) {
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::write, 2))) << troupe.hang();
    EXPECT_EQ(scene.store().contents(file_name), scene.written(2));
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 2))) << troupe.hang();
    EXPECT_TRUE(scene.read_back(2));
    EXPECT_TRUE(all_ok(troupe.close())) << troupe.hang();
  }
};

TEST_P(Disagreement, OneRankInAnotherCallIsNotSameOnAll) {
  for (std::size_t most = 0; most < calls.size(); ++most) {
    for (std::size_t odd = 0; odd < calls.size(); ++odd) {
      if (most == odd) continue;
      const int rank = static_cast<int>((most + odd) % scene_ranks);
      SCOPED_TRACE(std::string(calls[most].name) + ", but rank " + std::to_string(rank) + " in " + calls[odd].name);
      Scene scene({"node", true, false, 0});
      const std::unique_ptr<Troupe> troupe = opened(scene, most * 10 + odd);
      const Replies replies = troupe->all([&](int at) { return calls[at == rank ? odd : most].call(scene, *troupe, at); });
      ASSERT_EQ(troupe->hang(), "");
      EXPECT_TRUE(all_are(replies, ErrorClass::not_same)) << agreed(replies);
      EXPECT_EQ(scene.store().contents(file_name), Scene::before());
      const bool closed = calls[most].name == std::string("close") || calls[odd].name == std::string("close");
      if (!closed) expect_usable(scene, *troupe);
    }
  }
}

TEST_P(Disagreement, DifferentSizesAreNotSame) {
  for (const bool reserve : {false, true}) {
    Scene scene({"node", true, false, 0});
    const std::unique_ptr<Troupe> troupe = opened(scene);
    const Replies replies = troupe->all([&](int rank) {
      const Length size = rank == 2 ? 5000 : 4000;
      return troupe->run(reserve ? troupe->file(rank).preallocate(size) : troupe->file(rank).set_size(size));
    });
    EXPECT_TRUE(all_are(replies, ErrorClass::not_same)) << troupe->hang();
    EXPECT_EQ(scene.store().contents(file_name), Scene::before());
    expect_usable(scene, *troupe);
  }
}

TEST_P(Disagreement, AtomicityMustBeTheSame) {
  Scene scene({"node", true, false, 0});
  const std::unique_ptr<Troupe> troupe = opened(scene);
  EXPECT_TRUE(all_are(troupe->all([&](int rank) { return troupe->run(troupe->file(rank).set_atomicity(rank == 1)); }), ErrorClass::not_same));
  for (int rank = 0; rank < scene_ranks; ++rank) EXPECT_FALSE(troupe->file(rank).atomicity());
  expect_usable(scene, *troupe);
}

// One rank's part of a collective access cannot be done.
struct Refusal {
  const char* name;
  ErrorClass code;
  void (*spoil)(file::Access&);
};

const layout::Type three_bytes = *layout::named(3);

const std::vector<Refusal> refusals{
    {"negative count", ErrorClass::count, [](file::Access& access) { access.count = -1; }},
    {"negative offset", ErrorClass::argument, [](file::Access& access) { access.offset = -8; }},
    {"offset beyond everything", ErrorClass::argument, [](file::Access& access) { access.offset = std::numeric_limits<Offset>::max(); }},
    {"more bytes than a file can have", ErrorClass::argument, [](file::Access& access) { access.count = std::numeric_limits<Count>::max() / 8; }},
    {"more bytes than 64 bits", ErrorClass::type,
     [](file::Access& access) {
       access.count = std::numeric_limits<Count>::max() / 2;
       access.type = &three_bytes;
     }},
    {"shared pointer", ErrorClass::unsupported_operation, [](file::Access& access) { access.positioning = file::Positioning::shared_pointer; }},
    {"the door's own refusal", ErrorClass::type, [](file::Access& access) { access.refused = refusal(ErrorClass::type, ErrorDetail::type_overflow); }},
};

TEST_P(Disagreement, OneRanksRefusedAccessIsEverybodysError) {
  for (const char* strategy : {"direct", "node", "messages"}) {
    for (const Refusal& refused : refusals) {
      for (const Direction direction : {Direction::read, Direction::write}) {
        SCOPED_TRACE(std::string(strategy) + ", " + refused.name);
        Scene scene({strategy, true, false, 0});
        const std::unique_ptr<Troupe> troupe = opened(scene);
        const Replies replies = troupe->all([&](int rank) {
          file::Access access = scene.access(rank, direction, 1);
          if (rank == 1) refused.spoil(access);
          return troupe->access_all(rank, access);
        });
        ASSERT_EQ(troupe->hang(), "");
        EXPECT_EQ(agreed(replies), "");
        EXPECT_TRUE(all_are(replies, refused.code)) << (replies[0].ok() ? "succeeded" : collate::describe(*replies[0].error, "x", "y"));
        if (!replies[0].ok()) { EXPECT_EQ(replies[0].error->rank, 1); }
        EXPECT_EQ(scene.store().contents(file_name), Scene::before());
        expect_usable(scene, *troupe);
      }
    }
  }
}

TEST_P(Disagreement, DataThatIsNotWholeEtypesIsRefused) {
  Scene scene({"node", true, false, 0});
  const std::unique_ptr<Troupe> troupe = opened(scene);
  const layout::Type etype = *layout::named(8);
  EXPECT_TRUE(troupe->file(3).set_view({0, etype, etype, "native"}).ok());
  const Replies replies = troupe->all([&](int rank) {
    file::Access access = scene.access(rank, Direction::write, 1);
    access.count = 9;
    return troupe->access_all(rank, access);
  });
  EXPECT_TRUE(all_are(replies, ErrorClass::argument)) << troupe->hang();
  EXPECT_EQ(scene.store().contents(file_name), Scene::before());
}

// Views without bytes: nothing can be moved through them, and nothing must crash.
TEST_P(Disagreement, ViewsWithoutBytesMoveNothing) {
  const layout::Type byte = *layout::named(1);
  const layout::Type nothing = *layout::contiguous(0, byte);
  for (const bool no_etype : {false, true}) {
    for (const Direction direction : {Direction::read, Direction::write}) {
      SCOPED_TRACE(std::string(no_etype ? "empty etype" : "empty filetype") + (direction == Direction::read ? ", read" : ", write"));
      Scene scene({"automatic", true, false, 0});
      const std::unique_ptr<Troupe> troupe = opened(scene);
      for (int rank = 0; rank < scene_ranks; ++rank) {
        ASSERT_TRUE(troupe->file(rank).set_view({8, no_etype ? nothing : byte, nothing, "native"}).ok());
      }
      file::Access access = scene.access(0, direction, 1);
      access.coordination = file::Coordination::independent;
      const Result<file::Outcome> alone = troupe->file(0).access(access);
      EXPECT_FALSE(alone.ok());
      const Replies together = scene.access_all(*troupe, direction, 1);
      EXPECT_TRUE(all_are(together, ErrorClass::argument)) << troupe->hang();
      access.count = 0;
      EXPECT_TRUE(troupe->file(0).access(access).ok());
      EXPECT_TRUE(troupe->file(0).seek(0, file::Whence::end).ok());
      EXPECT_EQ(scene.store().contents(file_name), Scene::before());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, Disagreement, testing::Bool(), [](const auto& given) { return std::string(given.param ? "Shared" : "TwoNodes"); });

TEST(ReadOnly, WritingFailsOnAllRanksAndChangesNothing) {
  Scene scene({"node", true, false, 0});
  Troupe troupe({.ranks = scene_ranks}, [&](int) { return scene.driver(); });
  file::AccessMode mode;
  mode.read_only = true;
  ASSERT_TRUE(all_ok(troupe.open(file_name, mode, scene.hints())));
  scene.set_views(troupe);
  EXPECT_TRUE(all_are(scene.access_all(troupe, Direction::write, 1), ErrorClass::read_only)) << troupe.hang();
  EXPECT_TRUE(all_are(troupe.all([&](int rank) { return troupe.run(troupe.file(rank).set_size(1)); }), ErrorClass::read_only));
  EXPECT_TRUE(all_are(troupe.all([&](int rank) { return troupe.run(troupe.file(rank).preallocate(9999)); }), ErrorClass::read_only));
  EXPECT_TRUE(all_ok(troupe.all([&](int rank) { return troupe.run(troupe.file(rank).sync()); })));
  EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::read, 1)));
  EXPECT_EQ(scene.store().contents(file_name), Scene::before());
  EXPECT_TRUE(all_ok(troupe.close()));
}

TEST(WriteOnly, ReadingFailsAndEveryStrategyCanWrite) {
  for (const Script& script : all_scripts()) {
    SCOPED_TRACE(words_of(script));
    Scene scene(script);
    Troupe troupe({.ranks = scene_ranks}, [&](int) { return scene.driver(); });
    file::AccessMode mode;
    mode.write_only = true;
    ASSERT_TRUE(all_ok(troupe.open(file_name, mode, scene.hints())));
    scene.set_views(troupe);
    EXPECT_TRUE(all_are(scene.access_all(troupe, Direction::read, 1), ErrorClass::access)) << troupe.hang();
    EXPECT_TRUE(all_ok(scene.access_all(troupe, Direction::write, 1))) << troupe.hang();
    EXPECT_EQ(scene.store().contents(file_name), scene.written(1));
    EXPECT_TRUE(all_ok(troupe.close()));
  }
}

}  // namespace
}  // namespace collate::sim
