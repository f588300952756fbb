// Reads envelopes and contents, with large counts where the MPI has them.
//
// An MPI with large counts refuses to tell a large type's contents through the old call, and tells an old
// type's contents through the new one without large counts; so the new one is used wherever it exists and its
// large numbers are put where the old call has them.
#include "door/common/contents.hpp"

#include <algorithm>

#include "door/common/native.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

struct Sizes {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count large_counts = 0;
  MPI_Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

struct Raw {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> large_counts;
};

// Templates, so that code for functions that an ABI lacks is never looked at.
template <class Table>
concept HasLargeCounts = requires(const Table& table) { table.Type_get_contents_c; };

template <class Table>
bool envelope(const Table& mpi, MPI_Datatype type, Sizes& sizes) {
  if constexpr (HasLargeCounts<Table>) {
    if (mpi.Type_get_envelope_c != nullptr) {
      return mpi.Type_get_envelope_c(type, &sizes.integers, &sizes.addresses, &sizes.large_counts, &sizes.types, &sizes.combiner) == MPI_SUCCESS;
    }
  }
  int integers = 0;
  int addresses = 0;
  int types = 0;
  if (mpi.Type_get_envelope(type, &integers, &addresses, &types, &sizes.combiner) != MPI_SUCCESS) return false;
  sizes.integers = integers;
  sizes.addresses = addresses;
  sizes.types = types;
  return true;
}

template <class Table>
bool read_contents(const Table& mpi, MPI_Datatype type, const Sizes& sizes, Raw& raw, std::vector<MPI_Datatype>& types) {
  raw.integers.resize(static_cast<std::size_t>(sizes.integers));
  raw.addresses.resize(static_cast<std::size_t>(sizes.addresses));
  raw.large_counts.resize(static_cast<std::size_t>(sizes.large_counts));
  types.resize(static_cast<std::size_t>(sizes.types), abi::datatype_null());
  if constexpr (HasLargeCounts<Table>) {
    if (mpi.Type_get_contents_c != nullptr) {
      return mpi.Type_get_contents_c(type, sizes.integers, sizes.addresses, sizes.large_counts, sizes.types, raw.integers.data(),
                                     raw.addresses.data(), raw.large_counts.data(), types.data()) == MPI_SUCCESS;
    }
  }
  return mpi.Type_get_contents(type, static_cast<int>(sizes.integers), static_cast<int>(sizes.addresses),
                               static_cast<int>(sizes.types), raw.integers.data(), raw.addresses.data(), types.data()) == MPI_SUCCESS;
}

// How many of a type's large counts are displacements in bytes, which the old call tells as addresses.
std::size_t byte_displacements(int combiner, const std::vector<MPI_Count>& large) {
  switch (combiner) {
    case MPI_COMBINER_HVECTOR: return 1;
    case MPI_COMBINER_RESIZED: return 2;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT: return static_cast<std::size_t>(large.front());
    default: return 0;
  }
}

// Displacements come last in every such list. The integers of a subarray are {dimensions, order}, of a darray
// {size, rank, dimensions, ..., order}: the large ones belong after the dimensions.
void merge_large(const Raw& raw, Contents& contents) {
  const std::size_t displacements = byte_displacements(contents.combiner, raw.large_counts);
  const std::size_t split = raw.large_counts.size() - displacements;
  const auto middle = raw.large_counts.begin() + static_cast<std::ptrdiff_t>(split);
  contents.places.insert(contents.places.end(), middle, raw.large_counts.end());
  std::ptrdiff_t before = 0;
  if (contents.combiner == MPI_COMBINER_SUBARRAY) before = 1;
  if (contents.combiner == MPI_COMBINER_DARRAY) before = 3;
  contents.numbers.insert(contents.numbers.begin() + before, raw.large_counts.begin(), middle);
}

}  // namespace

Contents::~Contents() {
  for (MPI_Datatype& type : types) {
    const auto made_by = combiner_of(type);
    if (made_by && !is_predefined(*made_by)) native()->Type_free(&type);
  }
}

Result<int> combiner_of(MPI_Datatype type) {
  Sizes sizes;
  if (type == abi::datatype_null() || !envelope(*native(), type, sizes)) return refusal(ErrorClass::type, ErrorDetail::none);
  return sizes.combiner;
}

Result<Contents> contents_of(MPI_Datatype type) {
  Sizes sizes;
  Raw raw;
  Contents contents;
  if (!envelope(*native(), type, sizes)) return refusal(ErrorClass::type, ErrorDetail::none);
  contents.combiner = sizes.combiner;
  if (!read_contents(*native(), type, sizes, raw, contents.types)) return refusal(ErrorClass::type, ErrorDetail::none);
  contents.numbers.assign(raw.integers.begin(), raw.integers.end());
  contents.places.assign(raw.addresses.begin(), raw.addresses.end());
  if (!raw.large_counts.empty()) merge_large(raw, contents);
  return contents;
}

}  // namespace collate::door
