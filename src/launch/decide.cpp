#include "launch/decide.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace collate::launch {
namespace {

namespace fs = std::filesystem;

Decision refuse(std::string sentence) { return {Abi::none, std::move(sentence), {}, {}, false}; }

bool exists(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

std::string real(const std::string& path) {
  std::error_code ignored;
  const fs::path out = fs::canonical(path, ignored);
  return out.empty() ? path : out.string();
}

// Open MPI up to 1.10 shared MPICH's name libmpi.so.12; only its helpers tell.
bool is_old_openmpi(const Library& library) {
  return std::any_of(library.facts.needed.begin(), library.facts.needed.end(), [](const std::string& name) {
    return name.starts_with("libopen-rte.") || name.starts_with("libopen-pal.");
  });
}

// What the program's own libraries say; abi none and an empty refusal when they say nothing.
Decision from_libraries(const std::string& program, const ElfFacts& facts, const SearchPlaces& places) {
  Decision out;
  std::string stranger;
  for (const Library& library : closure(program, facts, places)) {
    const NameVerdict verdict = judge_name(library.name);
    if (verdict.standard_abi) {
      return refuse(library.chain + ": programs of MPI's standard ABI are not supported yet; build with mpicc instead of mpicc_abi");
    }
    if (verdict.unknown || (verdict.abi == Abi::mpich && is_old_openmpi(library))) {
      if (stranger.empty()) stranger = library.chain;
      continue;
    }
    if (verdict.abi == Abi::none || (out.abi == verdict.abi && !out.mpi_library.empty())) continue;
    if (out.abi != Abi::none && out.abi != verdict.abi) {
      return refuse("the program needs two MPIs at once (" + out.why + " and " + library.chain + "); build all its parts with one");
    }
    if (out.abi == Abi::none) out.why = library.chain;
    out.abi = verdict.abi;
    const bool main_library = library.name.starts_with("libmpi.so") || library.name.starts_with("libmpich.so");
    if (main_library) out.mpi_library = library.path;
  }
  if (out.abi == Abi::none && !stranger.empty()) {
    return refuse(stranger + ": this MPI is not known; Collate serves MPICH's family (libmpi.so.12) and Open MPI (libmpi.so.40)");
  }
  return out;
}

std::string can_not_load(const Target& target, const ElfFacts& facts) {
  const std::string& path = target.runs;
  if (facts.state == ElfState::unreadable) return path + " can't be read, so its MPI can't be told; name it with --mpi";
  if (facts.state != ElfState::good) return path + " is not a program for this machine, or its file is damaged";
  if (facts.interpreter.empty()) {
    return path + " is linked statically, so nothing can be put before its MPI; link it dynamically, or run it with --off";
  }
  if (facts.interpreter.find("ld-musl") != std::string::npos) return path + " uses musl's C library; Collate needs one built on glibc";
  if (facts.is_64 != (sizeof(void*) == 8)) return path + " has another word size than Collate; build both for the same";
  return {};
}

// The linker ignores preloading in a program that gains rights when it starts.
bool gains_rights(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return false;
  if ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != geteuid()) return true;
  if ((facts.st_mode & S_ISGID) != 0 && facts.st_gid != getegid()) return true;
  return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

Abi strong_launcher(const Environment& environment) {
  const bool hydra = environment("HYDI_CONTROL_FD").has_value();
  const bool openmpi = environment("OMPI_COMM_WORLD_SIZE").has_value();
  if (hydra == openmpi) return Abi::none;
  return hydra ? Abi::mpich : Abi::openmpi;
}

Abi weak_launcher(const Environment& environment) {
  if (environment("PMIX_RANK") || environment("OMPI_UNIVERSE_SIZE")) return Abi::openmpi;
  if (environment("PMI_RANK") || environment("PMI_FD")) return Abi::mpich;
  return Abi::none;
}

// One of prefix/lib/libmpi.so.12 and .40; none when there are both or neither.
Decision beside(const std::string& interpreter) {
  const fs::path prefix = fs::path(interpreter).parent_path().parent_path();
  Decision out;
  for (const char* folder : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    const std::string mpich = (prefix / folder / "libmpi.so.12").string();
    const std::string openmpi = (prefix / folder / "libmpi.so.40").string();
    if (exists(mpich) && exists(openmpi)) return {};
    for (const auto& [abi, path] : {std::pair{Abi::mpich, mpich}, std::pair{Abi::openmpi, openmpi}}) {
      if (!exists(path) || out.abi == abi) continue;
      if (out.abi != Abi::none) return {};
      out = {abi, {}, path + " beside " + interpreter, path, false};
    }
  }
  return out;
}

// The extension modules of the mpi4py that this interpreter imports; none when they serve several MPIs.
Decision from_mpi4py(const std::string& interpreter, const SearchPlaces& places) {
  const fs::path prefix = fs::path(interpreter).parent_path().parent_path();
  Decision out;
  std::error_code ignored;
  for (const auto& folder : fs::directory_iterator(prefix / "lib", ignored)) {
    if (!folder.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      for (const auto& module : fs::directory_iterator(folder.path() / packages / "mpi4py", ignored)) {
        const std::string path = module.path().string();
        if (!path.ends_with(".so") || !module.path().filename().string().starts_with("MPI.")) continue;
        const Decision one = from_libraries(path, read_elf(path), places);
        if (one.abi == Abi::none) continue;
        if (out.abi != Abi::none && out.abi != one.abi) return {};
        out = one;
      }
    }
  }
  return out;
}

Decision from_surroundings(const Question& question) {
  const std::string& runs = question.target.runs;
  const auto named = question.environment("COLLATE_MPI");
  if (named && !named->empty()) {
    const auto abi = abi_named(*named);
    if (!abi) return refuse("COLLATE_MPI=" + *named + " is neither mpich nor openmpi");
    return {*abi, {}, "COLLATE_MPI", beside(runs).abi == *abi ? beside(runs).mpi_library : std::string(), false};
  }
  const Decision near = beside(runs).abi != Abi::none ? beside(runs) : beside(real(runs));
  if (const Abi abi = strong_launcher(question.environment); abi != Abi::none) {
    return {abi, {}, "started by the launcher of this MPI", near.abi == abi ? near.mpi_library : std::string(), false};
  }
  if (near.abi != Abi::none) return near;
  const Decision module = from_mpi4py(runs, question.places);
  if (module.abi != Abi::none) return module;
  if (const Abi abi = weak_launcher(question.environment); abi != Abi::none) return {abi, {}, "the launcher's environment", {}, false};
  Decision nothing =
      refuse("no MPI found in or around " + runs + "; name the one it uses with --mpi mpich or --mpi openmpi, or run with --off");
  nothing.open = true;
  return nothing;
}

}  // namespace

const char* name_of(Abi abi) { return abi == Abi::mpich ? "mpich" : abi == Abi::openmpi ? "openmpi" : "none"; }

std::optional<Abi> abi_named(const std::string& name) {
  if (name == "mpich") return Abi::mpich;
  if (name == "openmpi") return Abi::openmpi;
  return std::nullopt;
}

bool is_launcher(const std::string& program) {
  const std::string file = program.substr(program.rfind('/') + 1);
  for (const char* name : {"mpiexec", "mpirun", "srun", "orterun", "prterun", "prun", "aprun", "jsrun"}) {
    if (file == name || file.starts_with(std::string(name) + ".")) return true;
  }
  return false;
}

NameVerdict judge_name(const std::string& library) {
  const std::string file = library.substr(library.rfind('/') + 1);
  const std::size_t dot = file.find(".so");
  if (!file.starts_with("libmpi") || dot == std::string::npos) return {};
  const std::string rest = file.substr(6, dot - 6);
  const std::vector<std::string> version = split(file.substr(std::min(dot + 3, file.size())), '.');
  if (rest == "_abi") return {Abi::none, true, true};
  const bool ours = rest.empty() || rest.starts_with('_') || rest == "ch" || rest == "fort" || rest == "cxx" || rest == "chfort";
  if (!ours || version.empty()) return {};
  if (version.front() == "12") return {Abi::mpich, false, false};
  if (version.front() == "40" && rest != "ch") return {Abi::openmpi, false, false};
  return {Abi::none, true, false};
}

Decision decide(const Question& question) {
  const ElfFacts facts = read_elf(question.target.runs);
  if (const std::string problem = can_not_load(question.target, facts); !problem.empty()) return refuse(problem);
  if (gains_rights(question.target.runs)) {
    return refuse(question.target.runs + " gains rights when it starts (setuid or capabilities), so the system forbids preloading");
  }
  Decision own = from_libraries(question.target.runs, facts, question.places);
  if (!question.forced.empty()) {
    const auto abi = abi_named(question.forced);
    if (!abi) return refuse("--mpi " + question.forced + ": the choices are mpich and openmpi");
    return {*abi, {}, "--mpi", own.abi == *abi ? own.mpi_library : std::string(), false};
  }
  if (own.abi != Abi::none || !own.refusal.empty()) return own;
  return from_surroundings(question);
}

}  // namespace collate::launch
