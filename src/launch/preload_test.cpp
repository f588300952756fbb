#include "launch/preload.hpp"

#include <gtest/gtest.h>

namespace collate::launch {
namespace {

TEST(Preload, OursGoesLast) {
  EXPECT_EQ(with_library("", "/x/libcollate-mpich.so"), "/x/libcollate-mpich.so");
  EXPECT_EQ(with_library("/d/libdarshan.so", "/x/libcollate-mpich.so"), "/d/libdarshan.so:/x/libcollate-mpich.so");
  EXPECT_EQ(with_library("/a.so /b.so::", "/x/libcollate-mpich.so"), "/a.so:/b.so:/x/libcollate-mpich.so");
}

TEST(Preload, OursIsThereOnce) {
  EXPECT_EQ(with_library("/x/libcollate-mpich.so:/a.so", "/x/libcollate-openmpi.so"), "/a.so:/x/libcollate-openmpi.so");
  EXPECT_EQ(without_collate("/x/libcollate-mpich.so:/a.so"), "/a.so");
  EXPECT_EQ(without_collate("/x/libcollate-mpich.so"), "");
}

TEST(Preload, SomePathsCanNotBeNamed) {
  EXPECT_TRUE(can_be_preloaded("/opt/collate/lib/libcollate-mpich.so"));
  EXPECT_FALSE(can_be_preloaded("/opt/my apps/libcollate-mpich.so"));
  EXPECT_FALSE(can_be_preloaded("/opt/a:b/libcollate-mpich.so"));
}

}  // namespace
}  // namespace collate::launch
