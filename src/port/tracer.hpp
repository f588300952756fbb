// port/tracer.hpp - where the engine reports what it did. Interface only.
//
// Events are counted or written by src/trace; a null tracer costs one predicted branch.
#pragma once

#include <cstdint>

#include "base/units.hpp"

namespace collate::port {

enum class TraceEvent : std::uint8_t { file_read, file_write, file_lock, file_map, exchange, wait };

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void record(TraceEvent event, Offset offset, Length bytes, double seconds) = 0;
};

}  // namespace collate::port
