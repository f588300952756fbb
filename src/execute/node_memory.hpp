// execute/node_memory.hpp - memory that all ranks of a file share, when they are all on one node.
//
// One rank creates the segment and tells its name, the others attach, all agree whether everybody has it, and the
// name is removed at once, so that nothing is left behind whatever happens later. Collective. Returns null on all
// ranks when any rank could not have it.
#pragma once

#include "base/task.hpp"
#include "port/comm.hpp"

namespace collate::execute {

[[nodiscard]] Task<std::unique_ptr<port::SharedSegment>> share_memory(port::Comm& comm, Length bytes);

}  // namespace collate::execute
