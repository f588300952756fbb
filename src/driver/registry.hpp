// driver/registry.hpp - which driver serves files on this machine. The only place that names concrete drivers.
//
// Prefixes of a path ("ufs:", "nfs:") are taken off before it gets here; a driver asks the open file itself what
// file system it is on. A new driver: copy skeleton/, name it here.
#pragma once

#include <memory>

#include "port/file_driver.hpp"

namespace collate::driver {

[[nodiscard]] std::unique_ptr<port::FileDriver> make_default_driver();

}  // namespace collate::driver
