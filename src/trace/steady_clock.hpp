// trace/steady_clock.hpp - the machine's monotonic clock as a port::Clock. Cost: about 25 ns. Any thread.
#pragma once

#include "port/clock.hpp"

namespace collate::trace {

class SteadyClock final : public port::Clock {
 public:
  [[nodiscard]] double now() override;
};

}  // namespace collate::trace
