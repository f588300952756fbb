// hints/value.cpp - see value.hpp. One read and one write function per kind of value, chosen by the type of the
// member that the table names.
#include "hints/value.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace collate::hints {
namespace {

constexpr std::size_t longest_value = 255;  // Open MPI's limit of MPI_Info
constexpr std::string_view blanks = " \t\r\n\f\v";

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::optional<std::int64_t> whole_number(std::string_view text, int base) noexcept {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value, base);
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

// "64K", "64KiB", "65536" -> 65536.
std::optional<std::int64_t> byte_count(std::string_view text) noexcept {
  constexpr std::string_view letters = "kmgt";
  if (text.size() > 2 && lower(text[text.size() - 2]) == 'i' && lower(text.back()) == 'b') {
    text.remove_suffix(2);
    if (letters.find(lower(text.back())) == std::string_view::npos) return std::nullopt;
  }
  std::int64_t unit = 1;
  if (!text.empty()) {
    const std::size_t power = letters.find(lower(text.back()));
    if (power != std::string_view::npos) {
      unit = std::int64_t{1} << (10 * (power + 1));
      text.remove_suffix(1);
    }
  }
  const std::optional<std::int64_t> number = whole_number(text, 10);
  return number ? checked_multiply(*number, unit) : std::nullopt;
}

std::optional<bool> truth(std::string_view text) {
  const std::string word = lowered(text);
  if (word == "true" || word == "enable" || word == "enabled") return true;
  if (word == "false" || word == "disable" || word == "disabled") return false;
  return std::nullopt;
}

template <class Enum>
std::optional<Enum> choice(std::string_view text) {
  const auto words = all_texts(Enum{});
  const auto found = std::find(words.begin(), words.end(), lowered(text));
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

std::optional<Toggle> toggle(std::string_view text) {
  if (const std::optional<bool> on = truth(text)) return *on ? Toggle::enable : Toggle::disable;
  return choice<Toggle>(text);
}

// The readers by the type of the member; each also applies the table's range.
struct Reader {
  const HintSpec& spec;
  std::string_view text;
  Hints& hints;

  [[nodiscard]] std::optional<std::int64_t> ranged() const noexcept {
    const std::optional<std::int64_t> value =
        spec.kind == Kind::length ? byte_count(text) : whole_number(text, spec.kind == Kind::mode ? 8 : 10);
    if (!value || *value < spec.minimum || *value > spec.maximum) return std::nullopt;
    return value;
  }
  template <class T, class U>
  [[nodiscard]] bool keep(T Hints::*member, const std::optional<U>& value) const {
    if (value) hints.*member = static_cast<T>(*value);
    return value.has_value();
  }
  bool operator()(Length Hints::*member) const { return keep(member, ranged()); }
  bool operator()(int Hints::*member) const { return keep(member, ranged()); }
  bool operator()(bool Hints::*member) const { return keep(member, truth(text)); }
  bool operator()(Toggle Hints::*member) const { return keep(member, toggle(text)); }
  bool operator()(Strategy Hints::*member) const { return keep(member, choice<Strategy>(text)); }
  bool operator()(std::string Hints::*member) const {
    if (std::any_of(text.begin(), text.end(), control)) return false;
    hints.*member = std::string(text);
    return true;
  }
};

std::string octal(std::int64_t value) {
  std::array<char, 24> digits{};
  const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 8);
  return {digits.data(), end.ptr};
}

struct Writer {
  const HintSpec& spec;
  const Hints& hints;

  [[nodiscard]] std::string number(std::int64_t value) const { return spec.kind == Kind::mode ? octal(value) : std::to_string(value); }
  std::string operator()(Length Hints::*member) const { return number(hints.*member); }
  std::string operator()(int Hints::*member) const { return number(hints.*member); }
  std::string operator()(bool Hints::*member) const { return hints.*member ? "true" : "false"; }
  std::string operator()(Toggle Hints::*member) const { return std::string(to_text(hints.*member)); }
  std::string operator()(Strategy Hints::*member) const { return std::string(to_text(hints.*member)); }
  std::string operator()(std::string Hints::*member) const { return hints.*member; }
};

// 65536 -> "64K", where that is exact.
std::string short_bytes(std::int64_t value) {
  constexpr std::string_view letters = "KMGT";
  std::size_t power = 0;
  while (power < letters.size() && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++power;
  }
  return std::to_string(value) + (power == 0 ? "" : std::string(1, letters[power - 1]));
}

template <class Enum>
std::string one_of() {
  std::string list = "one of ";
  for (const std::string_view word : all_texts(Enum{})) {
    if (list.size() > 7) list += ", ";
    list += word;
  }
  return list;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result(text.substr(0, longest));
  std::replace_if(result.begin(), result.end(), [](char c) { return control(c) || static_cast<unsigned char>(c) >= 0x80; }, '?');
  if (text.size() > longest) result += "...";
  return result;
}

std::optional<HintId> find_hint(std::string_view name) noexcept {
  const auto specs = all_hints();
  const auto found = std::find_if(specs.begin(), specs.end(), [&](const HintSpec& spec) { return spec.name == name; });
  if (found == specs.end()) return std::nullopt;
  return static_cast<HintId>(found - specs.begin());
}

bool store(const HintSpec& spec, std::string_view text, Hints& hints) {
  const std::string_view value = trimmed(text);
  if (value.size() > longest_value) return false;
  return std::visit(Reader{spec, value, hints}, spec.member);
}

std::string text_of(const HintSpec& spec, const Hints& hints) { return std::visit(Writer{spec, hints}, spec.member); }

std::string allowed(const HintSpec& spec) {
  switch (spec.kind) {
    case Kind::length:
      return "a number of bytes from " + short_bytes(spec.minimum) + " to " + short_bytes(spec.maximum) + " (such as 65536, 64K or 1M)";
    case Kind::integer:
      return "a whole number from " + std::to_string(spec.minimum) + " to " + std::to_string(spec.maximum);
    case Kind::mode:
      return "permissions in octal from " + octal(spec.minimum) + " to " + octal(spec.maximum);
    case Kind::boolean:
      return "true or false";
    case Kind::toggle:
      return one_of<Toggle>();
    case Kind::strategy:
      return one_of<Strategy>();
    case Kind::text:
      break;
  }
  return "at most 255 printable characters";
}

}  // namespace collate::hints
