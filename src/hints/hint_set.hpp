// hints/hint_set.hpp - the hints in use for one open file: typed values, their spelling, and who set them.
//
// Starts as the table's defaults. `hints/read.hpp` fills it from what users gave; the engine adds what it found
// out (the driver's name, the number of aggregators). Guarantees: values() and text() always agree; entries()
// read back as MPI_Info give the same values.
//
//   HintSet hints;
//   hints.report(HintId::romio_filesystem_type, "posix");
//   hints.entries();          // {"collective_buffering", "true"}, ..., {"romio_filesystem_type", "posix"}
//
// Cost: a few kilobytes. Thread rule: plain value.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hints/generated/hint_id.hpp"
#include "hints/hints.hpp"

namespace collate::hints {

// The same type as file::InfoEntries.
using Entries = std::vector<std::pair<std::string, std::string>>;

// Who set a value, weakest first.
enum class Origin : std::uint8_t { default_value, mpich_mpiio_hints, romio_hints, collate_hints, info, engine };

// As users know it. Example: to_text(Origin::romio_hints) == "ROMIO_HINTS".
[[nodiscard]] std::string_view to_text(Origin origin) noexcept;

class HintSet {
 public:
  HintSet();

  [[nodiscard]] const Hints& values() const noexcept { return values_; }
  // The effective value as text, "" where a text is not set. Example: "16777216".
  [[nodiscard]] const std::string& text(HintId id) const noexcept { return states_[index(id)].text; }
  // What a user gave, in its effective spelling, even where the engine reported something else since.
  [[nodiscard]] const std::string& given(HintId id) const noexcept { return states_[index(id)].given; }
  [[nodiscard]] Origin origin(HintId id) const noexcept { return states_[index(id)].origin; }

  // Takes a user's value; false, changing nothing, when the table does not allow it.
  [[nodiscard]] bool set(HintId id, std::string_view text, Origin origin);
  // Tells what the engine found out or decided; for hints that users may not set too. A value the table does
  // not allow is left out.
  void report(HintId id, std::string_view text);

  // What MPI_File_get_info returns, in the order of the table.
  [[nodiscard]] Entries entries() const;
  // Equal on two ranks that were given the same honoured hints; different, all but surely, otherwise.
  [[nodiscard]] std::uint64_t digest() const noexcept;

 private:
  struct State {
    std::string text;
    std::string given;
    Origin origin = Origin::default_value;
  };
  static constexpr std::size_t index(HintId id) noexcept { return static_cast<std::size_t>(id); }

  Hints values_;
  std::array<State, hint_count> states_;
};

}  // namespace collate::hints
