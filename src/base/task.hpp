// base/task.hpp - one path for blocking, nonblocking and split calls: a resumable task.
//
// A collective step is written as straight-line code that `co_await`s whatever it has to wait for. The
// compiler keeps the place where it stopped, so the same code can be run to its end (a blocking call),
// polled from time to time (a nonblocking call), or stepped by a scheduler that plays N ranks in one
// process (the simulated world).
//
//   Task<Result<Length>> write_part(Comm& comm) {
//     const auto gathered = comm.allgather(mine, all);
//     co_await *gathered;                       // waits for a Pending; name it, the compiler mislays temporaries
//     co_return co_await exchange(comm);        // waits for another Task
//   }
//   Strand<Result<Length>> strand(write_part(comm));
//   strand.wait();                              // blocking; or: while (!strand.poll()) compute();
//
// Guarantees: a Task starts when it is first awaited or its Strand first polled; nothing runs on another
// thread. Awaiting a Task goes through the Strand's loop, not through the stack: any number of awaits in a row
// takes the same stack, whether or not the compiler makes tail calls. Cost: one frame allocation per Task.
// Thread rule: one thread at a time polls a Strand.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace collate {

// Something that will be true later. It lives at least until it has been ready once.
class Pending {
 public:
  virtual ~Pending() = default;
  // True once it has happened; cheap, never waits, may make progress.
  [[nodiscard]] virtual bool ready() = 0;
  // Waits (sleeping where ranks outnumber cores) until ready() may have become true; may return early.
  virtual void block() = 0;
};

// The thread of control of one operation: where it stands and what it waits for.
class StrandBase {
 public:
  StrandBase() = default;
  StrandBase(const StrandBase&) = delete;
  StrandBase& operator=(const StrandBase&) = delete;
  virtual ~StrandBase() = default;

  // Runs as far as it can without waiting; true once the whole operation is done.
  bool poll() {
    while (!done()) {
      if (pending_ != nullptr) {
        if (!pending_->ready()) return false;
        pending_ = nullptr;
      }
      current_.resume();
    }
    return true;
  }
  // Runs to the end, waiting where it must.
  void wait() {
    while (!poll()) pending_->block();
  }
  // What it waits for now; null before the start and after the end.
  [[nodiscard]] Pending* pending() const noexcept { return pending_; }
  [[nodiscard]] virtual bool done() const noexcept = 0;

  void suspend(std::coroutine_handle<> at, Pending* until) noexcept {
    current_ = at;
    pending_ = until;
  }

 protected:
  std::coroutine_handle<> current_;
  Pending* pending_ = nullptr;
};

struct PendingAwaiter {
  Pending* pending;
  StrandBase* strand;
  [[nodiscard]] bool await_ready() const { return pending->ready(); }
  void await_suspend(std::coroutine_handle<> here) const noexcept { strand->suspend(here, pending); }
  void await_resume() const noexcept {}
};

template <class T>
class [[nodiscard]] Task;

class TaskPromiseBase {
 public:
  struct FinalAwaiter {
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      const TaskPromiseBase& promise = self.promise();
      if (promise.continuation) promise.strand->suspend(promise.continuation, nullptr);
    }
    void await_resume() const noexcept {}
  };
  [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
  [[nodiscard]] FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() const noexcept { std::terminate(); }

  PendingAwaiter await_transform(Pending& pending) const noexcept { return {&pending, strand}; }
  template <class U>
  auto await_transform(Task<U>&& child) const noexcept {
    return std::move(child).awaiter(strand);
  }

  StrandBase* strand = nullptr;
  std::coroutine_handle<> continuation;
};

template <class T>
class TaskPromise : public TaskPromiseBase {
 public:
  Task<T> get_return_object() noexcept;
  template <class U>
  void return_value(U&& value) {
    result.emplace(std::forward<U>(value));
  }
  std::optional<T> result;
};

template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;
  explicit Task(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  struct Awaiter {
    std::coroutine_handle<promise_type> child;
    StrandBase* strand;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> parent) const noexcept {
      child.promise().strand = strand;
      child.promise().continuation = parent;
      strand->suspend(child, nullptr);
    }
    T await_resume() const { return std::move(*child.promise().result); }
  };
  // The child must outlive the await: it does, as the temporary lives to the end of the full expression.
  Awaiter awaiter(StrandBase* strand) && noexcept { return {handle_, strand}; }

  [[nodiscard]] std::coroutine_handle<promise_type> handle() const noexcept { return handle_; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

template <class T>
Task<T> TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}

template <class T>
class Strand final : public StrandBase {
 public:
  explicit Strand(Task<T> task) : task_(std::move(task)) {
    task_.handle().promise().strand = this;
    current_ = task_.handle();
  }
  [[nodiscard]] bool done() const noexcept override { return task_.handle().done(); }
  // The value; call once, after done().
  [[nodiscard]] T take() { return std::move(*task_.handle().promise().result); }

 private:
  Task<T> task_;
};

// Runs a task to its end and returns its value.
template <class T>
[[nodiscard]] T run(Task<T> task) {
  Strand<T> strand(std::move(task));
  strand.wait();
  return strand.take();
}

// Waits for several strands at once, polling each; `nap` is called when none can move.
class AllOf final : public Pending {
 public:
  AllOf(std::vector<StrandBase*> strands, void (*nap)()) : strands_(std::move(strands)), nap_(nap) {}
  [[nodiscard]] bool ready() override {
    bool all = true;
    for (StrandBase* strand : strands_) all = strand->poll() && all;
    return all;
  }
  void block() override { nap_(); }

 private:
  std::vector<StrandBase*> strands_;
  void (*nap_)();
};

}  // namespace collate
