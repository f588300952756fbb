// trace/counters.hpp - how often, how many bytes, how long: one row per kind of event.
//
// Guarantees: nothing is lost when several threads record at once; no allocation while recording. Cost: three
// relaxed atomic additions. Thread rule: everything from any thread; a reader sees each number whole but not
// the three of a row at one instant.
//
//   Counters counters;  ... counters.record(TraceEvent::file_write, 0, 4096, 2e-6);
//   counters.summary() -> "write 1 call 4.0 KiB 0.002 ms (2048 MB/s)"
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "port/tracer.hpp"

namespace collate::trace {

class Counters final : public port::Tracer {
 public:
  struct Row {
    Count events = 0;
    Length bytes = 0;
    double seconds = 0;
  };
  void record(port::TraceEvent event, Offset offset, Length bytes, double seconds) override;
  [[nodiscard]] Row row(port::TraceEvent event) const;
  // One line, only the kinds of events that happened; "nothing" where none did.
  [[nodiscard]] std::string summary() const;

 private:
  struct Cell {
    std::atomic<Count> events{0};
    std::atomic<Length> bytes{0};
    std::atomic<std::int64_t> nanoseconds{0};
  };
  static constexpr std::size_t kinds = static_cast<std::size_t>(port::TraceEvent::wait) + 1;
  std::array<Cell, kinds> cells_;
};

}  // namespace collate::trace
