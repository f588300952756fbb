#include "launch/preload.hpp"

#include <vector>

#include "launch/elf.hpp"

namespace collate::launch {
namespace {

bool is_ours(const std::string& entry) {
  const std::string file = entry.substr(entry.rfind('/') + 1);
  return file.starts_with("libcollate-") && file.ends_with(".so");
}

}  // namespace

bool can_be_preloaded(const std::string& library) { return library.find_first_of(" :\t\n") == std::string::npos; }

std::string without_collate(const std::string& preload) {
  std::string out;
  for (const std::string& part : split(preload, ':')) {
    for (const std::string& entry : split(part, ' ')) {
      if (is_ours(entry)) continue;
      if (!out.empty()) out += ':';
      out += entry;
    }
  }
  return out;
}

std::string with_library(const std::string& preload, const std::string& library) {
  const std::string others = without_collate(preload);
  return others.empty() ? library : others + ":" + library;
}

}  // namespace collate::launch
