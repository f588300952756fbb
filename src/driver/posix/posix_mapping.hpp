// driver/posix/posix_mapping.hpp - part of a file as memory, backed before it is stored to.
//
// A mapping for stores first asks the file system for the room of all its pages (back_range), so that a full
// disk is an Error here and not a SIGBUS later; where the file system cannot promise room, mapping is refused.
// The room is for the pages of the range alone, holes around them stay holes; the mapping itself always covers
// whole huge pages (2 MiB) at a matching address: there one fault maps a whole large folio of ext4 or xfs, where
// a smaller or crooked mapping faults once per 4 KiB at many times the price (measured: 0.6 against 6.5-13 us per
// 2 KiB piece of 8 KiB, Linux 6.18). A large folio that reaches over a hole beside the range may still meet a
// full disk: then `guarded` answers page_not_backed, and writing the same pieces by calls may yet succeed.
// Cost: mmap + munmap, one fallocate for stores, and a page fault per touched page (or large folio).
// Thread rule: the memory may be used by several threads, `guarded` too.
#pragma once

#include <memory>

#include "driver/posix/posix_file.hpp"

namespace collate::driver {

// `range` is not empty and lies below the end of the file. `populate` enters its pages into the page table at once.
[[nodiscard]] Result<std::unique_ptr<port::Mapping>> map_pages(const std::shared_ptr<Descriptor>& descriptor, Direction direction,
                                                               ByteRange range, bool populate);

}  // namespace collate::driver
