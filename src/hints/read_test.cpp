#include "hints/read.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hints/hint_table.hpp"
#include "hints/value.hpp"

namespace collate::hints {
namespace {

std::string entry(const HintSet& hints, std::string_view name) {
  for (const auto& [key, value] : hints.entries()) {
    if (key == name) return value;
  }
  return "absent";
}

TEST(Read, NothingGivenMeansDefaultsAndSilence) {
  const Reading reading = read({});
  EXPECT_EQ(reading.hints.values(), Hints{});
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_EQ(entry(reading.hints, "cb_buffer_size"), "16777216");
  EXPECT_EQ(entry(reading.hints, "romio_visibility_immediate"), "true");
  EXPECT_EQ(entry(reading.hints, "cb_nodes"), "absent");
}

TEST(Read, StrongerSourcesWin) {
  Sources sources;
  sources.path = "/tmp/out.dat";
  sources.mpich_mpiio_hints = "*:cb_nodes=1:cb_buffer_size=1M:ind_rd_buffer_size=1M:ind_wr_buffer_size=1M";
  sources.romio_hints = "cb_nodes 2\ncb_buffer_size 2M\nind_rd_buffer_size 2M\n";
  sources.collate_hints = "cb_nodes=3;cb_buffer_size=3M";
  sources.info = {{"cb_nodes", "4"}};
  const Reading reading = read(sources);
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_EQ(reading.hints.values().cb_nodes, 4);
  EXPECT_EQ(reading.hints.values().cb_buffer_size, 3 << 20);
  EXPECT_EQ(reading.hints.values().ind_rd_buffer_size, 2 << 20);
  EXPECT_EQ(reading.hints.values().ind_wr_buffer_size, 1 << 20);
  EXPECT_EQ(reading.hints.origin(HintId::cb_nodes), Origin::info);
  EXPECT_EQ(reading.hints.origin(HintId::cb_buffer_size), Origin::collate_hints);
  EXPECT_EQ(reading.hints.origin(HintId::ind_rd_buffer_size), Origin::romio_hints);
  EXPECT_EQ(reading.hints.origin(HintId::ind_wr_buffer_size), Origin::mpich_mpiio_hints);
  EXPECT_EQ(reading.hints.origin(HintId::romio_cb_read), Origin::default_value);
}

TEST(Read, OnlyMatchingPatternsCountAndLaterOnesWin) {
  Sources sources;
  sources.mpich_mpiio_hints = "*.h5:cb_nodes=9,*:romio_cb_write=enable,*.dat:romio_cb_write=disable";
  sources.path = "/tmp/out.dat";
  const Reading reading = read(sources);
  EXPECT_EQ(reading.hints.values().cb_nodes, 0);
  EXPECT_EQ(reading.hints.values().romio_cb_write, Toggle::disable);
}

TEST(Read, BadValuesAreNamedAndTheDefaultUsed) {
  const Reading reading = read({.collate_hints = "cb_nodes=many"});
  ASSERT_EQ(reading.warnings.size(), 1U);
  EXPECT_EQ(reading.warnings[0], "hint cb_nodes: 'many' from COLLATE_HINTS is not a whole number from 0 to 1000000000; using 0, the default");
  EXPECT_EQ(reading.hints.values(), Hints{});
}

TEST(Read, ABadValueLeavesAWeakerSourceInCharge) {
  const Reading reading = read({.info = {{"cb_nodes", "-3"}}, .collate_hints = "cb_nodes=5"});
  EXPECT_EQ(reading.hints.values().cb_nodes, 5);
  ASSERT_EQ(reading.warnings.size(), 1U);
  EXPECT_EQ(reading.warnings[0], "hint cb_nodes: '-3' from MPI_Info is not a whole number from 0 to 1000000000; using 5 from COLLATE_HINTS");
}

TEST(Read, TheWarningNamesTheValueFinallyUsed) {
  const Reading reading = read({.info = {{"cb_nodes", "6"}}, .collate_hints = "cb_nodes=x"});
  ASSERT_EQ(reading.warnings.size(), 1U);
  EXPECT_TRUE(reading.warnings[0].ends_with("using 6 from MPI_Info")) << reading.warnings[0];
}

TEST(Read, MisspeltNamesAreRecognised) {
  const Reading reading = read({.info = {{"cb_bufer_size", "1M"}, {"CB_NODES", "4"}, {"collate_stratagem", "node"}, {"romio_zzz", "1"}}});
  ASSERT_EQ(reading.warnings.size(), 4U);
  EXPECT_EQ(reading.warnings[0], "hint 'cb_bufer_size' from MPI_Info is unknown and ignored; did you mean cb_buffer_size?");
  EXPECT_TRUE(reading.warnings[1].ends_with("did you mean cb_nodes?"));
  EXPECT_TRUE(reading.warnings[2].ends_with("did you mean collate_strategy?"));
  EXPECT_EQ(reading.hints.values(), Hints{});
}

TEST(Read, OtherUnknownNamesAreSilentInInfoAndNamedInAnEnvironment) {
  EXPECT_TRUE(read({.info = {{"nc_header_align_size", "512"}, {"host", "x"}, {"", "y"}}}).warnings.empty());
  EXPECT_EQ(read({.collate_hints = "nc_header_align_size=512"}).warnings.size(), 1U);
  EXPECT_EQ(read({.romio_hints = "nc_header_align_size 512"}).warnings.size(), 1U);
  EXPECT_EQ(read({.collate_hints = "cb_nodes"}).warnings.size(), 1U);
}

TEST(Read, HintsOfOtherLibrariesAreSilentEverywhere) {
  EXPECT_TRUE(read({.info = {{"romio_lustre_co_ratio", "2"}}, .collate_hints = "direct_write=true"}).warnings.empty());
}

TEST(Read, AnswersCannotBeGiven) {
  const Reading reading = read({.info = {{"romio_visibility_immediate", "false"}, {"romio_visibility_immediate", "maybe"}, {"romio_filesystem_type", "UFS:"}}});
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_TRUE(reading.hints.values().romio_visibility_immediate);
  EXPECT_EQ(entry(reading.hints, "romio_filesystem_type"), "absent");
}

TEST(Read, TheEngineMayTellAnswers) {
  HintSet hints = read({.info = {{"cb_nodes", "64"}}}).hints;
  hints.report(HintId::romio_filesystem_type, "posix");
  hints.report(HintId::cb_nodes, "4");
  EXPECT_EQ(entry(hints, "romio_filesystem_type"), "posix");
  EXPECT_EQ(entry(hints, "cb_nodes"), "4");
  EXPECT_EQ(hints.given(HintId::cb_nodes), "64");
  EXPECT_EQ(hints.values().cb_nodes, 4);
  EXPECT_EQ(hints.origin(HintId::cb_nodes), Origin::engine);
}

TEST(Read, EntriesReadBackGiveTheSameHints) {
  Sources sources;
  sources.info = {{"cb_nodes", "3"}, {"file_perm", "640"}, {"romio_ds_write", "DISABLE"}, {"collate_strategy", "sieve"}, {"cb_config_list", "*:2"}};
  HintSet first = read(sources).hints;
  first.report(HintId::romio_filesystem_type, "posix");
  const Reading second = read({.info = first.entries()});
  EXPECT_TRUE(second.warnings.empty());
  Hints expected = first.values();
  expected.romio_filesystem_type.clear();
  EXPECT_EQ(second.hints.values(), expected);
  EXPECT_EQ(second.hints.digest(), first.digest());
}

TEST(Read, DigestsTellDifferentHintsApart) {
  const std::uint64_t plain = read({}).hints.digest();
  EXPECT_EQ(plain, read({.info = {{"access_style", "random"}}}).hints.digest());  // accepted only
  EXPECT_NE(plain, read({.info = {{"cb_nodes", "1"}}}).hints.digest());
  EXPECT_NE(plain, read({.info = {{"romio_cb_read", "enable"}}}).hints.digest());
  EXPECT_NE(plain, read({.info = {{"file_perm", "66"}, {"striping_factor", "60"}}}).hints.digest());  // not "666" and "0"
}

TEST(Amend, KeepsWhatIsNotNamed) {
  const HintSet opened = read({.info = {{"cb_nodes", "3"}}, .collate_hints = "ind_rd_buffer_size=1M"}).hints;
  const Reading reading = amend(opened, {{"cb_nodes", "5"}, {"collate_strategy", "pieces"}});
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_EQ(reading.hints.values().cb_nodes, 5);
  EXPECT_EQ(reading.hints.values().collate_strategy, Strategy::pieces);
  EXPECT_EQ(reading.hints.values().ind_rd_buffer_size, 1 << 20);
  EXPECT_EQ(reading.hints.origin(HintId::ind_rd_buffer_size), Origin::collate_hints);
}

TEST(Amend, LeavesOpenOnlyHintsAlone) {
  const HintSet opened = read({.info = {{"striping_factor", "8"}, {"striping_unit", "1M"}}}).hints;
  const Reading same = amend(opened, {{"striping_factor", "8"}, {"striping_unit", "1048576"}});
  EXPECT_TRUE(same.warnings.empty());
  const Reading other = amend(opened, {{"striping_factor", "4"}});
  ASSERT_EQ(other.warnings.size(), 1U);
  EXPECT_EQ(other.warnings[0], "hint striping_factor: '4' comes too late, it is read by MPI_File_open only; using 8 from MPI_Info");
  EXPECT_EQ(other.hints.values().striping_factor, 8);
}

TEST(Hostile, LongSourcesAreRefusedWhole) {
  const std::string text = "cb_nodes=4;" + std::string(1 << 20, 'x');
  const Reading reading = read({.collate_hints = text, .romio_hints = text, .mpich_mpiio_hints = text});
  EXPECT_EQ(reading.hints.values(), Hints{});
  EXPECT_EQ(reading.warnings.size(), 3U);
}

TEST(Hostile, LongInfoEntriesChangeNothing) {
  const std::string megabyte(1 << 20, '9');
  const Reading reading = read({.info = {{"cb_nodes", megabyte}, {megabyte, "1"}, {"cb_" + megabyte, megabyte}, {"cb_config_list", megabyte}}});
  EXPECT_EQ(reading.hints.values(), Hints{});
  EXPECT_EQ(reading.warnings.size(), 3U);
  for (const std::string& line : reading.warnings) EXPECT_LT(line.size(), 300U);
}

TEST(Hostile, WarningsAreBounded) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "cb_nonsense_" + std::to_string(i) + "=1;";
  const Reading reading = read({.collate_hints = text});
  ASSERT_EQ(reading.warnings.size(), 21U);
  EXPECT_EQ(reading.warnings.back(), "and 2980 more problems with hints");
}

// Random pieces of everything that could confuse a reader.
std::string nonsense(std::mt19937_64& random) {
  static const std::vector<std::string> pieces{
      "cb_nodes", "cb_buffer_size", "collate_strategy", "romio_cb_read", "file_perm", "striping_unit", "cb_", "romio_", "=", ";", ":", ",", "\n", " ",
      "\t", "#", "*", "?", "1", "-1", "0", "1e30", "4096", "16M", "1T", "9223372036854775808", "G", "enable", "TRUE", "automatic", "node", "0x10", "777",
      "9", "collate_windows=3;", "cb_nodes=4\n", "\nind_rd_buffer_size 64K\n", ",*:cb_nodes=2:", std::string(1, '\0'), "\xff\xfe", "\x1b[31m", "%s%n", "..", "\r"};
  std::string text;
  const std::size_t count = random() % 24;
  for (std::size_t i = 0; i < count; ++i) text += random() % 16 == 0 ? std::string(1, static_cast<char>(random())) : pieces[random() % pieces.size()];
  return text;
}

void expect_in_range(const HintSet& hints) {
  for (std::size_t i = 0; i < hint_count; ++i) {
    const HintSpec& spec = all_hints()[i];
    const std::string& text = hints.text(static_cast<HintId>(i));
    EXPECT_LE(text.size(), 255U);
    Hints scratch;
    EXPECT_TRUE(store(spec, text, scratch)) << spec.name << " " << text;
    EXPECT_EQ(text_of(spec, hints.values()), text) << spec.name;
  }
}

TEST(Hostile, AnyInputGivesAllowedHintsAndTheSameEveryTime) {
  const std::uint64_t seed = 20240607;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::size_t changed = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::string a = nonsense(random), b = nonsense(random), c = nonsense(random), path = nonsense(random);
    Sources sources{{}, a, b, c, path};
    for (std::size_t i = random() % 4; i > 0; --i) sources.info.emplace_back(nonsense(random), nonsense(random));
    if (random() % 2 == 0) sources.info.emplace_back(all_hints()[random() % hint_count].name, nonsense(random));
    const Reading once = read(sources);
    const Reading again = read(sources);
    ASSERT_EQ(once.warnings, again.warnings);
    ASSERT_EQ(once.hints.entries(), again.hints.entries());
    expect_in_range(once.hints);
    expect_in_range(amend(once.hints, sources.info).hints);
    changed += once.hints.values() == Hints{} ? 0U : 1U;
    for (const std::string& line : once.warnings) {
      ASSERT_TRUE(std::all_of(line.begin(), line.end(), [](char ch) { return ch >= 0x20 && ch < 0x7f; })) << line;
      ASSERT_LT(line.size(), 400U);
    }
    if (testing::Test::HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(changed, 100U);  // otherwise the generator tests nothing
}

}  // namespace
}  // namespace collate::hints
