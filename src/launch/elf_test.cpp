#include "launch/elf_test.hpp"

#include <gtest/gtest.h>

#include <random>

#include "launch/elf.hpp"

namespace collate::launch::test {
namespace {

using Names = std::vector<std::string>;

TEST(Elf, SaysWhatAProgramNeeds) {
  const Folder folder;
  Spec spec = needing({"libmpi.so.40", "libc.so.6"});
  spec.strings.emplace_back(DT_RUNPATH, "$ORIGIN/../lib:/opt/lib");
  const ElfFacts facts = read_elf(folder.write("app", spec));
  EXPECT_EQ(facts.state, ElfState::good);
  EXPECT_TRUE(facts.is_64);
  EXPECT_TRUE(facts.dynamic);
  EXPECT_EQ(facts.machine, EM_X86_64);
  EXPECT_EQ(facts.interpreter, "/lib64/ld-linux-x86-64.so.2");
  EXPECT_EQ(facts.needed, (Names{"libmpi.so.40", "libc.so.6"}));
  EXPECT_EQ(facts.runpath, (Names{"$ORIGIN/../lib", "/opt/lib"}));
}

TEST(Elf, ReadsTheRunningProgram) {
  const ElfFacts facts = read_elf("/proc/self/exe");
  EXPECT_EQ(facts.state, ElfState::good);
  EXPECT_FALSE(facts.interpreter.empty());
}

TEST(Elf, AStaticProgramHasNoInterpreter) {
  const Folder folder;
  const ElfFacts facts = read_elf(folder.write("app", Spec{"", false, {}, EM_X86_64}));
  EXPECT_EQ(facts.state, ElfState::good);
  EXPECT_FALSE(facts.dynamic);
  EXPECT_TRUE(facts.interpreter.empty());
}

TEST(Elf, TellsTextFromMissing) {
  const Folder folder;
  EXPECT_EQ(read_elf(folder.write("text", std::string("#!/bin/sh\n"))).state, ElfState::not_elf);
  EXPECT_EQ(read_elf(folder.write("empty", std::string())).state, ElfState::not_elf);
  EXPECT_EQ(read_elf(folder.path("nothing")).state, ElfState::unreadable);
}

TEST(Elf, EveryTruncationIsBrokenOrGoodNeverACrash) {
  const Folder folder;
  const std::string whole = elf_bytes(needing({"libmpi.so.12"}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const ElfState state = read_elf(folder.write("cut", whole.substr(0, size))).state;
    EXPECT_NE(state, ElfState::good) << size;
  }
}

TEST(Elf, RandomDamageNeverCrashes) {
  const Folder folder;
  const std::string whole = elf_bytes(needing({"libmpi.so.12", "libhdf5.so"}));
  std::mt19937 random(20);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = whole;
    for (int hit = 0; hit < 4; ++hit) bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)read_elf(folder.write("damaged", bytes));
  }
}

TEST(Split, DropsEmptyPieces) {
  EXPECT_EQ(split("a:b::c", ':'), (Names{"a", "b", "c"}));
  EXPECT_EQ(split("", ':'), Names{});
  EXPECT_EQ(split(":", ':'), Names{});
}

}  // namespace
}  // namespace collate::launch::test
