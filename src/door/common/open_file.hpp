// door/common/open_file.hpp - one open file as the door knows it: the engine's File and its MPI side.
//
// Thread rule: under MPI_THREAD_MULTIPLE, collective calls hold `collective` and independent ones `independent`.
// They are two, because a thread in a collective call waits for other ranks, which may wait for what another
// thread of this rank does on its own.
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
  std::mutex independent;
  std::unique_ptr<file::File> engine;
};

// Nothing is locked where the MPI has one thread at a time.
using Lock = std::unique_lock<std::mutex>;
[[nodiscard]] inline Lock alone_collectively(OpenFile& file) { return file.threaded ? Lock(file.collective) : Lock(); }
[[nodiscard]] inline Lock alone_on_this_rank(OpenFile& file) { return file.threaded ? Lock(file.independent) : Lock(); }

}  // namespace collate::door
