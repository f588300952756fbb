// port/file_driver.hpp - what the engine needs from one file system. Interface only.
//
// A FileDriver opens files; an OpenFile is one rank's open file. A driver moves bytes and reports traits; it
// decides nothing about strategy. Every implementation passes test/driver/conformance, alone and inside the
// traced and faulty decorators.
//
// Thread rule: an OpenFile may be used by several threads at once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "base/units.hpp"
#include "port/driver_traits.hpp"

namespace collate::port {

struct OpenSpec {
  std::string path;
  bool read = true;
  bool write = false;
  bool create = false;     // create when missing
  bool exclusive = false;  // with create: fail with file_exists when it is there
  int permissions = 0666;  // of a created file, less the process's umask
};

// A stretch of user or staging memory.
struct Segment {
  std::byte* data = nullptr;
  Length size = 0;
};

// Part of a file seen as memory. Stores reach the file at once for all processes.
class Mapping {
 public:
  virtual ~Mapping() = default;
  // The mapped bytes; the first one is the byte of the file that was asked for.
  [[nodiscard]] virtual std::span<std::byte> memory() = 0;
  // Runs `work(argument)`, which touches memory(); an Error where the system cannot back a page (the disk is
  // full, the file was cut short by somebody else) instead of a fatal signal.
  [[nodiscard]] virtual Result<void> guarded(void (*work)(void*), void* argument) = 0;
};

class OpenFile {
 public:
  virtual ~OpenFile() = default;
  [[nodiscard]] virtual const DriverTraits& traits() const = 0;
  // Moves bytes between the file at `offset` and the segments in order. Returns the bytes moved: all of them,
  // or fewer for a read that met the end of the file. Interruptions and short transfers are dealt with here.
  [[nodiscard]] virtual Result<Length> transfer(Direction direction, Offset offset, std::span<const Segment> segments) = 0;
  // Maps [range.begin, range.end), all below the current end of file, for loads (read) or loads and stores (write).
  // ErrorClass::unsupported_operation where the file system does not offer it.
  [[nodiscard]] virtual Result<std::unique_ptr<Mapping>> map(Direction direction, ByteRange range) = 0;
  // Waits for and takes a lock on the range against every other open file; shared for read, exclusive for write.
  [[nodiscard]] virtual Result<void> lock(Direction direction, ByteRange range) = 0;
  [[nodiscard]] virtual Result<void> unlock(ByteRange range) = 0;
  [[nodiscard]] virtual Result<Length> size() = 0;
  [[nodiscard]] virtual Result<void> resize(Length size) = 0;
  // Makes sure that the first `size` bytes have room; grows the file, never shrinks it, keeps its bytes.
  [[nodiscard]] virtual Result<void> preallocate(Length size) = 0;
  [[nodiscard]] virtual Result<void> sync() = 0;
  // A number equal on two ranks exactly when both opened the same file.
  [[nodiscard]] virtual std::uint64_t identity() = 0;
  [[nodiscard]] virtual Result<void> close() = 0;
};

class FileDriver {
 public:
  virtual ~FileDriver() = default;
  [[nodiscard]] virtual Result<std::unique_ptr<OpenFile>> open(const OpenSpec& spec) = 0;
  [[nodiscard]] virtual Result<void> remove(const std::string& path) = 0;
};

}  // namespace collate::port
