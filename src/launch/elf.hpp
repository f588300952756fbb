// What an executable or a shared library says about itself, read from its file and never by running it.
//
// read_elf() gives the few facts collate-exec decides by: 32 or 64 bits, machine, the dynamic linker it asks for, the libraries it
// needs and where it wants them looked for. Any byte of the file may be wrong or missing: every offset is checked against the
// file's size, and a broken file gives ElfState::broken, never a crash.
//
// Cost: a handful of preads of some kilobytes. Threads: pure, no shared state.
//
//     ElfFacts app = read_elf("/home/ana/heat3d");
//     app.state == ElfState::good;  app.interpreter == "/lib64/ld-linux-x86-64.so.2";  app.needed == {"libmpi.so.40", "libc.so.6"};
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace collate::launch {

enum class ElfState { good, unreadable, not_elf, broken, foreign_order };

struct ElfFacts {
  ElfState state = ElfState::unreadable;
  bool is_64 = false;
  std::uint16_t machine = 0;
  bool dynamic = false;     // has a dynamic section: a shared library, or a program that needs one
  std::string interpreter;  // the dynamic linker; empty in a static program and in most libraries
  std::string soname;
  std::vector<std::string> needed;
  std::vector<std::string> rpath;  // as written: $ORIGIN is not expanded
  std::vector<std::string> runpath;
};

ElfFacts read_elf(const std::string& path);

// "a:b::c" as {"a", "b", "c"}; empty pieces are dropped.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace collate::launch
