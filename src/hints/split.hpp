// hints/split.hpp - the three spellings of hints in an environment, cut into keys and values.
//
// Nothing is judged here: keys and values are the user's, blanks around them removed. A piece that does not have
// the form of its source comes with an empty key and the piece as its value, so that the reader can name it.
//
//   split_list("cb_nodes=4; x")                   // {"cb_nodes", "4"}, {"", "x"}
//   split_romio("# job 7\ncb_nodes 4\n")           // {"cb_nodes", "4"}
//   split_mpich("*.h5:cb_nodes=4,*.nc:x=1", "a.h5") // {"cb_nodes", "4"}
//
// The results point into `text`. Cost: linear in the text, patterns up to pattern times path. Thread rule: pure.
#pragma once

#include <string_view>
#include <vector>

namespace collate::hints {

struct Given {
  std::string_view key;
  std::string_view value;
};

[[nodiscard]] std::vector<Given> split_list(std::string_view text);
[[nodiscard]] std::vector<Given> split_romio(std::string_view text);
[[nodiscard]] std::vector<Given> split_mpich(std::string_view text, std::string_view path);

// Whether the pattern describes the whole name; '*' stands for any characters ('/' too), '?' for one.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name) noexcept;

}  // namespace collate::hints
