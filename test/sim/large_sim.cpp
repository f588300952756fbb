// Accesses that reach far: mappings and windows of several MiB, offsets beyond 4 GiB, every strategy; and atomic mode.
#include <gtest/gtest.h>

#include <set>

#include "driver/memory/memory_driver.hpp"
#include "driver/memory/memory_store.hpp"
#include "support/troupe.hpp"

namespace collate::sim {
namespace {

constexpr Length MiB = 1024 * 1024;
constexpr int ranks = 3;
constexpr Length piece = 5000;
constexpr Count pieces = 12;

class Large : public testing::TestWithParam<const char*> {};

std::byte value(int rank, Length i) { return static_cast<std::byte>((i * 31 + rank * 77 + i / 5000) % 251 + 1); }

file::AccessMode creating() {
  file::AccessMode mode;
  mode.read_write = true;
  mode.create = true;
  return mode;
}

// 5,000 bytes of every 3 MiB from byte 5 GiB on, shifted by 1 MiB per rank: 36 MiB of span, mapped in 8 MiB parts.
TEST_P(Large, FarAndWidePiecesArriveWhereTheyBelong) {
  driver::MemoryOptions options;
  options.traits.mapped_stores = true;
  options.traits.mapped_loads = true;
  const auto store = std::make_shared<driver::MemoryStore>(options);
  Troupe troupe({.ranks = ranks}, [&](int) { return driver::make_memory_driver(store); });
  ASSERT_TRUE(all_ok(troupe.open("far.dat", creating(), {{"collate_strategy", GetParam()}, {"romio_cb_write", "enable"}})));
  const layout::Type byte = *layout::named(1);
  const layout::Type filetype = *layout::resized(0, 3 * MiB, *layout::contiguous(piece, byte));
  const layout::Type gappy = *layout::vector(piece * pieces, 1, 2, byte);
  std::vector<std::vector<std::byte>> buffers;
  const Offset base = Offset{5} << 30;
  for (int rank = 0; rank < ranks; ++rank) {
    ASSERT_TRUE(troupe.file(rank).set_view({base + rank * MiB, byte, filetype, "native"}).ok());
    buffers.emplace_back(static_cast<std::size_t>(2 * piece * pieces), std::byte{0xEE});
    for (Length i = 0; i < piece * pieces; ++i) buffers.back()[static_cast<std::size_t>(2 * i)] = value(rank, i);
  }
  const auto all = [&](Direction direction) {
    return troupe.all([&](int rank) {
      file::Access access;
      access.direction = direction;
      access.memory = buffers[static_cast<std::size_t>(rank)].data();
      access.count = 1;
      access.type = &gappy;
      return troupe.access_all(rank, access);
    });
  };
  const auto written = buffers;
  ASSERT_TRUE(all_ok(all(Direction::write))) << troupe.hang();
  EXPECT_EQ(*troupe.file(0).size(), base + (ranks - 1) * MiB + (pieces - 1) * 3 * MiB + piece);
  for (auto& buffer : buffers) std::fill(buffer.begin(), buffer.end(), std::byte{0xEE});
  const Replies read = all(Direction::read);
  ASSERT_TRUE(all_ok(read)) << troupe.hang();
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(read[static_cast<std::size_t>(rank)].bytes, piece * pieces);
    EXPECT_TRUE(buffers[static_cast<std::size_t>(rank)] == written[static_cast<std::size_t>(rank)]) << "rank " << rank;
  }
  // Each rank's pieces really lie where its view says, and between them is nothing but zeroes.
  const auto driver = driver::make_memory_driver(store);
  port::OpenSpec spec;
  spec.path = "far.dat";
  const auto file = driver->open(spec);
  ASSERT_TRUE(file.ok());
  std::vector<std::byte> bytes(static_cast<std::size_t>(3 * MiB));
  const port::Segment segment{bytes.data(), 3 * MiB};
  ASSERT_TRUE((*file)->transfer(Direction::read, base + 3 * MiB, {&segment, 1}).ok());
  for (Offset at = 0; at < 3 * MiB; ++at) {
    const bool data = at % MiB < piece;
    const std::byte expected = data ? value(static_cast<int>(at / MiB), piece + at % MiB) : std::byte{0};
    ASSERT_EQ(bytes[static_cast<std::size_t>(at)], expected) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Large,
                         testing::Values("automatic", "pieces", "sieve", "mapped", "rmw", "direct", "node", "messages"),
                         [](const auto& given) { return std::string(given.param); });

// In atomic mode, ranks that write the same scattered bytes at once leave one rank's bytes, whole.
TEST(AtomicMode, OverlappingWritesLeaveOneRanksBytes) {
  std::set<std::byte> winners;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const char* strategy : {"automatic", "pieces", "mapped", "rmw", "node", "messages"}) {
      const auto store = std::make_shared<driver::MemoryStore>();
      Troupe troupe({.ranks = ranks, .seed = seed}, [&](int) { return driver::make_memory_driver(store); });
      ASSERT_TRUE(all_ok(troupe.open("atomic.dat", creating(), {{"collate_strategy", strategy}, {"ind_wr_buffer_size", "64"}})));
      ASSERT_TRUE(all_ok(troupe.all([&](int rank) { return troupe.run(troupe.file(rank).set_atomicity(true)); })));
      const layout::Type byte = *layout::named(1);
      const layout::Type filetype = *layout::resized(0, 24, *layout::contiguous(8, byte));
      std::vector<std::vector<std::byte>> buffers;
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_TRUE(troupe.file(rank).set_view({4, byte, filetype, "native"}).ok());
        buffers.emplace_back(160, static_cast<std::byte>(rank + 1));
      }
      ASSERT_TRUE(all_ok(troupe.all([&](int rank) {
        file::Access access;
        access.direction = Direction::write;
        access.memory = buffers[static_cast<std::size_t>(rank)].data();
        access.count = 160;
        access.type = &byte;
        return troupe.access_all(rank, access);
      }))) << troupe.hang();
      const std::vector<std::byte> found = store->contents("atomic.dat");
      std::set<std::byte> seen;
      for (Offset i = 0; i < 160; ++i) seen.insert(found[static_cast<std::size_t>(4 + i / 8 * 24 + i % 8)]);
      ASSERT_EQ(seen.size(), 1U) << strategy << ", seed " << seed;
      winners.insert(*seen.begin());
    }
  }
  EXPECT_GT(winners.size(), 1U);  // otherwise the ranks never raced
}

}  // namespace
}  // namespace collate::sim
