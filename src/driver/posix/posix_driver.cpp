#include "driver/posix/posix_driver.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "driver/posix/file_system.hpp"
#include "driver/posix/posix_file.hpp"

namespace collate::driver {
namespace {

int open_uninterrupted(const char* path, int flags, int permissions) {
  int descriptor = -1;
  do {
    descriptor = ::open(path, flags, static_cast<mode_t>(permissions));
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

// O_NONBLOCK: a FIFO must not make us wait. It means nothing for a regular file but one that is leased to a
// file server, which answers EWOULDBLOCK; there we wait.
int open_without_hanging(const char* path, int flags, int permissions) {
  const int descriptor = open_uninterrupted(path, flags | O_NONBLOCK, permissions);
  if (descriptor >= 0 || errno != EWOULDBLOCK) return descriptor;
  return open_uninterrupted(path, flags, permissions);
}

// The descriptor, or -1 with errno; `readable` tells whether it can be read.
int open_descriptor(const port::OpenSpec& spec, bool& readable) {
  int flags = O_CLOEXEC | O_NOCTTY;
  if (spec.create) flags |= O_CREAT;
  if (spec.create && spec.exclusive) flags |= O_EXCL;
  readable = true;
  const int access = spec.write ? O_RDWR : O_RDONLY;
  const int descriptor = open_without_hanging(spec.path.c_str(), flags | access, spec.permissions);
  if (descriptor >= 0 || errno != EACCES || spec.read) return descriptor;
  readable = false;
  return open_without_hanging(spec.path.c_str(), flags | O_WRONLY, spec.permissions);
}

// What kinds of files can be used: regular ones and devices.
Result<void> check_kind(int descriptor, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return system_failure(EISDIR);
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
    Error error = system_failure(ESPIPE);
    error.code = ErrorClass::bad_file;
    return error;
  }
  if (S_ISREG(status.st_mode)) return {};
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0) return system_failure(errno);
  return {};
}

bool has_range_locks(int descriptor, bool writable) {
  struct flock probe = {};
  probe.l_type = writable ? F_WRLCK : F_RDLCK;
  probe.l_whence = SEEK_SET;
  probe.l_len = 1;
  return fcntl(descriptor, F_OFD_GETLK, &probe) == 0;
}

bool has_size_limit() {
  struct rlimit limit = {};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

class PosixDriver final : public port::FileDriver {
 public:
  Result<std::unique_ptr<port::OpenFile>> open(const port::OpenSpec& spec) override {
    if (!spec.read && !spec.write) return refusal(ErrorClass::amode, ErrorDetail::amode_contradicts_itself);
    bool readable = true;
    const int number = open_descriptor(spec, readable);
    if (number < 0) return system_failure(errno);
    auto descriptor = std::make_shared<Descriptor>(number);
    struct stat status = {};
    if (fstat(number, &status) != 0) return system_failure(errno);
    if (const Result<void> kind = check_kind(number, status); !kind) return kind.error();
    const FileSystem file_system = file_system_of(number);
    port::DriverTraits traits = traits_of(file_system, status);
    traits.readable = readable;
    traits.writable = spec.write;
    traits.mapped_stores = traits.mapped_stores && readable && spec.write;
    traits.mapped_loads = traits.mapped_loads && readable;
    traits.range_locks = has_range_locks(number, spec.write);
    const PosixFile::Facts facts = {traits, identity_of(file_system, status), file_system.network, has_size_limit(), file_system.populate};
    return std::unique_ptr<port::OpenFile>(std::make_unique<PosixFile>(std::move(descriptor), facts));
  }

  Result<void> remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return system_failure(errno);
    return {};
  }
};

}  // namespace

std::unique_ptr<port::FileDriver> make_posix_driver() { return std::make_unique<PosixDriver>(); }

}  // namespace collate::driver
