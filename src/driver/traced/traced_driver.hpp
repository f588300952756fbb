// driver/traced/traced_driver.hpp - a decorator that reports every call worth knowing to a Tracer.
//
// file_read and file_write: one event per transfer with the bytes moved (0 when it failed); file_lock: one per
// lock, its seconds are the wait; file_map: one per mapping, its bytes the range. Other calls pass unreported.
// Cost: two looks at the clock per event. The tracer and the clock must outlive the driver and its files.
// Thread rule: as port/file_driver.hpp; the tracer must stand calls from several threads.
#pragma once

#include <memory>

#include "port/clock.hpp"
#include "port/file_driver.hpp"
#include "port/tracer.hpp"

namespace collate::driver {

[[nodiscard]] std::unique_ptr<port::FileDriver> make_traced_driver(std::unique_ptr<port::FileDriver> inner, port::Tracer& tracer,
                                                                   port::Clock& clock);

}  // namespace collate::driver
