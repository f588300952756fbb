#include "conformance.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "support.hpp"

namespace collate::test {
namespace {

Bytes zeros(Length size) { return Bytes(static_cast<std::size_t>(size)); }

// Cuts bytes into segments of the given sizes, repeated.
std::vector<port::Segment> cut(Bytes& bytes, const std::vector<Length>& sizes) {
  std::vector<port::Segment> segments;
  Length at = 0;
  const auto total = static_cast<Length>(bytes.size());
  for (std::size_t i = 0; at < total; ++i) {
    const Length size = std::min(sizes[i % sizes.size()], total - at);
    segments.push_back({bytes.data() + at, size});
    at += size;
  }
  return segments;
}

void store_pattern(void* argument) {
  const auto memory = *static_cast<std::span<std::byte>*>(argument);
  const Bytes bytes = pattern(static_cast<Length>(memory.size()), 77);
  std::memcpy(memory.data(), bytes.data(), bytes.size());
}

TEST_P(Conformance, RoundTripsOddSizesAtOddPlaces) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  Bytes model;
  std::uint64_t seed = 1;
  for (const Length size : {1, 2, 3, 7, 511, 512, 513, 4095, 4096, 4097, 65537}) {
    for (const Offset offset : {0, 1, 511, 4095, 4096, 12289}) {
      const Bytes bytes = pattern(size, ++seed);
      const Result<Length> moved = write_at(*file, offset, bytes);
      ASSERT_TRUE(moved.ok());
      ASSERT_EQ(*moved, size);
      model.resize(std::max(model.size(), static_cast<std::size_t>(offset + size)));
      std::copy(bytes.begin(), bytes.end(), model.begin() + offset);
      ASSERT_EQ(read_at(*file, offset, size), bytes);
    }
  }
  const Result<Length> size = file->size();
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(*size, static_cast<Length>(model.size()));
  EXPECT_EQ(read_at(*file, 0, *size), model);
}

TEST_P(Conformance, ReadingStopsAtTheEnd) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  EXPECT_EQ(read_at(*file, 0, 100).size(), 0u);
  const Bytes bytes = pattern(10, 1);
  ASSERT_TRUE(write_at(*file, 0, bytes).ok());
  EXPECT_EQ(read_at(*file, 0, 100), bytes);
  EXPECT_EQ(read_at(*file, 9, 100).size(), 1u);
  EXPECT_EQ(read_at(*file, 10, 100).size(), 0u);
  EXPECT_EQ(read_at(*file, 1000, 100).size(), 0u);
}

TEST_P(Conformance, ReadingStopsAtTheEndAmongSegments) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(10, 1);
  ASSERT_TRUE(write_at(*file, 0, bytes).ok());
  Bytes memory(16, std::byte{0xEE});
  const std::vector<port::Segment> segments = cut(memory, {3, 4, 5, 4});
  const Result<Length> moved = file->transfer(Direction::read, 0, segments);
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(*moved, 10);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), memory.begin()));
  EXPECT_TRUE(std::all_of(memory.begin() + 10, memory.end(), [](std::byte b) { return b == std::byte{0xEE}; }));
}

TEST_P(Conformance, HolesAreZero) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(100, 1);
  ASSERT_TRUE(write_at(*file, 10, bytes).ok());
  ASSERT_TRUE(write_at(*file, 9000, bytes).ok());
  Bytes expected(9100);
  std::copy(bytes.begin(), bytes.end(), expected.begin() + 10);
  std::copy(bytes.begin(), bytes.end(), expected.begin() + 9000);
  EXPECT_EQ(read_at(*file, 0, 20000), expected);
}

TEST_P(Conformance, NothingToMoveMovesNothing) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const std::vector<port::Segment> empty(3);
  for (const Direction direction : {Direction::read, Direction::write}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      const Result<Length> moved = file->transfer(direction, 500, std::span(empty).first(count));
      ASSERT_TRUE(moved.ok());
      EXPECT_EQ(*moved, 0);
    }
  }
  EXPECT_EQ(*file->size(), 0);
}

TEST_P(Conformance, MoreSegmentsThanOneCallTakes) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  Bytes bytes = pattern(3500 * 3, 5);
  std::vector<port::Segment> segments = cut(bytes, {1, 2, 3, 0, 6});
  ASSERT_GT(segments.size(), 3000u);
  const Result<Length> written = file->transfer(Direction::write, 7, segments);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(*written, static_cast<Length>(bytes.size()));
  EXPECT_EQ(read_at(*file, 7, *written), bytes);
  Bytes back = zeros(*written);
  segments = cut(back, {2, 5, 0, 1});
  ASSERT_GT(segments.size(), 3000u);
  const Result<Length> read = file->transfer(Direction::read, 7, segments);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, *written);
  EXPECT_EQ(back, bytes);
}

TEST_P(Conformance, OffsetsBeyondFourGiB) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(5000, 3);
  for (const Offset offset : {(Offset{1} << 31) - 7, (Offset{1} << 32) - 7, (Offset{5} << 30) + 1}) {
    const Result<Length> moved = write_at(*file, offset, bytes);
    ASSERT_TRUE(moved.ok());
    ASSERT_EQ(*moved, 5000);
    EXPECT_EQ(read_at(*file, offset, 6000).size() >= 5000, true);
    EXPECT_EQ(read_at(*file, offset, 5000), bytes);
  }
  EXPECT_EQ(*file->size(), (Offset{5} << 30) + 5001);
  EXPECT_EQ(read_at(*file, (Offset{3} << 30), 1000), zeros(1000));
}

TEST_P(Conformance, ResizeCutsAndGrowsWithZeros) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(20000, 4);
  ASSERT_TRUE(write_at(*file, 0, bytes).ok());
  ASSERT_TRUE(file->resize(5001).ok());
  EXPECT_EQ(*file->size(), 5001);
  EXPECT_EQ(read_at(*file, 0, 20000), Bytes(bytes.begin(), bytes.begin() + 5001));
  ASSERT_TRUE(file->resize(18000).ok());
  EXPECT_EQ(*file->size(), 18000);
  EXPECT_EQ(read_at(*file, 5001, 20000), zeros(18000 - 5001));
  ASSERT_TRUE(file->resize(0).ok());
  EXPECT_EQ(*file->size(), 0);
  EXPECT_EQ(file->resize(-1).error().code, ErrorClass::argument);
}

TEST_P(Conformance, PreallocateGrowsAndKeepsBytes) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(5000, 6);
  ASSERT_TRUE(write_at(*file, 100, bytes).ok());
  ASSERT_TRUE(file->preallocate(2000).ok());
  EXPECT_EQ(*file->size(), 5100);  // never shrinks
  ASSERT_TRUE(file->preallocate(100001).ok());
  EXPECT_EQ(*file->size(), 100001);
  EXPECT_EQ(read_at(*file, 100, 5000), bytes);
  EXPECT_EQ(read_at(*file, 0, 100), zeros(100));
  EXPECT_EQ(read_at(*file, 5100, 200000), zeros(100001 - 5100));
  ASSERT_TRUE(file->preallocate(0).ok());
  EXPECT_EQ(*file->size(), 100001);
}

TEST_P(Conformance, WrongArgumentsAreRefused) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  const Bytes bytes = pattern(8, 1);
  EXPECT_EQ(write_at(*file, -1, bytes).error().code, ErrorClass::argument);
  EXPECT_EQ(write_at(*file, INT64_MAX - 3, bytes).error().code, ErrorClass::argument);
  EXPECT_EQ(file->preallocate(-5).error().code, ErrorClass::argument);
  EXPECT_EQ(*file->size(), 0);
}

TEST_P(Conformance, OpensOfOneFileShareBytesAndIdentity) {
  const auto one = open_file(driver(), path("f"));
  const auto two = open_file(driver(), path("f"), false);
  const auto other = open_file(driver(), path("g"));
  ASSERT_TRUE(one && two && other);
  EXPECT_EQ(one->identity(), two->identity());
  EXPECT_NE(one->identity(), other->identity());
  const Bytes bytes = pattern(3000, 8);
  ASSERT_TRUE(write_at(*one, 5, bytes).ok());
  EXPECT_EQ(read_at(*two, 5, 3000), bytes);
  EXPECT_EQ(*two->size(), 3005);
}

TEST_P(Conformance, OpeningKeepsTheBytes) {
  const Bytes bytes = pattern(300, 8);
  {
    const auto file = open_file(driver(), path("f"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(write_at(*file, 0, bytes).ok());
    EXPECT_TRUE(file->close().ok());
  }
  auto writer = driver().open({.path = path("f"), .read = false, .write = true, .create = true});
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(*(*writer)->size(), 300);
  EXPECT_TRUE((*writer)->traits().writable);
  const auto reader = driver().open({.path = path("f")});
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE((*reader)->traits().writable);
  EXPECT_TRUE((*reader)->traits().readable);
  EXPECT_EQ(read_at(**reader, 0, 1000), bytes);
}

TEST_P(Conformance, ErrorsOfOpenHaveTheirClass) {
  EXPECT_EQ(driver().open({.path = path("missing")}).error().code, ErrorClass::no_such_file);
  EXPECT_EQ(driver().open({.path = path("missing"), .write = true}).error().code, ErrorClass::no_such_file);
  EXPECT_EQ(driver().open({.path = path("nowhere/f"), .write = true, .create = true}).error().code, ErrorClass::no_such_file);
  ASSERT_TRUE(open_file(driver(), path("file")));
  EXPECT_EQ(driver().open({.path = path("file/below"), .write = true, .create = true}).error().code, ErrorClass::bad_file);
  EXPECT_EQ(driver().open({.path = path("file"), .write = true, .create = true, .exclusive = true}).error().code,
            ErrorClass::file_exists);
  subject_->make_folder("folder");
  EXPECT_EQ(driver().open({.path = path("folder"), .write = true}).error().code, ErrorClass::bad_file);
  EXPECT_EQ(driver().open({.path = path("folder")}).error().code, ErrorClass::bad_file);
  EXPECT_EQ(driver().open({.path = path("file"), .read = false}).error().code, ErrorClass::amode);
  EXPECT_TRUE(driver().open({.path = path("new"), .write = true, .create = true, .exclusive = true}).ok());
}

TEST_P(Conformance, RemoveRemovesOnce) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_at(*file, 0, pattern(10, 1)).ok());
  EXPECT_TRUE(driver().remove(path("f")).ok());
  EXPECT_EQ(driver().remove(path("f")).error().code, ErrorClass::no_such_file);
  EXPECT_EQ(driver().open({.path = path("f")}).error().code, ErrorClass::no_such_file);
  EXPECT_EQ(read_at(*file, 0, 100), pattern(10, 1));  // an open file lives on
  subject_->make_folder("folder");
  EXPECT_FALSE(driver().remove(path("folder")).ok());
}

TEST_P(Conformance, ReadOnlyOpenRefusesChanges) {
  ASSERT_TRUE(open_file(driver(), path("f")));
  const auto file = driver().open({.path = path("f")});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(write_at(**file, 0, pattern(5, 1)).error().code, ErrorClass::read_only);
  EXPECT_EQ((*file)->resize(5).error().code, ErrorClass::read_only);
  EXPECT_EQ((*file)->preallocate(5).error().code, ErrorClass::read_only);
  EXPECT_FALSE((*file)->map(Direction::write, {0, 1}).ok());
  EXPECT_EQ(*(*file)->size(), 0);
}

TEST_P(Conformance, AClosedFileSaysSo) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->sync().ok());
  EXPECT_TRUE(file->close().ok());
  EXPECT_EQ(file->close().error().detail, ErrorDetail::file_is_closed);
  EXPECT_EQ(file->size().error().detail, ErrorDetail::file_is_closed);
  EXPECT_EQ(file->sync().error().detail, ErrorDetail::file_is_closed);
  EXPECT_EQ(file->lock(Direction::write, {0, 1}).error().detail, ErrorDetail::file_is_closed);
  EXPECT_EQ(write_at(*file, 0, pattern(5, 1)).error().detail, ErrorDetail::file_is_closed);
}

TEST_P(Conformance, MappedStoresAreFileBytes) {
  const auto file = open_file(driver(), path("f"));
  const auto other = open_file(driver(), path("f"));
  ASSERT_TRUE(file && other);
  Bytes expected = pattern(30000, 9);
  ASSERT_TRUE(write_at(*file, 0, expected).ok());
  const ByteRange range = {4001, 29990};
  auto mapping = file->map(Direction::write, range);
  if (!file->traits().mapped_stores) {
    EXPECT_EQ(mapping.error().code, ErrorClass::unsupported_operation);
    GTEST_SKIP() << "this file system does not offer mapped stores";
  }
  ASSERT_TRUE(mapping.ok());
  std::span<std::byte> memory = (*mapping)->memory();
  ASSERT_EQ(static_cast<Length>(memory.size()), range.size());
  EXPECT_TRUE(std::equal(memory.begin(), memory.end(), expected.begin() + range.begin));
  ASSERT_TRUE((*mapping)->guarded(store_pattern, &memory).ok());
  const Bytes stored = pattern(range.size(), 77);
  std::copy(stored.begin(), stored.end(), expected.begin() + range.begin);
  EXPECT_EQ(read_at(*other, 0, 40000), expected);  // seen while still mapped, the neighbours untouched
  ASSERT_TRUE(write_at(*other, 5000, pattern(100, 1)).ok());
  const Bytes patch = pattern(100, 1);
  EXPECT_TRUE(std::equal(patch.begin(), patch.end(), memory.begin() + (5000 - range.begin)));
  EXPECT_EQ(*file->size(), 30000);
}

TEST_P(Conformance, MappingsLieBelowTheEnd) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_at(*file, 0, pattern(100, 9)).ok());
  for (const Direction direction : {Direction::read, Direction::write}) {
    EXPECT_EQ(file->map(direction, {0, 101}).error().code, ErrorClass::unsupported_operation);
    EXPECT_EQ(file->map(direction, {5000, 5001}).error().code, ErrorClass::unsupported_operation);
    EXPECT_FALSE(file->map(direction, {10, 10}).ok());
    EXPECT_FALSE(file->map(direction, {-1, 10}).ok());
  }
  if (!file->traits().mapped_stores) return;
  const auto whole = file->map(Direction::read, {0, 100});
  ASSERT_TRUE(whole.ok());
  const std::span<std::byte> memory = (*whole)->memory();
  EXPECT_EQ(Bytes(memory.begin(), memory.end()), pattern(100, 9));
}

TEST_P(Conformance, AMappingOutlivesItsFile) {
  auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_at(*file, 0, pattern(5000, 9)).ok());
  auto mapping = file->map(Direction::read, {1, 5000});
  if (!mapping) GTEST_SKIP() << "this file system does not offer mappings";
  ASSERT_TRUE(file->close().ok());
  file.reset();
  const std::span<std::byte> memory = (*mapping)->memory();
  const Bytes bytes = pattern(5000, 9);
  EXPECT_TRUE(std::equal(memory.begin(), memory.end(), bytes.begin() + 1));
}

TEST_P(Conformance, SharedLocksShareAndRangesAreExact) {
  const auto one = open_file(driver(), path("f"));
  const auto two = open_file(driver(), path("f"));
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(one->traits().range_locks);
  EXPECT_TRUE(one->lock(Direction::read, {0, 100}).ok());
  EXPECT_TRUE(two->lock(Direction::read, {50, 150}).ok());
  EXPECT_TRUE(one->unlock({0, 100}).ok());
  EXPECT_TRUE(two->unlock({50, 150}).ok());
  EXPECT_TRUE(one->lock(Direction::write, {0, 100}).ok());
  EXPECT_TRUE(two->lock(Direction::write, {100, 200}).ok());  // they only touch
  EXPECT_TRUE(one->lock(Direction::write, {60, 60}).ok());    // nothing, not: to the end of the file
  EXPECT_TRUE(one->unlock({40, 60}).ok());
  EXPECT_TRUE(two->lock(Direction::write, {40, 60}).ok());  // the middle is free, both sides are still held
  EXPECT_TRUE(one->unlock({0, 100}).ok());
  EXPECT_TRUE(two->unlock({0, 200}).ok());
}

// Runs `release` while another open file asks for [10, 20) that `holder` has; whether it got it afterwards.
void expect_exclusion(Subject& subject, port::OpenFile& holder, port::OpenFile& asker, const std::function<void()>& release) {
  ASSERT_TRUE(holder.lock(Direction::write, {0, 100}).ok());
  if (!subject.locks_wait()) {
    EXPECT_EQ(asker.lock(Direction::write, {10, 20}).error().code, ErrorClass::internal);
    EXPECT_EQ(asker.lock(Direction::read, {99, 200}).error().code, ErrorClass::internal);
    release();
    EXPECT_TRUE(asker.lock(Direction::write, {10, 20}).ok());
    return;
  }
  std::atomic<bool> got{false};
  std::thread waiter([&] { got = asker.lock(Direction::write, {10, 20}).ok(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(got.load()) << "the lock was granted while another file held it";
  release();
  waiter.join();
  EXPECT_TRUE(got.load());
}

TEST_P(Conformance, AnExclusiveLockKeepsOthersOutUntilUnlocked) {
  const auto holder = open_file(driver(), path("f"));
  const auto asker = open_file(driver(), path("f"));
  ASSERT_TRUE(holder && asker);
  expect_exclusion(*subject_, *holder, *asker, [&] { EXPECT_TRUE(holder->unlock({0, 100}).ok()); });
}

TEST_P(Conformance, ClosingReleasesLocksButNotThoseOfOtherOpens) {
  const auto holder = open_file(driver(), path("f"));
  const auto asker = open_file(driver(), path("f"));
  auto bystander = open_file(driver(), path("f"));
  ASSERT_TRUE(holder && asker && bystander);
  expect_exclusion(*subject_, *holder, *asker, [&] { EXPECT_TRUE(holder->close().ok()); });
  EXPECT_TRUE(bystander->close().ok());  // with plain POSIX locks this would drop the asker's lock
  const auto late = open_file(driver(), path("f"));
  ASSERT_TRUE(late);
  expect_exclusion(*subject_, *asker, *late, [&] { EXPECT_TRUE(asker->unlock({0, 100}).ok()); });
}

TEST_P(Conformance, ThreadsMayShareAnOpenFile) {
  const auto file = open_file(driver(), path("f"));
  ASSERT_TRUE(file);
  constexpr Length piece = 1000;
  const Count pieces = subject_->slow() ? 20 : 200;
  const Bytes expected = pattern(4 * pieces * piece, 12);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (Count thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (Count i = thread; i < 4 * pieces; i += 4) {
        const Bytes bytes(expected.begin() + i * piece, expected.begin() + (i + 1) * piece);
        const Result<Length> moved = write_at(*file, i * piece, bytes);
        if (!moved || *moved != piece) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  EXPECT_EQ(read_at(*file, 0, 4 * pieces * piece + 1), expected);
}

}  // namespace
}  // namespace collate::test
