// What the engine allocates must not grow with the number of pieces: views of 2^31 one-byte blocks.
//
// operator new of this program counts; a view, a seek and a transfer of a few bytes together stay below 64 KiB,
// and what travels between ranks stays a few hundred bytes. (mpich#1578: memory that grows with the pieces.)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "execute/wire.hpp"
#include "plan/plan.hpp"
#include "scene.hpp"
#include "view/file_view.hpp"

namespace {

std::atomic<std::size_t> allocated{0};

void* counted(std::size_t size) {
  allocated += size;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace collate::sim {
namespace {

constexpr std::size_t little = 64 * 1024;
constexpr Count very_many = Count{1} << 31;

std::size_t bytes_of(const std::function<void()>& work) {
  const std::size_t before = allocated;
  work();
  return allocated - before;
}

layout::Type many_bytes() { return *layout::vector(very_many, 1, 2, *layout::named(1)); }

TEST(UnboundedPieces, DatatypesStayFormulas) {
  const auto rows = [](Count count) {
    return layout::subarray(std::vector<Count>{count, 4}, std::vector<Count>{count, 2}, std::vector<Count>{0, 1}, layout::ArrayOrder::c, many_bytes());
  };
  EXPECT_LT(bytes_of([&] {
              const Result<layout::Type> nested = rows(1 << 20);
              ASSERT_TRUE(nested.ok());
              EXPECT_EQ(nested->size(), Length{1} << 52);
            }),
            little);
  EXPECT_FALSE(rows(very_many).ok());  // 2^63 bytes
}

TEST(UnboundedPieces, AViewASeekAndAFewBytesAllocateLittle) {
  Scene scene({"automatic", true, false, 0});
  Troupe troupe({.ranks = 1}, [&](int) { return scene.driver(); });
  ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), {{"ind_rd_buffer_size", "4096"}, {"ind_wr_buffer_size", "4096"}})));
  file::File& file = troupe.file(0);
  std::array<std::byte, 16> data{};
  const layout::Type sixteen = *layout::named(16);
  for (const Direction direction : {Direction::read, Direction::write}) {
    const std::size_t used = bytes_of([&] {
      const layout::Type byte = *layout::named(1);
      ASSERT_TRUE(file.set_view({0, byte, many_bytes(), "native"}).ok());
      ASSERT_TRUE(file.seek(very_many + 5, file::Whence::set).ok());
      EXPECT_EQ(*file.byte_offset(very_many + 5), 2 * very_many - 1 + 10);
      ASSERT_TRUE(file.seek(0, file::Whence::end).ok());
      EXPECT_EQ(file.position(), file_bytes / 2);
      file::Access access;
      access.direction = direction;
      access.offset = 4;
      access.memory = data.data();
      access.count = 1;
      access.type = &sixteen;
      const Result<file::Outcome> moved = file.access(access);
      ASSERT_TRUE(moved.ok());
      EXPECT_EQ(moved->bytes, 16);
    });
    EXPECT_LT(used, little);
  }
  EXPECT_EQ(scene.store().contents(file_name), Scene::before());  // what was read was written back
}

TEST(UnboundedPieces, FarSeeksFitIn64Bits) {
  Scene scene({"automatic", true, false, 0});
  Troupe troupe({.ranks = 1}, [&](int) { return scene.driver(); });
  ASSERT_TRUE(all_ok(troupe.open(file_name, Scene::read_write(), {})));
  file::File& file = troupe.file(0);
  const layout::Type byte = *layout::named(1);
  ASSERT_TRUE(file.set_view({1, byte, *layout::resized(0, Length{1} << 40, byte), "native"}).ok());
  EXPECT_EQ(*file.byte_offset(1 << 20), (Offset{1} << 60) + 1);
  EXPECT_FALSE(file.byte_offset(std::numeric_limits<Offset>::max()).ok());
  EXPECT_FALSE(file.seek(-1, file::Whence::set).ok());
  EXPECT_TRUE(file.seek(std::numeric_limits<Offset>::max(), file::Whence::set).ok());
  EXPECT_FALSE(file.seek(1, file::Whence::current).ok());
}

TEST(UnboundedPieces, SummariesAndPlansDoNotGrow) {
  const layout::Type byte = *layout::named(1);
  const view::FileView view = *view::FileView::make(0, byte, many_bytes());
  const layout::Layout memory = *layout::repeated(1, *layout::contiguous(very_many, byte));
  std::array<plan::Summary, 4> summaries;
  const std::size_t used = bytes_of([&] {
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const Result<view::Transfer> transfer = view.transfer(static_cast<Offset>(rank) * very_many, memory, nullptr);
      ASSERT_TRUE(transfer.ok());
      summaries[rank] = plan::summarize(*transfer);
      EXPECT_EQ(summaries[rank].pieces, very_many);
    }
    plan::Topology topology;
    topology.node_of_rank = {0, 0, 0, 0};
    hints::Hints hints;
    hints.romio_cb_write = hints::Toggle::enable;
    const plan::CollectivePlan plan = plan::plan_collective(summaries, {Direction::write, false}, hints, topology);
    EXPECT_EQ(plan.strategy, plan::Strategy::node);
    EXPECT_EQ(plan.bytes, 4 * very_many);
  });
  EXPECT_LT(used, little);
  EXPECT_LE(sizeof(plan::Summary), 128U);
}

TEST(UnboundedPieces, ARegularPatternTakesAFewBytesOnTheWire) {
  const layout::Type byte = *layout::named(1);
  const view::FileView view = *view::FileView::make(0, byte, many_bytes());
  const view::Transfer transfer = *view.transfer(0, *layout::repeated(1, *layout::contiguous(very_many, byte)), nullptr);
  view::TransferCursor cursor(transfer);
  execute::RunWriter writer(0);
  while (const std::optional<view::CopyRun> run = cursor.next(very_many)) writer.add({run->file, run->length, run->file_stride, run->count});
  EXPECT_LE(writer.bytes().size(), 32U);
}

}  // namespace
}  // namespace collate::sim
