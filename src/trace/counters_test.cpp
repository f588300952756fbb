// Each event lands in its own row, and the summary says what a user can read.
#include "trace/counters.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace collate::trace {
namespace {

TEST(Counters, KeepsKindsApart) {
  Counters counters;
  counters.record(port::TraceEvent::file_write, 0, 4096, 2e-6);
  counters.record(port::TraceEvent::file_write, 4096, 1, 1e-6);
  counters.record(port::TraceEvent::file_lock, 0, 10, 0);
  const Counters::Row writes = counters.row(port::TraceEvent::file_write);
  EXPECT_EQ(writes.events, 2);
  EXPECT_EQ(writes.bytes, 4097);
  EXPECT_NEAR(writes.seconds, 3e-6, 1e-9);
  EXPECT_EQ(counters.row(port::TraceEvent::file_lock).events, 1);
  EXPECT_EQ(counters.row(port::TraceEvent::file_read).events, 0);
}

TEST(Counters, SummaryNamesOnlyWhatHappened) {
  Counters counters;
  EXPECT_EQ(counters.summary(), "nothing");
  counters.record(port::TraceEvent::file_write, 0, 4096, 2e-6);
  EXPECT_EQ(counters.summary(), "write 1 call 4.0 KiB 0.002 ms (2048 MB/s)");
  counters.record(port::TraceEvent::wait, 0, 0, 0.25);
  EXPECT_EQ(counters.summary(), "write 1 call 4.0 KiB 0.002 ms (2048 MB/s), wait 1 call 250.000 ms");
}

TEST(Counters, LosesNothingBetweenThreads) {
  Counters counters;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&counters] {
      for (int k = 0; k < 10000; ++k) counters.record(port::TraceEvent::file_read, 0, 3, 1e-9);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters.row(port::TraceEvent::file_read).events, 40000);
  EXPECT_EQ(counters.row(port::TraceEvent::file_read).bytes, 120000);
}

}  // namespace
}  // namespace collate::trace
