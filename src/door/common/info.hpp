// door/common/info.hpp - MPI_Info as a list of key-value pairs and back. Thread rule: any thread.
#pragma once

#include <mpi.h>

#include "file/file.hpp"

namespace collate::door {

// MPI_INFO_NULL gives no entries.
[[nodiscard]] file::InfoEntries entries_of(MPI_Info info);

// A new MPI_Info, to be freed by the program; entries too long for this MPI are left out. Info null on failure.
[[nodiscard]] MPI_Info info_of(const file::InfoEntries& entries);

}  // namespace collate::door
