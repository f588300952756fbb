// test/mpi/random_cases/mpi_types.hpp - the generator's datatypes as real MPI datatypes.
//
// The generator (support/random_types.hpp) writes every type it makes in words, such as
// "vector([2,1,3], named(4))"; here the words are read again and each constructor is called in the MPI.
//
//   MpiType type("vector([2,1,3], named(4))");
//   MPI_File_set_view(file, 0, MPI_INT, type.get(), "native", MPI_INFO_NULL);
//   type.agrees(twin.naive.map, {twin.naive.lower, twin.naive.extent});   // the MPI sees the same bytes and bounds
// The types are committed, and freed with the object; one that the MPI refuses to make is null and agrees with nothing
// (MPI_COMM_WORLD and MPI_COMM_SELF must return errors). Words that are not understood end the program: generator and
// reader have to know the same constructors. Thread rule: one thread.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace collate::sim {

class MpiType {
 public:
  explicit MpiType(std::string_view text);
  MpiType(const MpiType&) = delete;
  MpiType& operator=(const MpiType&) = delete;
  MpiType(MpiType&& other) noexcept;
  MpiType& operator=(MpiType&&) = delete;
  ~MpiType();

  [[nodiscard]] MPI_Datatype get() const { return type_; }
  // Bounds and, as MPI_Pack shows them, bytes in type-map order. MPIs see some nested types otherwise than the
  // standard's text has it, such as a struct with a resized element and others.
  struct Bounds {
    Offset lower = 0;
    Length extent = 0;
  };
  [[nodiscard]] bool agrees(const std::vector<Offset>& map, Bounds bounds) const;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::vector<MPI_Datatype> made_;  // to be freed
};

}  // namespace collate::sim
