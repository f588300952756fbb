// door/common/datatype.hpp - an MPI datatype as the engine's layout::Type, decoded once.
//
// Decoding walks the constructors (contents.hpp) and never their blocks: a vector of 2^31 blocks costs as much as
// one of 2. The result stays with the datatype as an attribute and goes when the datatype goes; predefined types
// are kept in a small table. A pointer returned here is good as long as the datatype is.
//
//   auto type = decoded(MPI_INT);      // {bytes 4, lower 0, extent 4}
//
// Cost: a known predefined type 2-3 ns, a known derived one the MPI's attribute lookup (20-50 ns).
// Thread rule: any thread.
#pragma once

#include <mpi.h>

#include "base/result.hpp"
#include "layout/type.hpp"

namespace collate::door {

[[nodiscard]] Result<const layout::Type*> decoded(MPI_Datatype type);

}  // namespace collate::door
