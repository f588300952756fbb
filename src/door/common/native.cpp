// Finds the MPI library among the loaded objects and fills the table of its functions.
//
// A process names its MPI library libmpi.so.12, libmpich.so.12, libmpi.so.40 or, opened by an explicit path as
// mpi4py does, anything that starts alike; so the name only selects candidates and abi::belongs decides.
// RTLD_NOLOAD gives a handle of what is loaded already, RTLD_LOCAL or not, and never loads anything.
#include "door/common/native.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "handles.hpp"

namespace collate::door {

namespace {

constexpr const char* candidate_names[] = {"libmpi.so", "libmpich.so", "libmpi_cray.so", "libmpi_gnu", "libmpi_intel", "libmpi_abi.so"};
constexpr const char* standard_abi_name = "libmpi_abi.so";

struct Search {
  std::vector<std::string> candidates;  // paths of loaded objects that are named like an MPI library
  std::string found;                    // the one of our family
  std::string foreign;                  // one of another family
};

bool starts_with(const char* text, const char* start) { return std::strncmp(text, start, std::strlen(start)) == 0; }

// Only collects: the loader holds a lock here under which dlopen must not be called.
int look_at(dl_phdr_info* object, std::size_t, void* data) {
  if (object->dlpi_name == nullptr) return 0;
  const char* slash = std::strrchr(object->dlpi_name, '/');
  const char* name = slash == nullptr ? object->dlpi_name : slash + 1;
  for (const char* start : candidate_names) {
    if (!starts_with(name, start)) continue;
    static_cast<Search*>(data)->candidates.emplace_back(object->dlpi_name);
    break;
  }
  return 0;
}

bool is_ours(const std::string& path) {
  if (path.find(standard_abi_name) != std::string::npos) return false;
  void* library = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY);
  if (library == nullptr) return false;
  const bool ours = abi::belongs(library);
  dlclose(library);
  return ours;
}

Search search_loaded() {
  Search search;
  dl_iterate_phdr(look_at, &search);
  for (const std::string& path : search.candidates) {
    std::string& place = is_ours(path) ? search.found : search.foreign;
    if (place.empty()) place = path;
  }
  return search;
}

void complain(const Search& search) {
  if (search.foreign.empty()) {
    std::fprintf(stderr, "collate: no MPI library is loaded, so %s can do nothing for this process\n", abi::library_name);
  } else {
    std::fprintf(stderr, "collate: %s is made for %s, but this program uses %s; start it with collate-exec, which picks the right library\n",
                 abi::library_name, abi::family, search.foreign.c_str());
  }
}

bool fill(void* library, Native& table) {
  for (const NativeName& name : native_names) {
    void* function = dlsym(library, name.symbol);
    std::memcpy(reinterpret_cast<char*>(&table) + name.place, &function, sizeof(function));
  }
  return abi::bind(library);
}

constinit std::atomic<const Native*> resolved{nullptr};
constinit std::mutex resolving;
constinit Native table{};

const Native* resolve() {
  const std::lock_guard guard(resolving);
  if (const Native* done = resolved.load(std::memory_order_acquire)) return done;
  const Search search = search_loaded();
  void* library = search.found.empty() ? nullptr : dlopen(search.found.c_str(), RTLD_NOLOAD | RTLD_LAZY);
  if (library == nullptr || !fill(library, table)) {
    static constinit bool told = false;
    if (!told) complain(search);
    told = true;
    return nullptr;
  }
  resolved.store(&table, std::memory_order_release);
  return &table;
}

}  // namespace

const Native* native() noexcept {
  const Native* done = resolved.load(std::memory_order_acquire);
  return done != nullptr ? done : resolve();
}

}  // namespace collate::door
