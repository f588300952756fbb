#include "hints/split.hpp"

#include <gtest/gtest.h>

#include <string>

namespace collate::hints {
namespace {

// "key=value|key=value" of the result, for comparing.
std::string joined(const std::vector<Given>& all) {
  std::string result;
  for (const Given& given : all) result += std::string(given.key) + "=" + std::string(given.value) + "|";
  return result;
}

TEST(Split, ListSeparatesBySemicolonAndNewline) {
  EXPECT_EQ(joined(split_list(" a = 1 ;b=2\nc=x=y;;\n")), "a=1|b=2|c=x=y|");
  EXPECT_EQ(joined(split_list("a;=2; =3")), "=a|==2|==3|");
  EXPECT_EQ(joined(split_list("")), "");
}

TEST(Split, RomioFileHasLinesAndComments) {
  EXPECT_EQ(joined(split_romio("# comment\ncb_nodes 4\r\n\n  ind_rd_buffer_size\t 64K \n  # more\nalone\nx y z")),
            "cb_nodes=4|ind_rd_buffer_size=64K|=alone|x=y z|");
}

TEST(Split, MpichTakesMatchingPatternsInOrder) {
  EXPECT_EQ(joined(split_mpich("*.h5:a=1:b=2,*.nc:c=3,out*:a=4", "/data/out.h5")), "a=1|b=2|a=4|");
  EXPECT_EQ(joined(split_mpich("/data/*:a=1,data/*:b=2", "/data/deep/out.h5")), "a=1|");
  EXPECT_EQ(joined(split_mpich("nonsense,*:a", "x")), "=nonsense|=a|");
  EXPECT_EQ(joined(split_mpich("", "x")), "");
}

TEST(Split, PatternsMatchTheWholeName) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("a*b*c", "axxbxbxc"));
  EXPECT_FALSE(matches("a*b*c", "axxbxbx"));
  EXPECT_TRUE(matches("?at", "cat"));
  EXPECT_FALSE(matches("?at", "at"));
  EXPECT_TRUE(matches("**x", "x"));
  EXPECT_FALSE(matches("out", "out.h5"));
}

TEST(Split, HostilePatternsStayCheap) {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(4096, 'a')));
  EXPECT_FALSE(matches(std::string(100000, '*'), "a"));
}

}  // namespace
}  // namespace collate::hints
