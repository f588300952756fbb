#include "launch/closure.hpp"

#include <gtest/gtest.h>

#include "launch/elf_test.hpp"

namespace collate::launch::test {
namespace {

SearchPlaces nowhere() {
  SearchPlaces places;
  places.defaults.clear();
  return places;
}

std::vector<Library> of(const std::string& program, const SearchPlaces& places) {
  return closure(program, read_elf(program), places);
}

TEST(Closure, FollowsRunpathThroughLibraries) {
  const Folder folder;
  Spec app = needing({"libhdf5.so.103"});
  app.strings.emplace_back(DT_RUNPATH, "$ORIGIN/../lib");
  Spec hdf5 = needing({"libmpich.so.12"});
  hdf5.strings.emplace_back(DT_RUNPATH, "${ORIGIN}/deep");
  const std::string program = folder.write("bin/app", app);
  folder.write("lib/libhdf5.so.103", hdf5);
  folder.write("lib/deep/libmpich.so.12", needing({}));
  const auto found = of(program, nowhere());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].chain, "app -> libhdf5.so.103 -> libmpich.so.12");
  EXPECT_EQ(found[1].path, folder.path("lib/deep/libmpich.so.12"));
}

TEST(Closure, ALibraryThatIsNotFoundIsStillNamed) {
  const Folder folder;
  const auto found = of(folder.write("app", needing({"libmpi.so.40"})), nowhere());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "libmpi.so.40");
  EXPECT_TRUE(found[0].path.empty());
}

TEST(Closure, RpathOfTheProgramServesItsLibrariesRunpathDoesNot) {
  const Folder folder;
  folder.write("lib/liba.so", needing({"libb.so"}));
  folder.write("lib/libb.so", needing({}));
  for (const auto tag : {DT_RPATH, DT_RUNPATH}) {
    Spec app = needing({"liba.so"});
    app.strings.emplace_back(tag, folder.path("lib"));
    const auto found = of(folder.write("app", app), nowhere());
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[1].path.empty(), tag == DT_RUNPATH);
  }
}

TEST(Closure, LibraryPathComesBeforeRunpathAndAfterRpath) {
  const Folder folder;
  folder.write("one/liba.so", needing({}));
  folder.write("two/liba.so", needing({}));
  SearchPlaces places = nowhere();
  places.library_path = {folder.path("two")};
  Spec app = needing({"liba.so"});
  app.strings.emplace_back(DT_RUNPATH, folder.path("one"));
  EXPECT_EQ(of(folder.write("app", app), places)[0].path, folder.path("two/liba.so"));
  app.strings.back().first = DT_RPATH;
  EXPECT_EQ(of(folder.write("app", app), places)[0].path, folder.path("one/liba.so"));
}

TEST(Closure, SkipsFilesForAnotherMachine) {
  const Folder folder;
  Spec other = needing({});
  other.machine = EM_AARCH64;
  folder.write("one/liba.so", other);
  folder.write("two/liba.so", needing({}));
  SearchPlaces places = nowhere();
  places.library_path = {folder.path("one"), folder.path("two")};
  EXPECT_EQ(of(folder.write("app", needing({"liba.so"})), places)[0].path, folder.path("two/liba.so"));
}

TEST(Closure, EndsWhenLibrariesNeedEachOther) {
  const Folder folder;
  folder.write("liba.so", needing({"libb.so"}));
  folder.write("libb.so", needing({"liba.so"}));
  SearchPlaces places = nowhere();
  places.library_path = {folder.path(".")};
  EXPECT_EQ(of(folder.write("app", needing({"liba.so"})), places).size(), 2u);
}

TEST(Closure, ReadsTheSystemsCache) {
  for (const auto& [name, path] : read_cache("/etc/ld.so.cache")) {
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(path.front(), '/');
  }
  EXPECT_TRUE(read_cache("/etc/passwd").empty());
  EXPECT_TRUE(read_cache("/nowhere").empty());
}

}  // namespace
}  // namespace collate::launch::test
