// Which MPI a program uses, hence which of our libraries goes before it; or why none can.
//
// What is asked, first answer wins:
//   1. the user's --mpi;
//   2. the program's own libraries (closure.hpp): libmpi.so.12 is MPICH's family, libmpi.so.40 is Open MPI;
//   3. for a program without an MPI of its own, such as python: the user's COLLATE_MPI, the launcher that started us when its
//      mark is unmistakable, libmpi in the folder beside the interpreter, the libraries of the mpi4py that the interpreter would
//      import, and last the marks that several launchers share.
// Nothing here reads the environment or runs anything; the caller hands in both.
//
//     Decision d = decide(question);
//     d.abi == Abi::openmpi;  d.why == "heat3d -> libmpi.so.40";  d.mpi_library == "/opt/ompi/lib/libmpi.so.40"
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/closure.hpp"
#include "launch/program.hpp"

namespace collate::launch {

enum class Abi { none, mpich, openmpi };

const char* name_of(Abi abi);
std::optional<Abi> abi_named(const std::string& name);

using Environment = std::function<std::optional<std::string>(const std::string&)>;

struct Question {
  Target target;
  std::string forced;  // --mpi
  Environment environment;
  SearchPlaces places;
};

struct Decision {
  Abi abi = Abi::none;
  std::string refusal;  // a sentence, when abi is none
  std::string why;
  std::string mpi_library;  // the libmpi that the decision rests on; empty when unknown
  bool open = false;        // no sign either way yet: the launcher's environment may still tell
};

Decision decide(const Question& question);

// Whether the program is itself a launcher, which must stand before collate-exec, not after it.
bool is_launcher(const std::string& program);

// What a library's name says: nothing, an MPI we serve, or (unknown true) an MPI we don't.
struct NameVerdict {
  Abi abi = Abi::none;
  bool unknown = false;
  bool standard_abi = false;
};
NameVerdict judge_name(const std::string& library);

}  // namespace collate::launch
