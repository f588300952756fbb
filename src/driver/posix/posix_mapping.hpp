// driver/posix/posix_mapping.hpp - part of a file as memory, backed before it is stored to.
//
// A mapping for stores first asks the file system for the room of all its pages (back_range), so that a full
// disk is an Error here and not a SIGBUS later; where the file system cannot promise room, mapping is refused.
// Cost: mmap + munmap, one fallocate for stores, and a page fault per touched page (or large folio).
// Thread rule: the memory may be used by several threads, `guarded` too.
#pragma once

#include <memory>

#include "driver/posix/posix_file.hpp"

namespace collate::driver {

// `range` is not empty and lies below the end of the file.
[[nodiscard]] Result<std::unique_ptr<port::Mapping>> map_pages(const std::shared_ptr<Descriptor>& descriptor, Direction direction,
                                                               ByteRange range);

}  // namespace collate::driver
