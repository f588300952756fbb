// Counting nodes and cores from what ranks tell of themselves.
#include "door/common/place.hpp"

#include <gtest/gtest.h>

namespace collate::door {
namespace {

TEST(Place, NodesAreNumberedByFirstAppearance) {
  const std::vector<Place> places{{70, 1, 4}, {50, 1, 4}, {70, 1, 4}, {60, 1, 4}, {50, 1, 4}};
  EXPECT_EQ(number_nodes(places), (std::vector<int>{0, 1, 0, 2, 1}));
}

TEST(Place, UnboundRanksShareTheirCores) {
  const std::vector<Place> places{{7, 1, 4}, {7, 1, 4}, {7, 1, 4}};
  EXPECT_EQ(cores_of_node(places, 0, 64), 4);
}

TEST(Place, BoundRanksBringTheirOwnCores) {
  const std::vector<Place> places{{7, 1, 1}, {7, 2, 1}, {8, 3, 1}, {7, 4, 2}};
  EXPECT_EQ(cores_of_node(places, 0, 64), 4);
  EXPECT_EQ(cores_of_node(places, 2, 64), 1);
}

TEST(Place, OverlappingSetsDoNotMakeMoreCoresThanTheMachineHas) {
  const std::vector<Place> places{{7, 1, 2}, {7, 2, 2}};
  EXPECT_EQ(cores_of_node(places, 1, 3), 3);
  EXPECT_EQ(cores_of_node(places, 1, 0), 1);
}

TEST(Place, HereIsSomewhere) {
  EXPECT_NE(here().node, 0u);
  EXPECT_GE(here().cores, 1u);
  EXPECT_EQ(here().node, here().node);
}

}  // namespace
}  // namespace collate::door
