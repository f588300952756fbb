// hints/hint_set.cpp - see hint_set.hpp.
#include "hints/hint_set.hpp"

#include "hints/hint_table.hpp"
#include "hints/value.hpp"

namespace collate::hints {

std::string_view to_text(Origin origin) noexcept {
  constexpr std::array<std::string_view, 6> texts{"default", "MPICH_MPIIO_HINTS", "ROMIO_HINTS", "COLLATE_HINTS", "MPI_Info", "Collate"};
  return texts[static_cast<std::size_t>(origin)];
}

HintSet::HintSet() {
  for (std::size_t i = 0; i < hint_count; ++i) states_[i].text = text_of(all_hints()[i], values_);
}

bool HintSet::set(HintId id, std::string_view text, Origin origin) {
  const HintSpec& spec = spec_of(id);
  if (spec.use == Use::answer || !store(spec, text, values_)) return false;
  State& state = states_[index(id)];
  state.text = text_of(spec, values_);
  state.given = state.text;
  state.origin = origin;
  return true;
}

void HintSet::report(HintId id, std::string_view text) {
  const HintSpec& spec = spec_of(id);
  if (!store(spec, text, values_)) return;
  states_[index(id)].text = text_of(spec, values_);
  states_[index(id)].origin = Origin::engine;
}

Entries HintSet::entries() const {
  Entries result;
  for (std::size_t i = 0; i < hint_count; ++i) {
    const HintSpec& spec = all_hints()[i];
    const bool told = spec.listed || states_[i].origin != Origin::default_value;
    if (told && !states_[i].text.empty()) result.emplace_back(spec.name, states_[i].text);
  }
  return result;
}

// FNV-1a over the spellings of the honoured hints, each closed by a zero byte.
std::uint64_t HintSet::digest() const noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3U; };
  for (std::size_t i = 0; i < hint_count; ++i) {
    if (all_hints()[i].use != Use::honoured) continue;
    for (const char c : states_[i].text) add(static_cast<unsigned char>(c));
    add(0);
  }
  return hash;
}

}  // namespace collate::hints
