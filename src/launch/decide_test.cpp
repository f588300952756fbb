#include "launch/decide.hpp"

#include <gtest/gtest.h>

#include <map>

#include "launch/elf_test.hpp"

namespace collate::launch::test {
namespace {

using Variables = std::map<std::string, std::string>;

Decision ask(const std::string& program, const Variables& variables = {}, const std::string& forced = {}) {
  SearchPlaces places;
  places.defaults.clear();
  const auto environment = [&variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  return decide({find_program(program, ""), forced, environment, places});
}

TEST(JudgeName, KnowsTheFamilies) {
  for (const char* name : {"libmpi.so.12", "libmpich.so.12", "libmpifort.so.12", "libmpi_cray.so.12", "/x/libmpi.so.12.5.2"}) {
    EXPECT_EQ(judge_name(name).abi, Abi::mpich) << name;
  }
  for (const char* name : {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_cxx.so.40"}) {
    EXPECT_EQ(judge_name(name).abi, Abi::openmpi) << name;
  }
  EXPECT_TRUE(judge_name("libmpi.so.20").unknown);
  EXPECT_TRUE(judge_name("libmpi_abi.so.1").standard_abi);
  for (const char* name : {"libc.so.6", "libmpir.so.1", "libmpi.so", "libmpi.a"}) {
    EXPECT_EQ(judge_name(name).abi, Abi::none) << name;
    EXPECT_FALSE(judge_name(name).unknown) << name;
  }
}

TEST(Decide, ByTheProgramsLibraries) {
  const Folder folder;
  const Decision mpich = ask(folder.write("a", needing({"libmpi.so.12", "libc.so.6"})), {{"OMPI_COMM_WORLD_SIZE", "2"}});
  EXPECT_EQ(mpich.abi, Abi::mpich);
  EXPECT_EQ(mpich.why, "a -> libmpi.so.12");
  EXPECT_EQ(ask(folder.write("b", needing({"libmpi_mpifh.so.40"}))).abi, Abi::openmpi);
}

TEST(Decide, RefusesWhatItCanNotServe) {
  const Folder folder;
  const auto refusal = [&](const Spec& spec) { return ask(folder.write("app", spec)).refusal; };
  EXPECT_NE(refusal(needing({"libmpi_abi.so.1"})).find("standard ABI"), std::string::npos);
  EXPECT_NE(refusal(needing({"libmpi.so.20"})).find("not known"), std::string::npos);
  EXPECT_NE(refusal(needing({"libmpi.so.12", "libmpi.so.40"})).find("two MPIs"), std::string::npos);
  EXPECT_NE(refusal(Spec{"", false, {}, EM_X86_64}).find("statically"), std::string::npos);
  Spec musl = needing({"libmpi.so.12"});
  musl.interpreter = "/lib/ld-musl-x86_64.so.1";
  EXPECT_NE(refusal(musl).find("musl"), std::string::npos);
}

TEST(Decide, OldOpenMpiUnderMpichsNameIsAStranger) {
  const Folder folder;
  Spec app = needing({"libmpi.so.12"});
  app.strings.emplace_back(DT_RUNPATH, "$ORIGIN");
  folder.write("libmpi.so.12", needing({"libopen-rte.so.12"}));
  EXPECT_NE(ask(folder.write("app", app)).refusal.find("not known"), std::string::npos);
}

TEST(Decide, AProgramWithoutMpiGoesByItsSurroundings) {
  const Folder folder;
  const std::string python = folder.write("env/bin/python3", needing({"libc.so.6"}));
  EXPECT_TRUE(ask(python).open);
  EXPECT_EQ(ask(python, {{"HYDI_CONTROL_FD", "7"}}).abi, Abi::mpich);
  EXPECT_EQ(ask(python, {{"OMPI_COMM_WORLD_SIZE", "4"}}).abi, Abi::openmpi);
  EXPECT_EQ(ask(python, {{"PMIX_RANK", "0"}}).abi, Abi::openmpi);
  EXPECT_EQ(ask(python, {{"PMI_RANK", "0"}}).abi, Abi::mpich);
  EXPECT_EQ(ask(python, {{"COLLATE_MPI", "openmpi"}, {"PMI_RANK", "0"}}).abi, Abi::openmpi);
  EXPECT_NE(ask(python, {{"COLLATE_MPI", "lam"}}).refusal.find("COLLATE_MPI=lam"), std::string::npos);
  const std::string library = folder.write("env/lib/libmpi.so.40", needing({}));
  const Decision beside = ask(python, {{"PMI_RANK", "0"}});
  EXPECT_EQ(beside.abi, Abi::openmpi);
  EXPECT_EQ(beside.mpi_library, library);
  folder.write("env/lib/libmpi.so.12", needing({}));
  EXPECT_EQ(ask(python, {{"PMI_RANK", "0"}}).abi, Abi::mpich) << "two beside tell nothing";
}

TEST(Decide, ByTheMpi4pyThatTheInterpreterImports) {
  const Folder folder;
  const std::string python = folder.write("env/bin/python3", needing({}));
  folder.write("env/lib/python3/dist-packages/mpi4py/MPI.cpython-311.so", needing({"libmpi.so.40"}));
  EXPECT_EQ(ask(python).abi, Abi::openmpi);
  folder.write("env/lib/python3/dist-packages/mpi4py/MPI.mpich.cpython-311.so", needing({"libmpi.so.12"}));
  EXPECT_TRUE(ask(python).open);
}

TEST(Decide, ForcedWinsOverEverything) {
  const Folder folder;
  const std::string program = folder.write("app", needing({"libmpi.so.12"}));
  EXPECT_EQ(ask(program, {}, "openmpi").abi, Abi::openmpi);
  EXPECT_NE(ask(program, {}, "lam").refusal.find("--mpi lam"), std::string::npos);
}

TEST(Decide, KnowsLaunchers) {
  EXPECT_TRUE(is_launcher("/usr/bin/mpiexec"));
  EXPECT_TRUE(is_launcher("mpiexec.hydra"));
  EXPECT_TRUE(is_launcher("srun"));
  EXPECT_FALSE(is_launcher("./mpiexecutor"));
}

}  // namespace
}  // namespace collate::launch::test
