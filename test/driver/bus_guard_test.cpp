// Pages that lose their backing give an Error, everything else about SIGBUS stays as the application wants it.
#include "driver/posix/bus_guard.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "driver/posix/posix_driver.hpp"
#include "support.hpp"

namespace collate::test {
namespace {

constexpr Length file_size = 64 * 4096;

// A mapped file that somebody cuts short.
struct CutFile {
  explicit CutFile(Direction direction, Length left = 8192) {
    file = open_file(*driver, folder / "f");
    EXPECT_TRUE(write_at(*file, 0, pattern(file_size, 1)).ok());
    auto result = file->map(direction, {100, file_size});
    EXPECT_TRUE(result.ok());
    mapping = std::move(*result);
    EXPECT_TRUE(open_file(*driver, folder / "f", false)->resize(left).ok());
  }
  Folder folder;
  std::unique_ptr<port::FileDriver> driver = driver::make_posix_driver();
  std::unique_ptr<port::OpenFile> file;
  std::unique_ptr<port::Mapping> mapping;
};

struct Touch {
  std::span<std::byte> memory;
  bool store = false;
  Count done = 0;
};

void touch_all(void* argument) {
  Touch& touch = *static_cast<Touch*>(argument);
  volatile std::byte* const at = touch.memory.data();
  for (std::size_t i = 0; i < touch.memory.size(); i += 512) {
    if (touch.store) at[i] = std::byte{7};
    else static_cast<void>(at[i]);
    ++touch.done;
  }
}

void expect_caught(CutFile& cut, bool store) {
  Touch touch = {cut.mapping->memory(), store};
  const Result<void> result = cut.mapping->guarded(touch_all, &touch);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().detail, ErrorDetail::page_not_backed);
  EXPECT_EQ(result.error().code, ErrorClass::io);
  EXPECT_EQ(result.error().offset, 100 + 16 * 512);  // the first touched byte beyond the new end
  EXPECT_EQ(touch.done, 16);
}

TEST(BusGuard, ATruncatedFileIsAnErrorForLoadsAndStores) {
  CutFile loads(Direction::read);
  CutFile stores(Direction::write);
  for (int round = 0; round < 3; ++round) {
    expect_caught(loads, false);
    expect_caught(stores, true);
  }
}

TEST(BusGuard, WorkThatMeetsNoFaultJustRuns) {
  CutFile cut(Direction::write);
  Touch touch = {cut.mapping->memory().first(4000), true};
  EXPECT_TRUE(cut.mapping->guarded(touch_all, &touch).ok());
  EXPECT_EQ(touch.done, 8);
}

TEST(BusGuard, EveryThreadHasItsOwn) {
  CutFile cut(Direction::read);
  std::atomic<int> caught{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        Touch touch = {cut.mapping->memory()};
        if (!cut.mapping->guarded(touch_all, &touch) && touch.done == 16) ++caught;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(caught.load(), 400);
}

struct Nest {
  CutFile* outer;
  CutFile* inner;
  bool inner_failed = false;
};

void touch_inner_then_outer(void* argument) {
  Nest& nest = *static_cast<Nest*>(argument);
  Touch inner = {nest.inner->mapping->memory()};
  nest.inner_failed = !nest.inner->mapping->guarded(touch_all, &inner).ok();
  Touch outer = {nest.outer->mapping->memory()};
  touch_all(&outer);
}

TEST(BusGuard, GuardsNest) {
  CutFile outer(Direction::read);
  CutFile inner(Direction::read);
  Nest nest = {&outer, &inner};
  EXPECT_FALSE(outer.mapping->guarded(touch_inner_then_outer, &nest).ok());
  EXPECT_TRUE(nest.inner_failed);
}

void touch_other(void* argument) {
  Touch touch = {static_cast<CutFile*>(argument)->mapping->memory()};
  touch_all(&touch);
}

void exit_42(int) { _exit(42); }
void exit_43(int, siginfo_t*, void*) { _exit(43); }

void install(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGBUS, &action, nullptr);
}

// How a child process ends that runs `work`: its exit status, or minus the signal that ended it.
int end_of_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    install(SIG_DFL);  // whatever a sanitizer has put there
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void use_guard_once() {
  CutFile cut(Direction::read);
  Touch touch = {cut.mapping->memory()};
  if (cut.mapping->guarded(touch_all, &touch)) _exit(99);
}

void fault_unguarded() {
  CutFile cut(Direction::read);
  Touch touch = {cut.mapping->memory()};
  touch_all(&touch);
}

TEST(BusGuard, FaultsOutsideKeepTheirMeaning) {
  EXPECT_EQ(end_of_child([] { use_guard_once(); }), 0);
  EXPECT_EQ(end_of_child([] { use_guard_once(), fault_unguarded(); }), -SIGBUS);
  EXPECT_EQ(end_of_child([] { use_guard_once(), kill(getpid(), SIGBUS); }), -SIGBUS);
  EXPECT_EQ(end_of_child([] { install(exit_42), use_guard_once(), fault_unguarded(); }), 42);
  EXPECT_EQ(end_of_child([] { install(exit_42), use_guard_once(), kill(getpid(), SIGBUS); }), 42);
  EXPECT_EQ(end_of_child([] { install(SIG_IGN), use_guard_once(), kill(getpid(), SIGBUS), _exit(5); }), 5);
  EXPECT_EQ(end_of_child([] { install(SIG_IGN), use_guard_once(), fault_unguarded(); }), -SIGBUS);
  EXPECT_EQ(end_of_child([] {
              struct sigaction action = {};
              action.sa_sigaction = exit_43;
              action.sa_flags = SA_SIGINFO;
              sigaction(SIGBUS, &action, nullptr);
              use_guard_once(), fault_unguarded();
            }),
            43);
}

TEST(BusGuard, AnotherMappingsFaultInsideAGuardIsNotOurs) {
  EXPECT_EQ(end_of_child([] {
              install(exit_42);
              CutFile guarded(Direction::read);
              CutFile other(Direction::read);
              static_cast<void>(guarded.mapping->guarded(touch_other, &other));
            }),
            42);
}

TEST(BusGuard, AHandlerInstalledLaterIsChainedToo) {
  EXPECT_EQ(end_of_child([] { use_guard_once(), install(exit_42), use_guard_once(), fault_unguarded(); }), 42);
}

struct sigaction chained_before;
void chain_back(int number, siginfo_t* info, void* context) { chained_before.sa_sigaction(number, info, context); }

TEST(BusGuard, HandlersThatChainToEachOtherDoNotLoop) {
  EXPECT_EQ(end_of_child([] {
              use_guard_once();
              struct sigaction action = {};
              action.sa_sigaction = chain_back;
              action.sa_flags = SA_SIGINFO;
              sigaction(SIGBUS, &action, &chained_before);
              use_guard_once();
              fault_unguarded();
            }),
            -SIGBUS);
}

TEST(BusGuard, ABlockedSignalDoesNotKill) {
  sigset_t bus;
  sigset_t before;
  sigset_t after;
  sigemptyset(&bus);
  sigaddset(&bus, SIGBUS);
  pthread_sigmask(SIG_BLOCK, &bus, &before);
  CutFile cut(Direction::read);
  Touch touch = {cut.mapping->memory()};
  EXPECT_FALSE(cut.mapping->guarded(touch_all, &touch).ok());
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGBUS), 1);
}

}  // namespace
}  // namespace collate::test
