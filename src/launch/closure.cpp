#include "launch/closure.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace collate::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLibraries = 2000;

struct Node {
  std::string path;
  ElfFacts facts;
  std::string chain;
  int parent;  // index of the object that asked for it, -1 for the program
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// $ORIGIN is the folder of the object that wrote the path; $LIB has several spellings, all of which are tried.
std::vector<std::string> expand(std::string folder, const std::string& object) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(object, ignored);
  const std::string origin = (real.empty() ? fs::path(object) : real).parent_path().string();
  for (const char* spelling : {"$ORIGIN", "${ORIGIN}"}) replace_all(folder, spelling, origin);
  replace_all(folder, "${LIB}", "$LIB");
  if (folder.find("$LIB") == std::string::npos) return {folder};
  std::vector<std::string> out;
  for (const char* lib : {"lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    out.push_back(folder);
    replace_all(out.back(), "$LIB", lib);
  }
  return out;
}

bool fits(const ElfFacts& facts, const ElfFacts& program) {
  return facts.state == ElfState::good && facts.dynamic && facts.is_64 == program.is_64 && facts.machine == program.machine;
}

class Finder {
 public:
  Finder(const std::vector<Node>& nodes, const SearchPlaces& places) : nodes_(nodes), places_(places) {}

  Library find(const std::string& name, int asker) const {
    Library out{name, "", "", {}};
    if (name.find('/') != std::string::npos) {
      take(name, out);
      return out;
    }
    for (const std::string& folder : folders_before_cache(asker)) {
      if (take(folder + "/" + name, out)) return out;
    }
    for (const auto& [cached, path] : places_.cache) {
      if (cached == name && take(path, out)) return out;
    }
    for (const std::string& folder : places_.defaults) {
      if (take(folder + "/" + name, out)) return out;
    }
    return out;
  }

 private:
  std::vector<std::string> folders_before_cache(int asker) const {
    std::vector<std::string> out;
    const auto add = [&out](const std::vector<std::string>& folders, const std::string& object) {
      for (const auto& folder : folders) {
        for (auto& one : expand(folder, object)) out.push_back(std::move(one));
      }
    };
    const Node& node = nodes_[static_cast<std::size_t>(asker)];
    if (node.facts.runpath.empty()) {
      for (int up = asker; up >= 0; up = nodes_[static_cast<std::size_t>(up)].parent) {
        const Node& ancestor = nodes_[static_cast<std::size_t>(up)];
        if (ancestor.facts.runpath.empty()) add(ancestor.facts.rpath, ancestor.path);
      }
    }
    out.insert(out.end(), places_.library_path.begin(), places_.library_path.end());
    add(node.facts.runpath, node.path);
    return out;
  }

  bool take(const std::string& path, Library& out) const {
    if (access(path.c_str(), R_OK) != 0) return false;
    ElfFacts facts = read_elf(path);
    if (!fits(facts, nodes_.front().facts)) return false;
    out.path = path;
    out.facts = std::move(facts);
    return true;
  }

  const std::vector<Node>& nodes_;
  const SearchPlaces& places_;
};

// In the cache file: 48 bytes of header, then entries of 24 bytes whose key and value are offsets from the header's start.
constexpr std::size_t kCacheHeader = 48;
constexpr std::size_t kCacheEntry = 24;

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> read_cache(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::size_t start = bytes.find("glibc-ld.so.cache1.1");
  if (start == std::string::npos) return {};
  bytes.erase(0, start);
  if (bytes.size() < kCacheHeader) return {};
  const std::size_t count = word(bytes, 20);
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kCacheHeader + i * kCacheEntry;
    if (at + kCacheEntry > bytes.size()) break;
    const std::size_t key = word(bytes, at + 4);
    const std::size_t value = word(bytes, at + 8);
    if (key >= bytes.size() || value >= bytes.size()) continue;
    out.emplace_back(bytes.c_str() + key, bytes.c_str() + value);
  }
  return out;
}

SearchPlaces SearchPlaces::from_environment() {
  SearchPlaces out;
  const char* path = std::getenv("LD_LIBRARY_PATH");
  if (path != nullptr) out.library_path = split(path, ':');
  out.cache = read_cache("/etc/ld.so.cache");
  return out;
}

std::vector<Library> closure(const std::string& program, const ElfFacts& facts, const SearchPlaces& places) {
  std::vector<Node> nodes{{program, facts, fs::path(program).filename().string(), -1}};
  std::vector<Library> out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < kMostLibraries; ++i) {
    const std::vector<std::string> needed = nodes[i].facts.needed;
    for (const std::string& name : needed) {
      if (!seen.insert(name).second) continue;
      Library library = Finder(nodes, places).find(name, static_cast<int>(i));
      library.chain = nodes[i].chain + " -> " + name;
      if (!library.path.empty()) nodes.push_back({library.path, library.facts, library.chain, static_cast<int>(i)});
      out.push_back(std::move(library));
    }
  }
  return out;
}

}  // namespace collate::launch
