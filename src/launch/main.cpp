// collate-exec PROGRAM ARGS...: runs PROGRAM with Collate's library before its MPI.
//
// It stands right before the program, after the launcher (`mpiexec -n 4 collate-exec ./app`), so that no launcher, shell or daemon
// is preloaded. It decides (decide.hpp), sets LD_PRELOAD and becomes the program by exec: exit status and signals are the program's
// own. Exit 125: collate-exec itself failed; 126: found but not executable; 127: not found.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "launch/decide.hpp"
#include "launch/preload.hpp"

namespace collate::launch {
namespace {

constexpr int kFailed = 125;
constexpr const char* kUsage =
    "usage: collate-exec [options] PROGRAM [ARGS...]\n"
    "Runs PROGRAM with Collate doing its MPI file I/O. Put it right before the program:\n"
    "    mpiexec -n 4 collate-exec ./app\n"
    "    srun collate-exec python3 job.py\n"
    "  --off        run on the MPI's own file I/O (as COLLATE=off does)\n"
    "  --which      say which MPI and library would be used, and why; run nothing\n"
    "  --mpi NAME   mpich or openmpi, instead of finding out (COLLATE_MPI for programs such as python)\n"
    "  --lib FILE   use this library of ours\n"
    "  --help       this text\n"
    "Exit status: the program's; 125 collate-exec failed, 126 not executable, 127 not found.\n";

struct Options {
  bool off = false;
  bool which = false;
  bool help = false;
  std::string mpi;
  std::string library;
  std::string problem;
  int program = 0;  // index in argv of PROGRAM; argc when there is none
};

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

int fail(int status, const std::string& sentence) {
  std::fprintf(stderr, "collate-exec: %s\n", sentence.c_str());
  return status;
}

// "--mpi x" and "--mpi=x"; true when `at` was this option.
bool valued(const char* name, int argc, char** argv, int& at, Options& out, std::string& value) {
  const std::string word = argv[at];
  const std::string option = name;
  if (word.starts_with(option + "=")) {
    value = word.substr(option.size() + 1);
    return true;
  }
  if (word != option) return false;
  if (at + 1 >= argc) {
    out.problem = option + " needs a value";
  } else {
    value = argv[++at];
  }
  return true;
}

Options parse(int argc, char** argv) {
  Options out;
  int at = 1;
  for (; at < argc && argv[at][0] == '-' && out.problem.empty(); ++at) {
    const std::string word = argv[at];
    if (word == "--") {
      ++at;
      break;
    }
    if (word == "--off") {
      out.off = true;
    } else if (word == "--which") {
      out.which = true;
    } else if (word == "--help" || word == "-h") {
      out.help = true;
    } else if (!valued("--mpi", argc, argv, at, out, out.mpi) && !valued("--lib", argc, argv, at, out, out.library)) {
      out.problem = "unknown option " + word + "; see collate-exec --help";
    }
  }
  out.program = at;
  return out;
}

std::string library_beside_us(Abi abi) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = self.parent_path().parent_path() / "lib";
  return (folder / ("libcollate-" + std::string(name_of(abi)) + ".so")).string();
}

std::string library_problem(const std::string& library, const ElfFacts& program) {
  const ElfFacts facts = read_elf(library);
  if (facts.state == ElfState::unreadable) return library + " is missing; build it with: make build";
  if (facts.state != ElfState::good || !facts.dynamic) return library + " is not a shared library";
  if (facts.machine != program.machine) return library + " is for another kind of processor than the program";
  if (!can_be_preloaded(library)) return library + ": a path with a space or a colon can't be preloaded; move or link Collate elsewhere";
  return {};
}

int become(const std::string& path, char** argv) {
  execv(path.c_str(), argv);
  if (errno == ENOEXEC) {  // a text without "#!": the shell runs it, as execvp would
    std::vector<char*> words{const_cast<char*>("sh"), const_cast<char*>(path.c_str())};
    for (char** word = argv + 1; *word != nullptr; ++word) words.push_back(*word);
    words.push_back(nullptr);
    execv("/bin/sh", words.data());
  }
  return fail(errno == ENOENT ? 127 : 126, path + ": " + std::strerror(errno));
}

void set_preload(const std::string& value) {
  if (value.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", value.c_str(), 1);
  }
}

int run_native(const Options& options, const Target& target, char** argv) {
  if (options.which) {
    std::printf("mpi: none\nwhy: switched off\nprogram: %s\n", target.path.c_str());
    return 0;
  }
  set_preload(without_collate(variable("LD_PRELOAD").value_or("")));
  unsetenv("COLLATE_PRELOADED");
  return become(target.path, argv + options.program);
}

int run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (!options.problem.empty()) return fail(kFailed, options.problem);
  if (options.program >= argc) return fail(kFailed, "no program given; for example: mpiexec -n 4 collate-exec ./app");
  Target target = find_program(argv[options.program], variable("PATH").value_or("/usr/bin:/bin"));
  if (target.status != 0) return fail(target.status, target.problem);
  if (options.off || variable("COLLATE") == "off") return run_native(options, target, argv);

  if (is_launcher(target.path)) {
    return fail(kFailed, "put collate-exec behind the launcher, not before it: " + std::string(argv[options.program]) +
                             " -n 4 collate-exec ./app");
  }
  const Decision decision = decide({target, options.mpi, variable, SearchPlaces::from_environment()});
  if (decision.abi == Abi::none && options.which && decision.open) {
    std::printf("mpi: open\nwhy: %s\nprogram: %s\nruns: %s\n", decision.refusal.c_str(), target.path.c_str(), target.runs.c_str());
    return 0;
  }
  if (decision.abi == Abi::none) return fail(kFailed, decision.refusal);
  const std::string library = options.library.empty() ? library_beside_us(decision.abi) : options.library;
  if (options.which) {
    std::printf("mpi: %s\nwhy: %s\nmpi_library: %s\nlibrary: %s\nprogram: %s\nruns: %s\n", name_of(decision.abi), decision.why.c_str(),
                decision.mpi_library.c_str(), library.c_str(), target.path.c_str(), target.runs.c_str());
    std::fflush(stdout);
  }
  const std::string problem = library_problem(library, read_elf(target.runs));
  if (!problem.empty()) return fail(kFailed, problem);
  if (options.which) return 0;
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(library, error).string();
  set_preload(with_library(variable("LD_PRELOAD").value_or(""), absolute));
  setenv("COLLATE_PRELOADED", absolute.c_str(), 1);
  return become(target.path, argv + options.program);
}

}  // namespace
}  // namespace collate::launch

int main(int argc, char** argv) {
  try {
    return collate::launch::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "collate-exec: %s\n", error.what());
    return 125;
  }
}
