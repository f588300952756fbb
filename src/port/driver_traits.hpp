// port/driver_traits.hpp - what a planner may know of a file system. Plain values, no calls.
#pragma once

#include "base/units.hpp"

namespace collate::port {

// What a planner may know about the place a file lives in. Sizes in bytes.
struct DriverTraits {
  const char* name = "posix";
  Length block_size = 4096;            // file domains are cut at multiples of this
  Length stripe_size = 0;              // 0: not striped
  int stripe_count = 0;
  Length sieve_hole = 4096;            // reading a hole up to this size is cheaper than another request
  bool mapped_stores = false;          // may be written through a mapping, byte exact and coherent
  bool mapped_loads = false;           // may be read through a mapping
  bool cheap_loads = false;            // such loads cost less than a copy from another rank's memory (one fault, many pages)
  Length mapped_stride = 0;            // pieces this close together (start to start) are moved faster through a mapping
  bool remote = false;                 // every request crosses a network: small ones are worth putting together
  bool range_locks = true;             // lock() works between processes
  bool writable = true;                // the file was opened so that it can be written
  bool readable = true;
};

}  // namespace collate::port
