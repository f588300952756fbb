// file/file.hpp - an open file of one communicator, seen from one rank: the engine's front door.
//
// Wires the rooms: resolves positions through the view, asks plan for a Plan, runs it. It owns the only
// mutable state of the engine: individual pointer, view, hints, atomicity. Collective members are Tasks: run
// them to their end (`collate::run`) for a blocking call, poll their Strand for a nonblocking one. Every
// collective member returns the same Error on all ranks. Local members never communicate.
//
//   auto file = run(File::open(session, std::move(arguments)));
//   (*file)->set_view({0, etype, filetype, "native"});
//   auto outcome = run((*file)->access_all(access));
//
// Units: positions and seek offsets in etypes, sizes and byte offsets in bytes.
// Thread rule: any thread, one collective call at a time per file; independent calls may run at once.
// Source: MPI-5.0 chapter 15.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "file/access.hpp"
#include "file/session.hpp"
#include "layout/type.hpp"
#include "port/comm.hpp"

namespace collate::file {

struct AccessMode {
  bool read_only = false;
  bool write_only = false;
  bool read_write = false;
  bool create = false;
  bool exclusive = false;
  bool delete_on_close = false;
  bool unique_open = false;
  bool sequential = false;
  bool append = false;
  friend bool operator==(const AccessMode&, const AccessMode&) = default;
};

using InfoEntries = std::vector<std::pair<std::string, std::string>>;

struct OpenArguments {
  std::unique_ptr<port::Comm> comm;
  std::string path;  // as given, a "ufs:"-like prefix included
  AccessMode mode;
  InfoEntries info;
  std::optional<Error> refused;  // the door's own finding; open still agrees on it
};

struct ViewArguments {
  Offset displacement = 0;  // bytes
  layout::Type etype;
  layout::Type filetype;
  std::string datarep = "native";
};

enum class Whence : std::uint8_t { set, current, end };

class File {
 public:
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  virtual ~File() = default;

  static Task<Result<std::unique_ptr<File>>> open(Session& session, OpenArguments arguments);
  virtual Task<Result<void>> close() = 0;

  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual const AccessMode& mode() const = 0;
  [[nodiscard]] virtual Result<Length> size() = 0;  // local
  virtual Task<Result<void>> set_size(Length size) = 0;
  virtual Task<Result<void>> preallocate(Length size) = 0;
  virtual Task<Result<void>> sync() = 0;

  virtual Task<Result<void>> set_info(InfoEntries info) = 0;
  [[nodiscard]] virtual InfoEntries info() const = 0;  // effective hints

  [[nodiscard]] virtual Result<void> set_view(ViewArguments view) = 0;  // local; resets the individual pointer
  [[nodiscard]] virtual Offset displacement() const = 0;
  [[nodiscard]] virtual const std::string& datarep() const = 0;
  [[nodiscard]] virtual Result<Length> type_extent(const layout::Type& type) const = 0;  // in the file's datarep

  [[nodiscard]] virtual Result<void> seek(Offset offset, Whence whence) = 0;
  [[nodiscard]] virtual Offset position() const = 0;
  [[nodiscard]] virtual Result<Offset> byte_offset(Offset offset) const = 0;  // absolute byte of an etype offset

  virtual Task<Result<void>> set_atomicity(bool atomic) = 0;
  [[nodiscard]] virtual bool atomicity() const = 0;

  // Independent access, to its end. Never communicates.
  [[nodiscard]] virtual Result<Outcome> access(const Access& access) = 0;
  // Collective access. Every rank takes part, whatever it has.
  virtual Task<Result<Outcome>> access_all(const Access& access) = 0;

 protected:
  File() = default;
};

// Deletes a file by name; not collective.
[[nodiscard]] Result<void> remove(Session& session, const std::string& path);

}  // namespace collate::file
