#include "hints/value.hpp"

#include <gtest/gtest.h>

namespace collate::hints {
namespace {

std::string stored(HintId id, std::string_view text) {
  Hints hints;
  return store(spec_of(id), text, hints) ? text_of(spec_of(id), hints) : "refused";
}

TEST(Value, LengthsTakePowersOf1024) {
  EXPECT_EQ(stored(HintId::cb_buffer_size, "65536"), "65536");
  EXPECT_EQ(stored(HintId::cb_buffer_size, " 64K\t"), "65536");
  EXPECT_EQ(stored(HintId::cb_buffer_size, "4m"), "4194304");
  EXPECT_EQ(stored(HintId::cb_buffer_size, "4MiB"), "4194304");
  EXPECT_EQ(stored(HintId::cb_buffer_size, "2G"), "2147483648");
  EXPECT_EQ(stored(HintId::cb_buffer_size, "1T"), "1099511627776");
}

TEST(Value, LengthsAreReadStrictly) {
  for (const char* text : {"", "K", "iB", "4iB", "-1", "1e30", "0x1000", "4 M", "1.5M", "4MB", "65536 ", "9223372036854775807G", "99999999999999999999",
                           "1,000,000", "+65536", "63", "2T"}) {
    const bool fine = std::string_view(text) == "65536 ";
    EXPECT_EQ(stored(HintId::cb_buffer_size, text), fine ? "65536" : "refused") << text;
  }
}

TEST(Value, IntegersKnowTheirRange) {
  EXPECT_EQ(stored(HintId::cb_nodes, "4"), "4");
  EXPECT_EQ(stored(HintId::cb_nodes, "-1"), "refused");
  EXPECT_EQ(stored(HintId::start_iodevice, "-1"), "-1");
  EXPECT_EQ(stored(HintId::cb_nodes, "4K"), "refused");
  EXPECT_EQ(stored(HintId::collate_windows, "0"), "refused");
  EXPECT_EQ(stored(HintId::collate_windows, "1"), "1");
  EXPECT_EQ(stored(HintId::collate_windows, "1024"), "1024");
  EXPECT_EQ(stored(HintId::collate_windows, "1025"), "refused");
}

TEST(Value, PermissionsAreOctal) {
  Hints hints;
  EXPECT_TRUE(store(spec_of(HintId::file_perm), "0640", hints));
  EXPECT_EQ(hints.file_perm, 0640);
  EXPECT_EQ(text_of(spec_of(HintId::file_perm), hints), "640");
  EXPECT_FALSE(store(spec_of(HintId::file_perm), "888", hints));
  EXPECT_FALSE(store(spec_of(HintId::file_perm), "1777", hints));
  EXPECT_EQ(hints.file_perm, 0640);
}

TEST(Value, WordsIgnoreCase) {
  EXPECT_EQ(stored(HintId::romio_ds_write, "ENABLE"), "enable");
  EXPECT_EQ(stored(HintId::romio_ds_write, "Automatic"), "automatic");
  EXPECT_EQ(stored(HintId::romio_ds_write, "false"), "disable");
  EXPECT_EQ(stored(HintId::romio_ds_write, "auto"), "refused");
  EXPECT_EQ(stored(HintId::collective_buffering, "FALSE"), "false");
  EXPECT_EQ(stored(HintId::collective_buffering, "enable"), "true");
  EXPECT_EQ(stored(HintId::collective_buffering, "automatic"), "refused");
  EXPECT_EQ(stored(HintId::collate_strategy, "Messages"), "messages");
  EXPECT_EQ(stored(HintId::collate_strategy, "twophase"), "refused");
}

TEST(Value, TextsAreBoundedAndFreeOfControlCharacters) {
  EXPECT_EQ(stored(HintId::cb_config_list, " *:1 "), "*:1");
  EXPECT_EQ(stored(HintId::cb_config_list, std::string(255, 'x')), std::string(255, 'x'));
  EXPECT_EQ(stored(HintId::cb_config_list, std::string(256, 'x')), "refused");
  EXPECT_EQ(stored(HintId::cb_config_list, "a\nb"), "refused");
  EXPECT_EQ(stored(HintId::cb_config_list, std::string_view("a\0b", 3)), "refused");
}

TEST(Value, EveryDefaultIsAllowedAndComesBackUnchanged) {
  for (const HintSpec& spec : all_hints()) {
    Hints hints;
    EXPECT_TRUE(store(spec, spec.default_text, hints)) << spec.name;
    EXPECT_EQ(hints, Hints{}) << spec.name;
    EXPECT_EQ(text_of(spec, hints), spec.default_text) << spec.name;
  }
}

TEST(Value, SaysWhatIsAllowed) {
  EXPECT_EQ(allowed(spec_of(HintId::collate_windows)), "a whole number from 1 to 1024");
  EXPECT_EQ(allowed(spec_of(HintId::collate_window_size)), "a number of bytes from 64 to 1G (such as 65536, 64K or 1M)");
  EXPECT_EQ(allowed(spec_of(HintId::romio_cb_read)), "one of automatic, enable, disable");
  EXPECT_EQ(allowed(spec_of(HintId::file_perm)), "permissions in octal from 0 to 777");
}

TEST(Value, TheTableFindsItsOwnNames) {
  for (const HintSpec& spec : all_hints()) {
    ASSERT_TRUE(find_hint(spec.name).has_value());
    EXPECT_EQ(spec_of(*find_hint(spec.name)).name, spec.name);
    EXPECT_LE(spec.name.size(), 35U);
  }
  EXPECT_FALSE(find_hint("CB_NODES").has_value());
  EXPECT_FALSE(find_hint("").has_value());
}

TEST(Value, PrintableKeepsOneShortLine) {
  EXPECT_EQ(printable(std::string_view("a\nb\0\x80", 5)), "a?b??");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

}  // namespace
}  // namespace collate::hints
