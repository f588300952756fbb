#include "driver/registry.hpp"

#include "driver/posix/posix_driver.hpp"

namespace collate::driver {

std::unique_ptr<port::FileDriver> make_default_driver() { return make_posix_driver(); }

}  // namespace collate::driver
