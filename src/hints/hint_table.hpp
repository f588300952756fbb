// hints/hint_table.hpp - what is known of every hint: the rows of tables/hints.toml.
//
// Guarantees: the rows stand in the order of HintId; names are at most 35 characters and unique. `foreign_names`
// are hints of other MPI-IO libraries that mean nothing here; they are ignored without a word.
//
//   spec_of(HintId::cb_buffer_size).minimum == 64
//
// Cost: constant data; find_hint() is linear in the number of hints. Thread rule: constant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "hints/generated/hint_id.hpp"
#include "hints/hints.hpp"

namespace collate::hints {

enum class Kind : std::uint8_t { length, integer, mode, boolean, toggle, strategy, text };
enum class Use : std::uint8_t { honoured, accepted, answer };

// Where a hint's typed value lives.
using Member = std::variant<Length Hints::*, int Hints::*, bool Hints::*, Toggle Hints::*, Strategy Hints::*, std::string Hints::*>;

struct HintSpec {
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view default_text;
  std::int64_t minimum = 0;  // of length, integer and mode
  std::int64_t maximum = 0;
  Use use = Use::accepted;
  bool any_time = false;  // false: only MPI_File_open may set it
  bool listed = false;    // told by MPI_File_get_info even when nobody gave it
  Member member;
};

[[nodiscard]] std::span<const HintSpec, hint_count> all_hints() noexcept;
[[nodiscard]] std::span<const std::string_view> foreign_names() noexcept;
[[nodiscard]] std::span<const std::string_view> all_texts(Toggle) noexcept;
[[nodiscard]] std::span<const std::string_view> all_texts(Strategy) noexcept;

[[nodiscard]] inline const HintSpec& spec_of(HintId id) noexcept { return all_hints()[static_cast<std::size_t>(id)]; }
// The hint of that name; names are compared byte by byte.
[[nodiscard]] std::optional<HintId> find_hint(std::string_view name) noexcept;

}  // namespace collate::hints
