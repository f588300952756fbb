#include "trace/steady_clock.hpp"

#include <chrono>

namespace collate::trace {

double SteadyClock::now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace collate::trace
