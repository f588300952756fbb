#include "driver/posix/backing.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <signal.h>

#include <cerrno>

namespace collate::driver {
namespace {

int allocate(int descriptor, ByteRange range, Growth growth) {
  const int mode = growth == Growth::keep_size ? FALLOC_FL_KEEP_SIZE : 0;
  return fallocate(descriptor, mode, range.begin, range.size()) == 0 ? 0 : errno;
}

}  // namespace

int back_range(int descriptor, ByteRange range, Growth growth) {
  const int problem = allocate(descriptor, range, growth);
  if (problem != EINTR) return problem;
  sigset_t held;
  sigset_t before;
  sigfillset(&held);
  for (const int fatal : {SIGBUS, SIGSEGV, SIGFPE, SIGILL}) sigdelset(&held, fatal);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  int again = EINTR;
  for (int tries = 0; again == EINTR && tries < 100; ++tries) again = allocate(descriptor, range, growth);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return again;
}

}  // namespace collate::driver
