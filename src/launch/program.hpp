// Which file will really run: the PATH search of execvp, then the chain of `#!` interpreters down to an ELF file.
//
//     Target t = find_program("job.py", path);    // "#!/usr/bin/env python3"
//     t.path == "/home/ana/bin/job.py";  t.runs == "/home/ana/env/bin/python3";  t.script == true
#pragma once

#include <string>

namespace collate::launch {

struct Target {
  int status = 0;      // 0, or the exit status to give: 126 found but not executable, 127 not found
  std::string problem; // a sentence, when status is not 0
  std::string path;    // what exec gets
  std::string runs;    // the ELF file that the kernel loads in the end, symbolic links kept
  bool script = false; // whether `runs` is an interpreter of `path`
};

// `search_path` is the value of PATH.
Target find_program(const std::string& name, const std::string& search_path);

}  // namespace collate::launch
