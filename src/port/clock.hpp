// port/clock.hpp - time as a port, so that tests own it. Interface only.
#pragma once

namespace collate::port {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since an arbitrary moment, never going back.
  [[nodiscard]] virtual double now() = 0;
};

}  // namespace collate::port
