// hints/split.cpp - see split.hpp.
#include "hints/split.hpp"

#include "hints/value.hpp"

namespace collate::hints {
namespace {

constexpr std::size_t longest_pattern = 1024;  // keeps the cost of matching bounded

// Calls `use` for each trimmed, non-empty piece between the separators.
template <class Use>
void each_piece(std::string_view text, std::string_view separators, Use use) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view piece = trimmed(text.substr(0, end));
    if (!piece.empty()) use(piece);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// "key=value", the first separator counts.
Given pair_of(std::string_view piece, std::string_view separators) {
  const std::size_t middle = piece.find_first_of(separators);
  if (middle == std::string_view::npos || middle == 0) return {{}, piece};
  return {trimmed(piece.substr(0, middle)), trimmed(piece.substr(middle + 1))};
}

std::string_view base_name(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::vector<Given> split_list(std::string_view text) {
  std::vector<Given> result;
  each_piece(text, ";\n", [&](std::string_view piece) { result.push_back(pair_of(piece, "=")); });
  return result;
}

std::vector<Given> split_romio(std::string_view text) {
  std::vector<Given> result;
  each_piece(text, "\n", [&](std::string_view line) {
    if (line.front() != '#') result.push_back(pair_of(line, " \t"));
  });
  return result;
}

std::vector<Given> split_mpich(std::string_view text, std::string_view path) {
  std::vector<Given> result;
  each_piece(text, ",\n", [&](std::string_view entry) {
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) {
      result.push_back({{}, entry});
      return;
    }
    const std::string_view pattern = trimmed(entry.substr(0, colon));
    if (!matches(pattern, path) && !matches(pattern, base_name(path))) return;
    each_piece(entry.substr(colon + 1), ":", [&](std::string_view piece) { result.push_back(pair_of(piece, "=")); });
  });
  return result;
}

// The usual greedy match: on a mismatch behind a star, let the last star swallow one more character.
bool matches(std::string_view pattern, std::string_view name) noexcept {
  if (pattern.size() > longest_pattern) return false;
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = none;
  std::size_t retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != none) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace collate::hints
