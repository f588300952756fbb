// driver/skeleton/skeleton_driver.hpp - a driver that refuses everything, to copy when adding a file system.
//
// How to add one: copy this folder to driver/<name>/, rename, fill in the functions in the order of the .cpp
// (each says what the engine relies on), name it in driver/registry.cpp, and add it to the list in
// test/driver/conformance_test.cpp. It is done when that suite passes, alone and inside the decorators. A driver
// knows one file system and includes base/ and port/ only: no strategy, no layout, no other driver.
#pragma once

#include <memory>

#include "port/file_driver.hpp"

namespace collate::driver {

[[nodiscard]] std::unique_ptr<port::FileDriver> make_skeleton_driver();

}  // namespace collate::driver
