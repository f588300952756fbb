// hints/read.hpp - from the texts users give to the hints in use.
//
// Sources, strongest first:
//   MPI_Info            keys and values
//   COLLATE_HINTS       "key=value;key=value", newlines separate as well
//   ROMIO_HINTS         the contents of the file it names: lines "key value", '#' starts a comment line
//   MPICH_MPIIO_HINTS   "pattern:key=value:key=value,pattern:..."; * and ? in a pattern; it has to match the whole
//                       path or the base name; of several that match, later ones win
// Within one source the last value of a hint wins.
//
//   Reading reading = read({.info = {{"cb_buffer_size", "4M"}}, .collate_hints = "cb_nodes=many", .path = "out.dat"});
//   reading.hints.values().cb_buffer_size == 4194304
//   reading.warnings[0] == "hint cb_nodes: 'many' from COLLATE_HINTS is not a whole number from 0 to 1000000000; "
//                          "using 0, the default"
//
// Guarantees: pure and deterministic - the same texts give the same hints and the same warnings on every rank, in
// every locale; a value the table does not allow changes nothing; unknown keys of MPI_Info are ignored as the
// standard demands, with a word only where they look like a misspelt hint; hints only Collate may tell are ignored.
// Any input is safe: sources beyond 64 KiB are refused; there are at most 20 warnings and a count of the others,
// each one line of printable ASCII. Cost: linear in the texts. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hints/hint_set.hpp"

namespace collate::hints {

struct Sources {
  Entries info = {};
  std::string_view collate_hints = {};
  std::string_view romio_hints = {};  // the file's contents, not its name
  std::string_view mpich_mpiio_hints = {};
  std::string_view path = {};  // of the file, without a "ufs:"-like prefix
};

struct Reading {
  HintSet hints;
  std::vector<std::string> warnings;  // each one line, for users
};

[[nodiscard]] Reading read(const Sources& sources);

// The hints after MPI_File_set_info or MPI_File_set_view brought more: they win over everything given before,
// the others keep value and origin. Hints for MPI_File_open only stay as they are, with a warning where the
// info asks for something else.
[[nodiscard]] Reading amend(const HintSet& in_use, const Entries& info);

}  // namespace collate::hints
