// The handle table: found while open, not found before or after, through growth and under concurrent readers.
#include "door/common/handle_table.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace collate::door {
namespace {

OpenFile* file(std::uintptr_t number) { return reinterpret_cast<OpenFile*>(number * 16); }

TEST(HandleTable, FindsNothingInItsEmptyState) {
  HandleTable table;
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table.find(12345), nullptr);
}

TEST(HandleTable, FindsWhatIsOpenOnly) {
  HandleTable table;
  table.insert(8, file(1));
  table.insert(16, file(2));
  EXPECT_EQ(table.find(8), file(1));
  table.remove(8);
  EXPECT_EQ(table.find(8), nullptr);
  EXPECT_EQ(table.find(16), file(2));
  table.insert(8, file(3));
  EXPECT_EQ(table.find(8), file(3));
}

TEST(HandleTable, NullHandlesAreNeverOurs) {
  HandleTable table;
  table.insert(8, file(1));
  EXPECT_EQ(table.find(0), nullptr);
}

TEST(HandleTable, GrowsAndForgets) {
  HandleTable table;
  for (std::uintptr_t i = 1; i <= 1000; ++i) table.insert(i * 64, file(i));
  for (std::uintptr_t i = 1; i <= 1000; i += 2) table.remove(i * 64);
  for (std::uintptr_t i = 1; i <= 1000; ++i) EXPECT_EQ(table.find(i * 64), i % 2 == 0 ? file(i) : nullptr) << i;
}

TEST(HandleTable, ReadersSeeTheirFileWhileOthersComeAndGo) {
  HandleTable table;
  table.insert(64, file(1));
  std::atomic<bool> stop{false};
  std::atomic<int> lost{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop.load()) {
        if (table.find(64) != file(1)) ++lost;
      }
    });
  }
  for (std::uintptr_t round = 1; round <= 3000; ++round) {
    table.insert(64 + round * 64, file(round));
    if (round > 10) table.remove(64 + (round - 10) * 64);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(lost.load(), 0);
}

}  // namespace
}  // namespace collate::door
