// door/common/decode.hpp - the walk over a datatype's constructors. Used by datatype.cpp, which remembers.
#pragma once

#include <mpi.h>

#include "base/result.hpp"
#include "layout/type.hpp"

namespace collate::door {

// Cost: O(arguments of all constructors in it). Thread rule: any thread.
[[nodiscard]] Result<layout::Type> decode(MPI_Datatype type);

}  // namespace collate::door
