// hints/value.hpp - one hint's value between text and type.
//
// Texts are read strictly: numbers are decimal digits and nothing else; lengths may end in K, M, G or T (powers of
// 1024; "KiB" is the same); permissions are octal; words are compared without regard to upper and lower case.
// Guarantees: nothing is stored unless the table allows it; `text_of` is accepted by `store` again and means the
// same; no locale takes part.
//
//   Hints hints;
//   store(spec_of(HintId::cb_buffer_size), "4m", hints)    // true; hints.cb_buffer_size == 4194304
//   store(spec_of(HintId::cb_nodes), "1e30", hints)        // false
//   text_of(spec_of(HintId::cb_buffer_size), hints)        // "4194304"
//
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "hints/hint_table.hpp"

namespace collate::hints {

[[nodiscard]] bool store(const HintSpec& spec, std::string_view text, Hints& hints);
[[nodiscard]] std::string text_of(const HintSpec& spec, const Hints& hints);
// What a user may write, to be read after "is not". Example: "a whole number from 1 to 1024".
[[nodiscard]] std::string allowed(const HintSpec& spec);

// Without blanks and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
// For a message: control and non-ASCII bytes become '?', long text is cut to `longest` characters and "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 60);
// ASCII upper case to lower case.
[[nodiscard]] std::string lowered(std::string_view text);

}  // namespace collate::hints
