#include "launch/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "launch/elf.hpp"

namespace collate::launch {
namespace {

constexpr int kMostInterpreters = 4;  // the kernel's own limit on scripts that name scripts
constexpr std::size_t kMostFirstLine = 255;

bool is_file(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t start = line.find_first_not_of(" \t", at);
    if (start == std::string::npos) break;
    const std::size_t stop = std::min(line.find_first_of(" \t", start), line.size());
    out.push_back(line.substr(start, stop - start));
    at = stop;
  }
  return out;
}

// The words after "#!", or none.
std::vector<std::string> shebang(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(kMostFirstLine, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.rfind("#!", 0) != 0) return {};
  return words(head.substr(2, head.find('\n') == std::string::npos ? std::string::npos : head.find('\n') - 2));
}

// `#!/usr/bin/env -S NAME=value python3 -u` runs python3.
std::string behind_env(const std::vector<std::string>& line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i].rfind('-', 0) != 0 && line[i].find('=') == std::string::npos) return line[i];
  }
  return {};
}

Target missing(const std::string& name) { return {127, name + ": no such program", {}, {}, false}; }

Target search(const std::string& name, const std::string& search_path) {
  Target out;
  if (name.empty()) return missing("''");
  std::vector<std::string> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else {
    for (const std::string& folder : split(search_path, ':')) candidates.push_back(folder + "/" + name);
  }
  for (const std::string& candidate : candidates) {
    struct stat facts {};
    if (stat(candidate.c_str(), &facts) != 0) continue;
    if (S_ISREG(facts.st_mode) && access(candidate.c_str(), X_OK) == 0) {
      out.path = candidate;
      out.runs = candidate;
      out.status = 0;
      out.problem.clear();
      return out;
    }
    const char* why = S_ISDIR(facts.st_mode) ? " is a directory" : " may not be executed; try: chmod +x ";
    if (out.status == 0 && (candidates.size() == 1 || is_file(candidate))) {
      out.status = 126;
      out.problem = candidate + why + (S_ISDIR(facts.st_mode) ? "" : candidate);
    }
  }
  return out.status == 0 ? missing(name) : out;
}

}  // namespace

Target find_program(const std::string& name, const std::string& search_path) {
  Target out = search(name, search_path);
  for (int depth = 0; out.status == 0 && depth <= kMostInterpreters; ++depth) {
    if (read_elf(out.runs).state != ElfState::not_elf) return out;
    const std::vector<std::string> line = shebang(out.runs);
    std::string interpreter = line.empty() ? "/bin/sh" : line.front();  // what execvp does with a text without "#!"
    if (interpreter.ends_with("/env")) interpreter = behind_env(line);
    const Target next = search(interpreter, search_path);
    if (next.status != 0) return {126, out.runs + " asks for the interpreter " + interpreter + ", which can't be run", {}, {}, false};
    out.runs = next.path;
    out.script = true;
  }
  if (out.status == 0) return {126, name + ": too many interpreters, one behind the other", {}, {}, false};
  return out;
}

}  // namespace collate::launch
