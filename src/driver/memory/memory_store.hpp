// driver/memory/memory_store.hpp - a file system in this process's memory, for tests.
//
// Files are bytes under a name; every open file and every driver made over one store sees the same ones. A file
// may have holes: its bytes live in a reserved stretch of address space (16 GiB by default, no memory until
// touched), so mappings stay where they are while the file grows. Cost: a transfer is a memcpy under the
// file's mutex. Thread rule: everything may be called from several threads at once.
//
// Locks never wait. In the simulated world all ranks run on one thread, so a lock that would have to wait can
// never be granted: it is answered with Error{internal, system_error = EDEADLK}, which means that the code under
// test asked for two conflicting locks at the same time. As with open-file-description locks, one open file
// never conflicts with itself, a new lock replaces its older one on the same bytes, and close releases.
//
//   auto store = std::make_shared<MemoryStore>();
//   auto driver = make_memory_driver(store);
//   store->set_contents("in.dat", bytes);   ...   EXPECT_EQ(store->contents("out.dat"), expected);
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "port/file_driver.hpp"

namespace collate::driver {

struct MemoryOptions {
  Length capacity = -1;             // the most bytes all files may have together (holes count); -1: no limit
  Length largest_file = Length{16} << 30;
  bool read_only = false;           // opening for writing is refused as on a read-only file system
  bool strict_directories = false;  // the folder of a path must have been made, else ENOENT
  port::DriverTraits traits = {.name = "memory", .mapped_stores = true};
};

struct MemoryStatistics {
  Count opens = 0, reads = 0, writes = 0, maps = 0, locks = 0, syncs = 0, resizes = 0;
  Length bytes_read = 0, bytes_written = 0;
};

class MemoryFile;  // one file's bytes, in memory_file.hpp

class MemoryStore {
 public:
  explicit MemoryStore(MemoryOptions options = {});
  ~MemoryStore();
  MemoryStore(const MemoryStore&) = delete;
  MemoryStore& operator=(const MemoryStore&) = delete;

  // For tests.
  [[nodiscard]] bool exists(const std::string& path) const;
  [[nodiscard]] std::vector<std::byte> contents(const std::string& path) const;  // empty where there is no file
  void set_contents(const std::string& path, std::span<const std::byte> bytes);  // makes or replaces the file
  void set_permissions(const std::string& path, bool readable, bool writable);   // seen by later opens
  void make_directory(const std::string& path);
  [[nodiscard]] MemoryStatistics statistics() const;
  [[nodiscard]] std::vector<std::string> paths() const;

  // For the driver.
  [[nodiscard]] Result<std::shared_ptr<MemoryFile>> open(const port::OpenSpec& spec, bool& readable);
  [[nodiscard]] Result<void> remove(const std::string& path);
  [[nodiscard]] const MemoryOptions& options() const noexcept { return options_; }
  // Takes `more` bytes (gives back when negative) from the capacity; returns how many of them there were.
  [[nodiscard]] Length take_room(Length more);
  void count(void (*change)(MemoryStatistics&, Length), Length bytes = 0);

 private:
  [[nodiscard]] int check_folder(const std::string& path) const;

  const MemoryOptions options_;
  mutable std::mutex mutex_;
  Length used_ = 0;
  std::uint64_t next_identity_ = 1;
  MemoryStatistics statistics_;
  std::set<std::string> directories_;
  std::map<std::string, std::shared_ptr<MemoryFile>> files_;  // last: files give their room back when destroyed
};

}  // namespace collate::driver
