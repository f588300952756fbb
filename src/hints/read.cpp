// hints/read.cpp - see read.hpp. Sources are applied from the weakest to the strongest, each value replacing the one
// before; a value that is not allowed leaves the one before. What went wrong is put into words at the end, when it
// is known which value is used instead.
#include "hints/read.hpp"

#include <algorithm>
#include <optional>

#include "hints/hint_table.hpp"
#include "hints/split.hpp"
#include "hints/value.hpp"

namespace collate::hints {
namespace {

constexpr std::size_t longest_source = 64 * 1024;
constexpr std::size_t most_warnings = 20;
constexpr std::size_t longest_key = 64;  // no hint is longer than 35 characters; longer keys resemble none
constexpr std::array<std::string_view, 6> own_prefixes{"collate_", "romio_", "cb_", "ind_", "striping_", "chunked_"};

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

// Levenshtein's distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, longest_key + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

struct Neighbour {
  std::string_view name;
  std::size_t distance = longest_key;
};

Neighbour nearest_hint(std::string_view key) {
  Neighbour best;
  if (key.size() > longest_key) return best;
  const std::string lower = lowered(key);
  for (const HintSpec& spec : all_hints()) {
    const std::size_t distance = edit_distance(lower, spec.name);
    if (distance < best.distance) best = {spec.name, distance};
  }
  return best;
}

bool starts_like_a_hint(std::string_view key) {
  const std::string lower = lowered(key.substr(0, longest_key));
  return std::any_of(own_prefixes.begin(), own_prefixes.end(), [&](std::string_view prefix) { return lower.starts_with(prefix); });
}

bool foreign(std::string_view key) {
  const auto names = foreign_names();
  return std::find(names.begin(), names.end(), key) != names.end();
}

class Gatherer {
 public:
  explicit Gatherer(HintSet hints, bool opening) : hints_(std::move(hints)), opening_(opening) {}

  void take(const Given& given, Origin origin) {
    if (given.key.empty()) {
      if (origin != Origin::info) complain(std::string(to_text(origin)) + ": " + quoted(given.value) + " does not name a hint and its value");
    } else if (const std::optional<HintId> id = find_hint(given.key)) {
      take_known(*id, given, origin);
    } else if (!foreign(given.key)) {
      take_unknown(given.key, origin);
    }
  }

  void take_text(std::string_view text, Origin origin, std::string_view path) {
    if (text.size() > longest_source) {
      complain(std::string(to_text(origin)) + " is longer than 64 KiB and ignored");
      return;
    }
    const std::vector<Given> all = origin == Origin::collate_hints ? split_list(text)
                                   : origin == Origin::romio_hints ? split_romio(text)
                                                                   : split_mpich(text, path);
    for (const Given& given : all) take(given, origin);
  }

  void take_info(const Entries& info) {
    for (const auto& [key, value] : info) take({trimmed(key), value}, Origin::info);
  }

  Reading finish() && {
    Reading reading;
    for (const Problem& problem : problems_) reading.warnings.push_back(problem.text + (problem.hint ? "; " + remedy(*problem.hint) : ""));
    if (unspoken_ > 0) reading.warnings.push_back("and " + std::to_string(unspoken_) + " more problems with hints");
    reading.hints = std::move(hints_);
    return reading;
  }

 private:
  struct Problem {
    std::string text;
    std::optional<HintId> hint;  // whose value in use ends the sentence
  };

  void take_known(HintId id, const Given& given, Origin origin) {
    const HintSpec& spec = spec_of(id);
    if (spec.use == Use::answer) return;
    Hints scratch;
    if (!store(spec, given.value, scratch)) {
      complain("hint " + std::string(spec.name) + ": " + quoted(given.value) + " from " + std::string(to_text(origin)) + " is not " + allowed(spec), id);
    } else if (opening_ || spec.any_time) {
      (void)hints_.set(id, given.value, origin);
    } else if (const std::string wanted = text_of(spec, scratch); wanted != hints_.given(id) && wanted != hints_.text(id)) {
      complain("hint " + std::string(spec.name) + ": " + quoted(wanted) + " comes too late, it is read by MPI_File_open only", id);
    }
  }

  // MPI_Info may hold anything, so only what resembles a hint is worth a word there.
  void take_unknown(std::string_view key, Origin origin) {
    const Neighbour nearest = nearest_hint(key);
    const bool close = nearest.distance <= 2;
    if (origin == Origin::info && !close && !starts_like_a_hint(key)) return;
    std::string text = "hint " + quoted(key) + " from " + std::string(to_text(origin)) + " is unknown and ignored";
    if (close || (starts_like_a_hint(key) && nearest.distance <= nearest.name.size() / 2)) text += "; did you mean " + std::string(nearest.name) + "?";
    complain(std::move(text));
  }

  void complain(std::string text, std::optional<HintId> hint = std::nullopt) {
    const bool said = std::any_of(problems_.begin(), problems_.end(), [&](const Problem& problem) { return problem.text == text; });
    if (said) return;
    if (problems_.size() < most_warnings) {
      problems_.push_back({std::move(text), hint});
    } else {
      ++unspoken_;
    }
  }

  // "using 16777216, the default".
  [[nodiscard]] std::string remedy(HintId id) const {
    if (hints_.text(id).empty()) return "it stays unset";
    const Origin origin = hints_.origin(id);
    return "using " + printable(hints_.text(id)) + (origin == Origin::default_value ? ", the default" : " from " + std::string(to_text(origin)));
  }

  HintSet hints_;
  bool opening_;
  std::vector<Problem> problems_;
  std::size_t unspoken_ = 0;
};

}  // namespace

Reading read(const Sources& sources) {
  Gatherer gatherer(HintSet{}, true);
  gatherer.take_text(sources.mpich_mpiio_hints, Origin::mpich_mpiio_hints, sources.path);
  gatherer.take_text(sources.romio_hints, Origin::romio_hints, sources.path);
  gatherer.take_text(sources.collate_hints, Origin::collate_hints, sources.path);
  gatherer.take_info(sources.info);
  return std::move(gatherer).finish();
}

Reading amend(const HintSet& in_use, const Entries& info) {
  Gatherer gatherer(in_use, false);
  gatherer.take_info(info);
  return std::move(gatherer).finish();
}

}  // namespace collate::hints
