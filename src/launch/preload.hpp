// The value of LD_PRELOAD with our library in it, or without it.
//
// Ours goes last: a profiler such as Darshan finds the next library by order and must stand before us. The linker splits the value
// at spaces and colons, so a path with either can't be named.
//
//     with_library("/opt/libdarshan.so", "/x/libcollate-mpich.so") == "/opt/libdarshan.so:/x/libcollate-mpich.so"
#pragma once

#include <string>

namespace collate::launch {

bool can_be_preloaded(const std::string& library);
std::string with_library(const std::string& preload, const std::string& library);
std::string without_collate(const std::string& preload);

}  // namespace collate::launch
