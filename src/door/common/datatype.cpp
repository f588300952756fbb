// Remembers decoded datatypes: an attribute on derived ones, a table for predefined ones.
//
// The predefined table is filled once per type and never changes an entry, so readers take no lock; it holds
// 256 types, more than any MPI has, and a type that found no room would merely be decoded again.
#include "door/common/datatype.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

#include "door/common/contents.hpp"
#include "door/common/decode.hpp"
#include "door/common/native.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

class PredefinedTypes {
 public:
  [[nodiscard]] const layout::Type* find(std::uintptr_t key) const noexcept {
    for (std::size_t at = hash(key), tries = 0; tries < slots; at = (at + 1) % slots, ++tries) {
      const std::uintptr_t there = entries_[at].key.load(std::memory_order_acquire);
      if (there == key) return entries_[at].type.load(std::memory_order_acquire);
      if (there == 0) return nullptr;
    }
    return nullptr;
  }
  // Takes the type over.
  const layout::Type* insert(std::uintptr_t key, const layout::Type* type) {
    const std::lock_guard guard(changing_);
    for (std::size_t at = hash(key), tries = 0; tries < slots; at = (at + 1) % slots, ++tries) {
      Entry& entry = entries_[at];
      const std::uintptr_t there = entry.key.load(std::memory_order_relaxed);
      if (there == key) return entry.type.load(std::memory_order_relaxed);  // another thread was faster
      if (there != 0) continue;
      entry.type.store(type, std::memory_order_release);
      entry.key.store(key, std::memory_order_release);
      return type;
    }
    return type;
  }

 private:
  static constexpr std::size_t slots = 256;
  struct Entry {
    std::atomic<std::uintptr_t> key{0};
    std::atomic<const layout::Type*> type{nullptr};
  };
  [[nodiscard]] static std::size_t hash(std::uintptr_t key) noexcept { return ((key * 0x9E3779B97F4A7C15ull) >> 32) % slots; }
  std::array<Entry, slots> entries_{};
  std::mutex changing_;
};

constinit PredefinedTypes predefined;

extern "C" int collate_forget_type(MPI_Datatype, int, void* value, void*) {
  delete static_cast<const layout::Type*>(value);
  return MPI_SUCCESS;
}

extern "C" int collate_copy_no_type(MPI_Datatype, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

constinit std::atomic<int> keyval{MPI_KEYVAL_INVALID};
constinit std::mutex making_keyval;
constinit std::mutex keeping;

int type_keyval(const Native& mpi) {
  int known = keyval.load(std::memory_order_acquire);
  if (known != MPI_KEYVAL_INVALID) return known;
  const std::lock_guard guard(making_keyval);
  known = keyval.load(std::memory_order_acquire);
  if (known != MPI_KEYVAL_INVALID) return known;
  if (mpi.Type_create_keyval(collate_copy_no_type, collate_forget_type, &known, nullptr) != MPI_SUCCESS) return MPI_KEYVAL_INVALID;
  keyval.store(known, std::memory_order_release);
  return known;
}

Result<const layout::Type*> decode_and_keep(const Native& mpi, MPI_Datatype type, int key) {
  const auto combiner = combiner_of(type);
  if (!combiner) return combiner.error();
  auto decoding = decode(type);
  if (!decoding) return decoding.error();
  auto* kept = new layout::Type(std::move(*decoding));
  if (is_predefined(*combiner)) {
    const layout::Type* winner = predefined.insert(abi::key(type), kept);
    if (winner != kept) delete kept;
    return winner;
  }
  // Two threads may have decoded it at once: the first one's stays, as it may be in use already.
  const std::lock_guard guard(keeping);
  void* value = nullptr;
  int found = 0;
  if (mpi.Type_get_attr(type, key, &value, &found) == MPI_SUCCESS && found != 0) {
    delete kept;
    return static_cast<const layout::Type*>(value);
  }
  if (mpi.Type_set_attr(type, key, kept) != MPI_SUCCESS) {
    delete kept;
    return refusal(ErrorClass::type, ErrorDetail::none);
  }
  return static_cast<const layout::Type*>(kept);
}

}  // namespace

Result<const layout::Type*> decoded(MPI_Datatype type) {
  if (const layout::Type* known = predefined.find(abi::key(type))) return known;
  if (type == abi::datatype_null()) return refusal(ErrorClass::type, ErrorDetail::none);
  const Native& mpi = *native();
  const int key = type_keyval(mpi);
  if (key == MPI_KEYVAL_INVALID) return refusal(ErrorClass::internal, ErrorDetail::none);
  void* value = nullptr;
  int found = 0;
  if (mpi.Type_get_attr(type, key, &value, &found) != MPI_SUCCESS) return refusal(ErrorClass::type, ErrorDetail::none);
  if (found != 0) return static_cast<const layout::Type*>(value);
  return decode_and_keep(mpi, type, key);
}

}  // namespace collate::door
