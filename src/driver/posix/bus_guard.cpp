// Algorithm: see bus_guard.hpp. The records are a singly linked list on the stacks of the guarded calls; only
// the owning thread, and a signal handler that interrupted that very thread, ever look at it.
#include "driver/posix/bus_guard.hpp"

#include <csetjmp>
#include <csignal>
#include <atomic>
#include <cstdint>
#include <mutex>

#include <pthread.h>
#include <signal.h>

namespace collate::driver {
namespace {

struct GuardRecord {
  const std::byte* begin;
  const std::byte* end;
  GuardRecord* outer;
  const std::byte* volatile fault;
  sigjmp_buf back;
};

// initial-exec: reaching it from a handler must not allocate, not even in a library opened late.
[[gnu::tls_model("initial-exec")]] thread_local GuardRecord* volatile innermost = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local volatile bool chaining = false;

// What was installed before us. Points to memory that is never freed, as a handler may be reading it.
std::atomic<const struct sigaction*> previous{nullptr};
std::mutex installing;

void on_bus_error(int number, siginfo_t* info, void* context);

void default_action(int number, const siginfo_t* info) {
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  sigaction(number, &fallback, nullptr);
  // A fault happens again when we return; a signal that somebody sent has to be sent again.
  if (info->si_code <= 0) raise(number);
}

// Gives the signal to whoever would have had it without us.
void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction* before = previous.load(std::memory_order_acquire);
  const bool sent = info->si_code <= 0;
  if (before == nullptr || chaining) return default_action(number, info);
  if ((before->sa_flags & SA_SIGINFO) != 0) {
    chaining = true;
    before->sa_sigaction(number, info, context);
    chaining = false;
  } else if (before->sa_handler == SIG_DFL || (before->sa_handler == SIG_IGN && !sent)) {
    default_action(number, info);
  } else if (before->sa_handler != SIG_IGN) {
    chaining = true;
    before->sa_handler(number);
    chaining = false;
  }
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const std::byte* const address = static_cast<const std::byte*>(info->si_addr);
  if (info->si_code > 0) {
    for (GuardRecord* record = innermost; record != nullptr; record = record->outer) {
      const auto at = reinterpret_cast<std::uintptr_t>(address);
      if (at < reinterpret_cast<std::uintptr_t>(record->begin) || at >= reinterpret_cast<std::uintptr_t>(record->end)) continue;
      record->fault = address;
      siglongjmp(record->back, 1);
    }
  }
  pass_on(number, info, context);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_bus_error;
}

// Puts our handler in front, remembering the one that was there.
void ensure_installed() {
  struct sigaction now = {};
  sigaction(SIGBUS, nullptr, &now);
  if (is_ours(now)) return;
  const std::lock_guard<std::mutex> hold(installing);
  sigaction(SIGBUS, nullptr, &now);
  if (is_ours(now)) return;
  previous.store(new struct sigaction(now), std::memory_order_release);
  struct sigaction ours = {};
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGBUS, &ours, nullptr);
}

// A blocked SIGBUS would make the kernel end the process at the fault, whatever the handler.
class BusUnblocked {
 public:
  BusUnblocked() {
    sigset_t bus;
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &bus, &before_);
  }
  ~BusUnblocked() {
    if (sigismember(&before_, SIGBUS) == 1) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BusUnblocked(const BusUnblocked&) = delete;
  BusUnblocked& operator=(const BusUnblocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

const std::byte* run_guarded(std::span<const std::byte> memory, void (*work)(void*), void* argument) {
  ensure_installed();
  const BusUnblocked unblocked;
  GuardRecord record = {memory.data(), memory.data() + memory.size(), innermost, nullptr, {}};
  // The jump restores the signal mask (savemask 1), as the handler runs with SIGBUS blocked.
  if (sigsetjmp(record.back, 1) == 0) {
    innermost = &record;
    work(argument);
  }
  innermost = record.outer;
  return record.fault;
}

}  // namespace collate::driver
