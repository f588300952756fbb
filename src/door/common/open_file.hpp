// door/common/open_file.hpp - one open file as the door knows it: the engine's File and its MPI side.
//
// Thread rule: `collective` is held by collective calls and by what changes the view's handles; independent
// data access takes no lock of ours (file/file.hpp allows several at once). Only used under MPI_THREAD_MULTIPLE.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <string>

#include "file/file.hpp"

namespace collate::door {

// A datatype of the view: predefined ones are kept as they are, others as a duplicate of our own.
struct ViewType {
  MPI_Datatype handle{};
  bool duplicate = false;
};

struct OpenFile {
  MPI_File handle{};  // the companion, which is what the program holds
  MPI_Comm comm{};    // our duplicate; owned by the engine's Comm
  int amode = 0;
  bool threaded = false;
  std::string path;
  ViewType etype;
  ViewType filetype;
  std::mutex collective;
  std::unique_ptr<file::File> engine;
};

// The lock of a call that must not meet another of its kind; nothing where the MPI has one thread at a time.
[[nodiscard]] inline std::unique_lock<std::mutex> exclusive(OpenFile& file) {
  return file.threaded ? std::unique_lock(file.collective) : std::unique_lock<std::mutex>();
}

}  // namespace collate::door
