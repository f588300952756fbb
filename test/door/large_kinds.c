// The constructors with MPI_Count arguments: their contents are laid out differently from the others'.
#include "check.h"
#include "kinds.h"

static MPI_Datatype of_contiguous(void) {
  MPI_Datatype type;
  MPI_Type_contiguous_c(5, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_vector(void) {
  MPI_Datatype type;
  MPI_Type_vector_c(4, 2, 5, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_hvector(void) {
  MPI_Datatype type;
  MPI_Type_create_hvector_c(3, 2, 13, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_indexed(void) {
  const MPI_Count blocks[] = {2, 0, 1, 3};
  const MPI_Count places[] = {1, 2, 5, 9};
  MPI_Datatype type;
  MPI_Type_indexed_c(4, blocks, places, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_hindexed(void) {
  const MPI_Count blocks[] = {1, 4, 2};
  const MPI_Count places[] = {3, 9, 101};
  MPI_Datatype type;
  MPI_Type_create_hindexed_c(3, blocks, places, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_indexed_block(void) {
  const MPI_Count places[] = {0, 4, 6, 11};
  MPI_Datatype type;
  MPI_Type_create_indexed_block_c(4, 2, places, MPI_CHAR, &type);
  return type;
}

static MPI_Datatype of_hindexed_block(void) {
  const MPI_Count places[] = {2, 7, 40};
  MPI_Datatype type;
  MPI_Type_create_hindexed_block_c(3, 3, places, MPI_CHAR, &type);
  return type;
}

static MPI_Datatype of_struct(void) {
  const MPI_Count blocks[] = {1, 1, 3};
  const MPI_Count places[] = {0, 8, 16};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype type;
  MPI_Type_create_struct_c(3, blocks, places, types, &type);
  return type;
}

static MPI_Datatype of_subarray(void) {
  const MPI_Count sizes[] = {5, 7};
  const MPI_Count parts[] = {3, 4};
  const MPI_Count starts[] = {2, 1};
  MPI_Datatype type;
  MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_darray(void) {
  const MPI_Count global[] = {9, 7};
  const int ways[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  const int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  const int processes[] = {2, 2};
  MPI_Datatype type;
  MPI_Type_create_darray_c(4, rank % 4, 2, global, ways, arguments, processes, MPI_ORDER_C, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_resized(void) {
  MPI_Datatype type;
  MPI_Type_create_resized_c(MPI_INT, 0, 12, &type);
  return type;
}

static MPI_Datatype of_value_index(void) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_get_value_index(MPI_FLOAT, MPI_INT, &type);
  return type;
}

const struct kind more_kinds[] = {
    {"contiguous_c", of_contiguous, ascending | derived},
    {"vector_c", of_vector, ascending | derived},
    {"hvector_c", of_hvector, ascending | derived},
    {"indexed_c", of_indexed, ascending | derived},
    {"hindexed_c", of_hindexed, ascending | derived},
    {"indexed_block_c", of_indexed_block, ascending | derived},
    {"hindexed_block_c", of_hindexed_block, ascending | derived},
    {"struct_c", of_struct, ascending | derived},
    {"subarray_c", of_subarray, ascending | derived},
    {"darray_c", of_darray, ascending | derived},
    {"resized_c", of_resized, ascending | derived},
    {"value-index pair known by name", of_value_index, ascending},
    {0, 0, 0},
};
