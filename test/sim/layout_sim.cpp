// Datatypes, cursors, views and pairings against the naive type map, on random trees of constructors.
// COLLATE_SIM_SEED changes the seed, COLLATE_SIM_TYPES the number of types per test.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/random_types.hpp"
#include "view/file_view.hpp"

namespace collate::sim {
namespace {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const std::uint64_t first_seed = number_from("COLLATE_SIM_SEED", 20261121);
const std::uint64_t types = number_from("COLLATE_SIM_TYPES", 20000);

template <class Check>
void for_each_seed(std::uint64_t count, Check check) {
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE("COLLATE_SIM_SEED=" + std::to_string(first_seed + i) + " COLLATE_SIM_TYPES=1");
    check(first_seed + i);
    if (testing::Test::HasFailure()) return;
  }
}

// The bytes a cursor yields until its end, in order, with random limits.
std::vector<Offset> walk(layout::Cursor& cursor, Random& random, bool limited) {
  std::vector<Offset> bytes;
  for (;;) {
    const Length limit = limited ? random.between(1, 40) : 1'000'000;
    const Length before = cursor.position();
    const std::optional<layout::Run> run = cursor.next(limit);
    if (!run) break;
    EXPECT_LE(run->bytes(), limit);
    EXPECT_EQ(cursor.position(), before + run->bytes());
    for (Count i = 0; i < run->count; ++i) {
      for (Offset j = 0; j < run->length; ++j) bytes.push_back(run->offset + i * run->stride + j);
    }
  }
  EXPECT_TRUE(cursor.at_end());
  return bytes;
}

std::vector<Offset> tail(const std::vector<Offset>& all, Length from) { return {all.begin() + from, all.end()}; }

void check_bounds(const TwinType& type) {
  ASSERT_FALSE(type.failed) << type.text;
  EXPECT_EQ(type.made.size(), type.naive.size()) << type.text;
  EXPECT_EQ(type.made.lower, type.naive.lower) << type.text;
  EXPECT_EQ(type.made.extent, type.naive.extent) << type.text;
  EXPECT_EQ(type.made.layout.ordered(), naive::ascending(type.naive.map)) << type.text;
}

void check_layout(const layout::Layout& layout, const std::vector<Offset>& expected, Random& random, const std::string& text) {
  ASSERT_EQ(layout.size(), static_cast<Length>(expected.size())) << text;
  layout::Cursor cursor(layout);
  EXPECT_EQ(walk(cursor, random, false), expected) << text;
  if (expected.empty()) return;
  EXPECT_EQ(layout.low(), *std::min_element(expected.begin(), expected.end())) << text;
  EXPECT_EQ(layout.high(), *std::max_element(expected.begin(), expected.end()) + 1) << text;
  for (int i = 0; i < 3; ++i) {
    const Length from = random.below(layout.size() + 1);
    cursor.seek(from);
    EXPECT_EQ(walk(cursor, random, true), tail(expected, from)) << text << " from " << from;
    const Length at = random.below(layout.size());
    EXPECT_EQ(layout.offset_of(at), expected[static_cast<std::size_t>(at)]) << text << " at " << at;
  }
  if (!layout.ordered()) return;
  for (int i = 0; i < 5; ++i) {
    const Offset offset = random.between(layout.low() - 3, layout.high() + 3);
    const auto below = std::count_if(expected.begin(), expected.end(), [&](Offset byte) { return byte < offset; });
    EXPECT_EQ(layout.bytes_below(offset), below) << text << " below " << offset;
  }
}

TEST(SimTypes, ConstructorsSayWhatTheNaiveMapSays) {
  for_each_seed(types, [](std::uint64_t seed) {
    Random random(seed);
    TypeMaker maker(random, {.largest = 300, .depth = 4});
    const TwinType type = maker.make();
    check_bounds(type);
    if (testing::Test::HasFailure()) return;
    const Count count = random.between(0, 5);
    const Result<layout::Layout> many = layout::repeated(count, type.made);
    ASSERT_TRUE(many.ok());
    check_layout(*many, naive::repeated(count, type.naive), random, std::to_string(count) + " x " + type.text);
  });
}

TEST(SimTypes, ShiftedLayoutsMoveEveryByte) {
  for_each_seed(types / 10, [](std::uint64_t seed) {
    Random random(seed);
    TypeMaker maker(random, {.largest = 200});
    const TwinType type = maker.make();
    const Offset by = random.between(-1000, 1000);
    std::vector<Offset> expected = type.naive.map;
    for (Offset& byte : expected) byte += by;
    check_layout(type.made.layout.shifted(by), expected, random, type.text);
  });
}

// A random view with its bytes written out.
struct TwinView {
  view::FileView made;
  std::vector<Offset> bytes;  // of the first tiles
  Length unit = 1;
  std::string text;
  bool good = false;
};

TwinView random_view(Random& random, bool ordered) {
  TwinView view;
  TypeMaker small(random, {.largest = 16, .depth = 1, .negative = false, .repeats = false, .zero_sized = false});
  const TwinType etype = small.make();
  TypeMaker maker(random, {.largest = 120, .depth = 3, .negative = false, .repeats = !ordered, .zero_sized = false});
  const TwinType filetype = maker.make_of(etype);
  const Offset displacement = random.below(50);
  for (const Offset byte : naive::repeated(6, filetype.naive)) view.bytes.push_back(displacement + byte);
  if (filetype.naive.map.empty() || (ordered && !naive::ascending(view.bytes))) return view;
  if (*std::min_element(filetype.naive.map.begin(), filetype.naive.map.end()) < 0) return view;
  const Result<view::FileView> made = view::FileView::make(displacement, etype.made, filetype.made);
  EXPECT_TRUE(made.ok()) << filetype.text;
  if (!made) return view;
  view.made = *made;
  view.unit = etype.naive.size();
  view.text = "view at " + std::to_string(displacement) + " of " + filetype.text;
  view.good = true;
  return view;
}

TEST(SimViews, PositionsMatchTheNaiveView) {
  for_each_seed(types, [](std::uint64_t seed) {
    Random random(seed);
    const bool ordered = random.chance(70);
    const TwinView view = random_view(random, ordered);
    if (!view.good) return;
    const Count etypes = static_cast<Length>(view.bytes.size()) / view.unit;
    const Count at = random.below(etypes);
    const Result<Offset> offset = view.made.byte_offset(at);
    ASSERT_TRUE(offset.ok()) << view.text;
    EXPECT_EQ(*offset, view.bytes[static_cast<std::size_t>(at * view.unit)]) << view.text << " at " << at;
    if (!ordered) return;
    const Offset end = random.below(view.bytes[static_cast<std::size_t>((etypes - 1) * view.unit)] + 1);
    Count expected = 0;
    while (view.bytes[static_cast<std::size_t>(expected * view.unit)] < end) ++expected;
    EXPECT_EQ(view.made.position_at(end), expected) << view.text << " end " << end;
  });
}

void check_pairing(const view::Transfer& transfer, const std::vector<Offset>& file, const std::vector<Offset>& memory, Random& random) {
  view::TransferCursor cursor(transfer);
  const bool limited = random.chance(70);
  Length at = random.below(transfer.bytes + 1);
  cursor.seek(at);
  for (;;) {
    const Length limit = limited ? random.between(1, 50) : transfer.bytes;
    const std::optional<view::CopyRun> run = cursor.next(limit);
    if (!run) break;
    ASSERT_LE(run->bytes(), limit);
    ASSERT_GT(run->bytes(), 0);
    for (Count i = 0; i < run->count; ++i) {
      for (Offset j = 0; j < run->length; ++j, ++at) {
        ASSERT_EQ(run->file + i * run->file_stride + j, file[static_cast<std::size_t>(at)]);
        ASSERT_EQ(run->memory + i * run->memory_stride + j, memory[static_cast<std::size_t>(at)]);
      }
    }
    ASSERT_EQ(cursor.position(), at);
  }
  EXPECT_EQ(at, transfer.bytes);
}

TEST(SimViews, MemoryIsPairedWithTheRightFileBytes) {
  for_each_seed(types, [](std::uint64_t seed) {
    Random random(seed);
    const TwinView view = random_view(random, random.chance(70));
    if (!view.good) return;
    TypeMaker maker(random, {.largest = 100});
    const TwinType type = maker.make();
    const Count count = random.between(1, 4);
    const std::vector<Offset> memory = naive::repeated(count, type.naive);
    const Count position = random.below(4);
    const Length start = position * view.unit;
    const auto bytes = static_cast<Length>(memory.size());
    if (bytes == 0 || bytes % view.unit != 0 || start + bytes > static_cast<Length>(view.bytes.size())) return;
    const std::vector<Offset> file(view.bytes.begin() + start, view.bytes.begin() + start + bytes);
    const Result<view::Transfer> transfer = view.made.transfer(position, *layout::repeated(count, type.made), nullptr);
    ASSERT_TRUE(transfer.ok()) << view.text;
    SCOPED_TRACE(view.text + " with " + std::to_string(count) + " x " + type.text);
    const ByteRange hull{*std::min_element(file.begin(), file.end()), *std::max_element(file.begin(), file.end()) + 1};
    EXPECT_EQ(transfer->ordered, transfer->file.ordered());
    EXPECT_LE(transfer->span.begin, hull.begin);
    EXPECT_GE(transfer->span.end, hull.end);
    if (transfer->ordered) { EXPECT_EQ(transfer->span, hull); }
    check_pairing(*transfer, file, memory, random);
  });
}

}  // namespace
}  // namespace collate::sim
