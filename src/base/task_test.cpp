#include "base/task.hpp"

#include <gtest/gtest.h>

namespace collate {
namespace {

class After final : public Pending {  // ready at the nth question
 public:
  explicit After(int questions) : left_(questions) {}
  bool ready() override { return left_-- <= 0; }
  void block() override { ++blocked; }
  int blocked = 0;

 private:
  int left_;
};

Task<int> one() { co_return 1; }

Task<int> count(int times) {
  int sum = 0;
  for (int i = 0; i < times; ++i) sum += co_await one();
  co_return sum;
}

Task<int> deep(int levels) {
  if (levels == 0) co_return 0;
  const int below = co_await deep(levels - 1);
  co_return below + 1;
}

Task<int> wait_for(Pending& pending) {
  co_await pending;
  const int more = co_await count(2);
  co_return more + 1;
}

// A collective access of many windows awaits as often; tail calls are not to be relied on.
TEST(Task, AMillionAwaitsInARowNeedNoStack) { EXPECT_EQ(run(count(1'000'000)), 1'000'000); }

TEST(Task, DeepNestingComesBack) { EXPECT_EQ(run(deep(100'000)), 100'000); }

TEST(Task, AStrandStopsAtWhatIsNotReadyAndGoesOn) {
  After pending(4);  // the first poll asks twice: before it suspends and after
  Strand<int> strand(wait_for(pending));
  EXPECT_FALSE(strand.done());
  EXPECT_FALSE(strand.poll());
  EXPECT_EQ(strand.pending(), &pending);
  EXPECT_FALSE(strand.poll());
  EXPECT_FALSE(strand.poll());
  EXPECT_TRUE(strand.poll());
  EXPECT_EQ(strand.take(), 3);
}

TEST(Task, WaitingBlocksWhileNotReady) {
  After pending(4);
  EXPECT_EQ(run(wait_for(pending)), 3);
  EXPECT_EQ(pending.blocked, 3);
}

}  // namespace
}  // namespace collate
