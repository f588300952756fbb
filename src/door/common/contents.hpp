// door/common/contents.hpp - how an MPI datatype was made: MPI_Type_get_envelope and _get_contents as one value.
//
// Large-count constructors keep their arguments elsewhere than the others; here both have the same order, that
// of MPI_Type_get_contents without _c: `numbers` are its integers (counts widened to 64 bits), `places` its
// addresses, `types` its datatypes.
//   MPI_Type_vector(3, 2, 4, MPI_INT) -> combiner VECTOR, numbers {3, 2, 4}, places {}, types {MPI_INT}
// The datatypes are released with the Contents. Thread rule: plain values.
#pragma once

#include <mpi.h>

#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace collate::door {

struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<Count> numbers;
  std::vector<Offset> places;
  std::vector<MPI_Datatype> types;

  Contents() = default;
  Contents(Contents&&) = default;
  Contents& operator=(Contents&&) = delete;
  ~Contents();
};

// Only the combiner: cheap.
[[nodiscard]] Result<int> combiner_of(MPI_Datatype type);
[[nodiscard]] Result<Contents> contents_of(MPI_Datatype type);

// Predefined types and those that MPI_Type_create_f90_* returns have nothing inside and are not to be freed.
[[nodiscard]] constexpr bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
         combiner == MPI_COMBINER_F90_INTEGER;
}

}  // namespace collate::door
