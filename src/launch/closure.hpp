// The shared libraries that a program needs, directly or through others, found the way the dynamic linker would find them.
//
// The order is the linker's: RPATH of the object that asks and of those that asked for it (only where that object has no RUNPATH),
// LD_LIBRARY_PATH, RUNPATH of the object that asks, /etc/ld.so.cache, the default folders. A library that can't be found is still
// listed, by name: the name alone often tells which MPI it is.
//
// Cost: one small read per library and folder looked in, about a millisecond for a program with fifty libraries.
//
//     for (const Library& lib : closure("/home/ana/heat3d", read_elf("/home/ana/heat3d"), SearchPlaces::from_environment()))
//       lib.chain: "heat3d -> libhdf5_mpich.so.103 -> libmpich.so.12";  lib.path: "/usr/lib/x86_64-linux-gnu/libmpich.so.12"
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "launch/elf.hpp"

namespace collate::launch {

struct SearchPlaces {
  std::vector<std::string> library_path;                      // LD_LIBRARY_PATH
  std::vector<std::pair<std::string, std::string>> cache;     // name and file, from ld.so.cache
  std::vector<std::string> defaults = {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};

  static SearchPlaces from_environment();
};

struct Library {
  std::string name;   // as the object that needs it names it
  std::string path;   // empty when not found
  std::string chain;  // who asked for it, in words
  ElfFacts facts;
};

// Breadth first, each name once, the program itself not included.
std::vector<Library> closure(const std::string& program, const ElfFacts& facts, const SearchPlaces& places);

// The entries of a cache file in glibc's format (since 2.2); empty when it is anything else.
std::vector<std::pair<std::string, std::string>> read_cache(const std::string& path);

}  // namespace collate::launch
