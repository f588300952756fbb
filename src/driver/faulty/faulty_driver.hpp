// driver/faulty/faulty_driver.hpp - a decorator that makes any driver fail where a test wants it to.
//
// Three kinds of trouble, freely combined: the Nth call of a kind fails with an errno, once or from then on;
// every transfer is cut into random smaller ones (seeded); nothing can be written at or beyond a byte, as on a
// full disk. With an empty plan it passes everything through and counts. Faults keep what an operating system
// would keep: a failed open opens nothing, a failed transfer, map, resize, preallocate or sync does nothing, a
// failed unlock or close has released all the same, guarded work that fails has not run, a disk that is full
// from byte X has taken the bytes below X.
//
// A test walks through all places where a program can fail, knowing none of them:
//
//   for (Count n = 1;; ++n) {
//     auto record = std::make_shared<FaultRecord>();
//     run_the_program(make_faulty_driver(inner(), {.faults = {{Call::any, n, EIO}}}, record));
//     if (record->injected() == 0) break;   // it makes fewer than n calls
//     check_that_everybody_got_the_error();
//   }
//
// Thread rule: as port/file_driver.hpp; calls are numbered in the order they arrive.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <vector>

#include "port/file_driver.hpp"

namespace collate::driver {

// The calls that can fail. `any` stands for every kind, numbered together.
enum class Call : std::uint8_t { open, remove, read, write, map, guarded, lock, unlock, size, resize, preallocate, sync, close, any };
inline constexpr std::size_t call_kinds = static_cast<std::size_t>(Call::any) + 1;

struct Fault {
  Call call = Call::any;
  Count number = 1;  // the first, second, ... call of that kind
  int system_error = EIO;
  bool from_then_on = false;
};

struct FaultPlan {
  std::vector<Fault> faults = {};
  Length largest_piece = 0;  // > 0: transfers are cut into pieces of 1 to this many bytes
  std::uint64_t seed = 1;
  Offset full_from = -1;     // >= 0: no room at or beyond this byte
};

// What has happened so far; shared between a test and the driver.
class FaultRecord {
 public:
  [[nodiscard]] Count calls(Call call = Call::any) const { return calls_[static_cast<std::size_t>(call)].load(); }
  [[nodiscard]] Count injected() const { return injected_.load(); }
  [[nodiscard]] Count pieces() const { return pieces_.load(); }  // inner transfers made

 private:
  friend class FaultSource;
  std::array<std::atomic<Count>, call_kinds> calls_{};
  std::atomic<Count> injected_{0};
  std::atomic<Count> pieces_{0};
};

// `record` may be null.
[[nodiscard]] std::unique_ptr<port::FileDriver> make_faulty_driver(std::unique_ptr<port::FileDriver> inner, FaultPlan plan,
                                                                   std::shared_ptr<FaultRecord> record = nullptr);

}  // namespace collate::driver
