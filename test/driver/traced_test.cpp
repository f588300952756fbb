// The traced decorator reports each call once, with the bytes that moved and the time it took.
#include "driver/traced/traced_driver.hpp"

#include <gtest/gtest.h>

#include "driver/faulty/faulty_driver.hpp"
#include "driver/memory/memory_driver.hpp"
#include "support.hpp"
#include "trace/counters.hpp"
#include "trace/steady_clock.hpp"

namespace collate::test {
namespace {

// Goes on by a second at every look.
class CountingClock final : public port::Clock {
 public:
  double now() override { return seconds_ += 1; }

 private:
  double seconds_ = 0;
};

TEST(Traced, ReportsBytesPerDirectionLocksAndMaps) {
  trace::Counters counters;
  CountingClock clock;
  const auto driver = driver::make_traced_driver(driver::make_memory_driver(std::make_shared<driver::MemoryStore>()), counters, clock);
  const auto file = open_file(*driver, "f");
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_at(*file, 0, pattern(100, 1)).ok());
  ASSERT_TRUE(write_at(*file, 100, pattern(50, 1)).ok());
  EXPECT_EQ(read_at(*file, 140, 100).size(), 10u);
  ASSERT_TRUE(file->lock(Direction::write, {5, 25}).ok());
  ASSERT_TRUE(file->unlock({5, 25}).ok());
  ASSERT_TRUE(file->map(Direction::read, {0, 30}).ok());
  const auto row = [&](port::TraceEvent event) { return counters.row(event); };
  EXPECT_EQ(row(port::TraceEvent::file_write).events, 2);
  EXPECT_EQ(row(port::TraceEvent::file_write).bytes, 150);
  EXPECT_DOUBLE_EQ(row(port::TraceEvent::file_write).seconds, 2.0);
  EXPECT_EQ(row(port::TraceEvent::file_read).events, 1);
  EXPECT_EQ(row(port::TraceEvent::file_read).bytes, 10);  // what moved, not what was asked
  EXPECT_EQ(row(port::TraceEvent::file_lock).events, 1);
  EXPECT_EQ(row(port::TraceEvent::file_lock).bytes, 20);
  EXPECT_EQ(row(port::TraceEvent::file_map).events, 1);
  EXPECT_EQ(row(port::TraceEvent::file_map).bytes, 30);
}

TEST(Traced, FailedCallsMoveNothing) {
  trace::Counters counters;
  trace::SteadyClock clock;
  auto failing = driver::make_faulty_driver(driver::make_memory_driver(std::make_shared<driver::MemoryStore>()),
                                            {.faults = {{driver::Call::write, 1, EIO}}});
  const auto driver = driver::make_traced_driver(std::move(failing), counters, clock);
  const auto file = open_file(*driver, "f");
  EXPECT_FALSE(write_at(*file, 0, pattern(100, 1)).ok());
  EXPECT_EQ(counters.row(port::TraceEvent::file_write).events, 1);
  EXPECT_EQ(counters.row(port::TraceEvent::file_write).bytes, 0);
}

}  // namespace
}  // namespace collate::test
