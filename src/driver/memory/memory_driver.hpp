// driver/memory/memory_driver.hpp - the driver over a MemoryStore. See memory_store.hpp for what it promises.
#pragma once

#include <memory>

#include "driver/memory/memory_store.hpp"
#include "port/file_driver.hpp"

namespace collate::driver {

// Several drivers (one per simulated rank) may share a store.
[[nodiscard]] std::unique_ptr<port::FileDriver> make_memory_driver(std::shared_ptr<MemoryStore> store);

}  // namespace collate::driver
