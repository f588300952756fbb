#include "driver/memory/memory_store.hpp"

#include <algorithm>
#include <cerrno>

#include "driver/memory/memory_file.hpp"

namespace collate::driver {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

MemoryStore::MemoryStore(MemoryOptions options) : options_(options) {}

MemoryStore::~MemoryStore() = default;

bool MemoryStore::exists(const std::string& path) const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return files_.contains(path);
}

std::vector<std::byte> MemoryStore::contents(const std::string& path) const {
  std::shared_ptr<MemoryFile> file;
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    const auto found = files_.find(path);
    if (found == files_.end()) return {};
    file = found->second;
  }
  const std::span<std::byte> bytes = file->bytes({0, file->size()});
  return {bytes.begin(), bytes.end()};
}

void MemoryStore::set_contents(const std::string& path, std::span<const std::byte> bytes) {
  std::shared_ptr<MemoryFile> file;
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    std::shared_ptr<MemoryFile>& place = files_[path];
    if (!place) place = std::make_shared<MemoryFile>(*this, next_identity_++);
    file = place;
  }
  // The driver's calls cannot fail here unless the store is too small for the test.
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  const port::Segment all = {copy.data(), static_cast<Length>(copy.size())};
  static_cast<void>(file->resize(0));
  static_cast<void>(file->write(0, {&all, 1}));
}

void MemoryStore::set_permissions(const std::string& path, bool readable, bool writable) {
  const std::lock_guard<std::mutex> hold(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return;
  found->second->readable = readable;
  found->second->writable = writable;
}

void MemoryStore::make_directory(const std::string& path) {
  const std::lock_guard<std::mutex> hold(mutex_);
  directories_.insert(path);
}

MemoryStatistics MemoryStore::statistics() const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return statistics_;
}

std::vector<std::string> MemoryStore::paths() const {
  const std::lock_guard<std::mutex> hold(mutex_);
  std::vector<std::string> names;
  for (const auto& entry : files_) names.push_back(entry.first);
  return names;
}

int MemoryStore::check_folder(const std::string& path) const {
  const std::string folder = folder_of(path);
  if (files_.contains(folder)) return ENOTDIR;
  if (options_.strict_directories && !folder.empty() && !directories_.contains(folder)) return ENOENT;
  return 0;
}

Result<std::shared_ptr<MemoryFile>> MemoryStore::open(const port::OpenSpec& spec, bool& readable) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (const int problem = check_folder(spec.path); problem != 0) return system_failure(problem);
  if (directories_.contains(spec.path)) return system_failure(EISDIR);
  const auto found = files_.find(spec.path);
  readable = true;
  if (found == files_.end()) {
    if (!spec.create) return system_failure(ENOENT);
    if (options_.read_only) return system_failure(EROFS);
    auto file = std::make_shared<MemoryFile>(*this, next_identity_++);
    file->readable = (spec.permissions & 0400) != 0;
    file->writable = (spec.permissions & 0200) != 0;
    files_.emplace(spec.path, file);
    ++statistics_.opens;
    return file;
  }
  if (spec.create && spec.exclusive) return system_failure(EEXIST);
  const MemoryFile& file = *found->second;
  if (spec.write && options_.read_only) return system_failure(EROFS);
  if ((spec.write && !file.writable) || (spec.read && !file.readable)) return system_failure(EACCES);
  readable = file.readable;
  ++statistics_.opens;
  return found->second;
}

Result<void> MemoryStore::remove(const std::string& path) {
  std::shared_ptr<MemoryFile> last;  // its destructor takes the mutex: let go of it after the lock
  const std::lock_guard<std::mutex> hold(mutex_);
  if (const int problem = check_folder(path); problem != 0) return system_failure(problem);
  if (directories_.contains(path)) return system_failure(EISDIR);
  if (options_.read_only) return system_failure(EROFS);
  const auto found = files_.find(path);
  if (found == files_.end()) return system_failure(ENOENT);
  last = found->second;
  files_.erase(found);
  return {};
}

Length MemoryStore::take_room(Length more) {
  const std::lock_guard<std::mutex> hold(mutex_);
  const Length room = options_.capacity < 0 ? more : std::min(more, std::max<Length>(options_.capacity - used_, 0));
  used_ += room;
  return room;
}

void MemoryStore::count(void (*change)(MemoryStatistics&, Length), Length bytes) {
  const std::lock_guard<std::mutex> hold(mutex_);
  change(statistics_, bytes);
}

}  // namespace collate::driver
