#include "file/session.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "driver/registry.hpp"

namespace collate::file {
namespace {

constexpr std::size_t hints_file_limit = 64 * 1024;

// Ignored in processes that run with more rights than their user.
std::string variable(const char* name) {
  const char* value = secure_getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// A regular file's contents up to the limit; a pipe or a device in its place is not waited for.
std::string contents(const std::string& path) {
  if (path.empty()) return {};
  const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) return {};
  std::string text;
  struct stat status {};
  if (::fstat(handle, &status) == 0 && S_ISREG(status.st_mode)) {
    text.resize(hints_file_limit);
    const ssize_t got = ::read(handle, text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  ::close(handle);
  return text;
}

}  // namespace

std::unique_ptr<Session> make_session() {
  auto session = std::make_unique<Session>();
  session->driver = driver::make_default_driver();
  Environment& environment = session->environment;
  environment.collate_hints = variable("COLLATE_HINTS");
  environment.romio_hints_path = variable("ROMIO_HINTS");
  environment.romio_hints_text = contents(environment.romio_hints_path);
  environment.mpich_mpiio_hints = variable("MPICH_MPIIO_HINTS");
  const std::string verbose = variable("COLLATE_VERBOSE");
  environment.verbose = !verbose.empty() && verbose != "0";
  session->notice = [](const std::string& line) { std::fprintf(stderr, "collate: %s\n", line.c_str()); };
  return session;
}

}  // namespace collate::file
