// test/support/random_case.hpp - one random end-to-end case: ranks, hints, file system, and a list of calls with
// what each must do according to the oracle.
//
// Everything follows from the seed. Calls come in order; a `barrier` stands where the ranks must have finished all
// earlier calls (around independent access); between barriers ranks run freely through collective calls.
// Bytes that several ranks write in one call get the same value from all, so the result is defined.
//
//   const Case made = make_case(42);
//   const std::string failure = run_case(made);   // "" when engine and oracle agree
// Thread rule: plain values.
#pragma once

#include <string>
#include <vector>

#include "port/driver_traits.hpp"
#include "support/random_views.hpp"
#include "support/sim_world.hpp"

namespace collate::sim {

enum class Kind : std::uint8_t { set_view, seek, access, access_all, set_size, preallocate, sync, set_atomicity };

// One rank's part in a call.
struct Part {
  bool takes_part = true;             // in an independent call
  file::Access access;                // `type` and `memory` are set when it runs
  TwinType type;
  std::vector<std::byte> buffer;      // user memory with guard bytes around
  Offset origin = 0;                  // of the access in the buffer
  std::vector<std::byte> expected;    // the buffer afterwards
  Length expected_bytes = 0;
  RankView view;
  Offset offset = 0;                  // seek
  file::Whence whence = file::Whence::set;
  Offset expected_position = 0;       // of the individual pointer afterwards
};

struct Step {
  Kind kind = Kind::sync;
  bool barrier = false;               // all earlier steps are over before this one starts
  std::vector<Part> parts;            // by rank
  Length size = 0;                    // set_size, preallocate
  bool atomic = false;                // set_atomicity
};

struct Case {
  std::uint64_t seed = 0;
  WorldOptions world;
  port::DriverTraits traits;
  file::InfoEntries hints;
  std::vector<std::byte> before;      // the file
  std::vector<Step> steps;
  std::vector<std::byte> after;
  std::vector<bool> touched;          // bytes of the file that some step may change
};

[[nodiscard]] Case make_case(std::uint64_t seed);
[[nodiscard]] std::string describe(const Case& made);
// Runs it on the engine; what differs from the oracle first, with the case in words, or "".
[[nodiscard]] std::string run_case(const Case& made);

// Runs it with one driver call of one rank failing: nobody may hang, collective calls must fail on all ranks alike,
// untouched bytes must stay. `injected` tells whether the case made so many calls at all.
struct Mishap {
  int rank = 0;
  Count number = 1;
  int system_error = 5;
};
[[nodiscard]] std::string run_case_with(const Case& made, const Mishap& mishap, bool& injected);

}  // namespace collate::sim
