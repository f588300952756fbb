// file/session.hpp - what all files of a process share: drivers, the environment's hints, the clock.
//
// The door owns one Session and makes it at the first open; nothing in the engine is global. Tests make their
// own with other drivers. Thread rule: const after construction.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "port/file_driver.hpp"

namespace collate::file {

// The environment variables that carry hints, as found by the process.
struct Environment {
  std::string collate_hints;        // COLLATE_HINTS       "key=value;key=value"
  std::string romio_hints_path;     // ROMIO_HINTS         a file of "key value" lines
  std::string romio_hints_text;     // its contents, read by the door on the rank that asks
  std::string mpich_mpiio_hints;    // MPICH_MPIIO_HINTS   "pattern:key=value:key=value,pattern:..."
  bool verbose = false;             // COLLATE_VERBOSE     one line per file at close
};

struct Session {
  std::unique_ptr<port::FileDriver> driver;
  Environment environment;
  std::function<void(const std::string&)> notice;  // a line for the user, already decided to be worth it
};

// A Session with the drivers of this machine and the process's environment. Cheap; opens nothing.
[[nodiscard]] std::unique_ptr<Session> make_session();

}  // namespace collate::file
