// door/common/segment.hpp - memory that the ranks of one node see together: a file in /dev/shm.
//
// All its pages are allocated at creation (posix_fallocate), so running out of memory is an Error there and
// never a SIGBUS later. The name is random and the file private to the user; it lives from create to unlink.
// Thread rule: any thread.
#pragma once

#include <memory>

#include "port/comm.hpp"

namespace collate::door {

[[nodiscard]] Result<std::unique_ptr<port::SharedSegment>> create_segment(Length bytes, port::SegmentToken& token);
[[nodiscard]] Result<std::unique_ptr<port::SharedSegment>> attach_segment(Length bytes, const port::SegmentToken& token);
void unlink_segment(const port::SegmentToken& token);

}  // namespace collate::door
