#include "launch/program.hpp"

#include <gtest/gtest.h>

#include "launch/elf_test.hpp"

namespace collate::launch::test {
namespace {

TEST(Program, IsSearchedInPath) {
  const Folder folder;
  folder.write("one/app", elf_bytes({}), 0644);
  const std::string good = folder.write("two/app", Spec{});
  const Target target = find_program("app", folder.path("one") + ":" + folder.path("two"));
  EXPECT_EQ(target.status, 0);
  EXPECT_EQ(target.path, good);
  EXPECT_FALSE(target.script);
}

TEST(Program, StatusTellsMissingFromForbidden) {
  const Folder folder;
  EXPECT_EQ(find_program("no-such-program", folder.path(".")).status, 127);
  EXPECT_EQ(find_program(folder.path("none"), "").status, 127);
  EXPECT_EQ(find_program(folder.write("plain", elf_bytes({}), 0644), "").status, 126);
  EXPECT_EQ(find_program(folder.path("."), "").status, 126);
}

TEST(Program, FollowsScriptsToTheirInterpreter) {
  const Folder folder;
  const std::string python = folder.write("env/bin/python3", Spec{});
  const std::string direct = folder.write("direct.py", "#! " + python + " -u\nimport sys\n");
  const std::string through_env = folder.write("env.py", std::string("#!/usr/bin/env -S LANG=C python3 -u\n"));
  const std::string twice = folder.write("twice", "#!" + direct + "\n");
  for (const std::string& script : {direct, through_env, twice}) {
    const Target target = find_program(script, folder.path("env/bin"));
    EXPECT_EQ(target.status, 0) << target.problem;
    EXPECT_EQ(target.path, script);
    EXPECT_EQ(target.runs, python);
    EXPECT_TRUE(target.script);
  }
}

TEST(Program, ATextWithoutInterpreterIsTheShells) {
  const Folder folder;
  EXPECT_EQ(find_program(folder.write("text", std::string("echo hello\n")), "").runs, "/bin/sh");
}

TEST(Program, NamesTheInterpreterThatIsMissing) {
  const Folder folder;
  const Target target = find_program(folder.write("bad", std::string("#!/no/such/python\n")), "");
  EXPECT_EQ(target.status, 126);
  EXPECT_NE(target.problem.find("/no/such/python"), std::string::npos);
}

TEST(Program, ALoopOfScriptsEnds) {
  const Folder folder;
  const std::string loop = folder.write("loop", "#!" + folder.path("loop") + "\n");
  EXPECT_EQ(find_program(loop, "").status, 126);
}

}  // namespace
}  // namespace collate::launch::test
