#include "trace/counters.hpp"

#include <cstdio>

namespace collate::trace {
namespace {

constexpr std::array<const char*, 6> names = {"read", "write", "lock", "map", "exchange", "wait"};

std::string sized(Length bytes) {
  constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

std::string words(const char* name, const Counters::Row& row) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "%s %lld call%s", name, static_cast<long long>(row.events), row.events == 1 ? "" : "s");
  std::string line = text.data();
  if (row.bytes > 0) line += " " + sized(row.bytes);
  std::snprintf(text.data(), text.size(), " %.3f ms", row.seconds * 1e3);
  line += text.data();
  if (row.bytes > 0 && row.seconds > 0) {
    std::snprintf(text.data(), text.size(), " (%.0f MB/s)", static_cast<double>(row.bytes) / row.seconds / 1e6);
    line += text.data();
  }
  return line;
}

}  // namespace

void Counters::record(port::TraceEvent event, Offset, Length bytes, double seconds) {
  Cell& cell = cells_[static_cast<std::size_t>(event)];
  cell.events.fetch_add(1, std::memory_order_relaxed);
  cell.bytes.fetch_add(bytes, std::memory_order_relaxed);
  cell.nanoseconds.fetch_add(static_cast<std::int64_t>(seconds * 1e9), std::memory_order_relaxed);
}

Counters::Row Counters::row(port::TraceEvent event) const {
  const Cell& cell = cells_[static_cast<std::size_t>(event)];
  return {cell.events.load(std::memory_order_relaxed), cell.bytes.load(std::memory_order_relaxed),
          1e-9 * static_cast<double>(cell.nanoseconds.load(std::memory_order_relaxed))};
}

std::string Counters::summary() const {
  static_assert(names.size() == kinds);
  std::string line;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Row numbers = row(static_cast<port::TraceEvent>(kind));
    if (numbers.events == 0) continue;
    if (!line.empty()) line += ", ";
    line += words(names[kind], numbers);
  }
  return line.empty() ? "nothing" : line;
}

}  // namespace collate::trace
