// One maker per datatype constructor of MPI-5.0 chapter 5; see kinds.h.
#include "kinds.h"

#include <stddef.h>

#include "check.h"

static MPI_Datatype of_int(void) { return MPI_INT; }
static MPI_Datatype of_short_int(void) { return MPI_SHORT_INT; }
static MPI_Datatype of_double_int(void) { return MPI_DOUBLE_INT; }
static MPI_Datatype of_long_int(void) { return MPI_LONG_INT; }
static MPI_Datatype of_float_int(void) { return MPI_FLOAT_INT; }
static MPI_Datatype of_2int(void) { return MPI_2INT; }
static MPI_Datatype of_long_double_int(void) { return MPI_LONG_DOUBLE_INT; }
static MPI_Datatype of_long_double(void) { return MPI_LONG_DOUBLE; }

static MPI_Datatype of_contiguous(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(5, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_vector(void) {
  MPI_Datatype type;
  MPI_Type_vector(4, 2, 5, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_dense_vector(void) {
  MPI_Datatype type;
  MPI_Type_vector(4, 3, 3, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_backward_vector(void) {
  MPI_Datatype type;
  MPI_Type_vector(4, 2, -3, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_hvector(void) {
  MPI_Datatype type;
  MPI_Type_create_hvector(3, 2, 13, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_indexed(void) {
  const int blocks[] = {2, 0, 1, 3};
  const int places[] = {1, 2, 5, 9};
  MPI_Datatype type;
  MPI_Type_indexed(4, blocks, places, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_unordered_indexed(void) {
  const int blocks[] = {2, 1, 3};
  const int places[] = {9, -4, 2};
  MPI_Datatype type;
  MPI_Type_indexed(3, blocks, places, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_hindexed(void) {
  const int blocks[] = {1, 4, 2};
  const MPI_Aint places[] = {3, 9, 101};
  MPI_Datatype type;
  MPI_Type_create_hindexed(3, blocks, places, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_indexed_block(void) {
  const int places[] = {0, 4, 6, 11};
  MPI_Datatype type;
  MPI_Type_create_indexed_block(4, 2, places, MPI_CHAR, &type);
  return type;
}

static MPI_Datatype of_hindexed_block(void) {
  const MPI_Aint places[] = {2, 7, 40};
  MPI_Datatype type;
  MPI_Type_create_hindexed_block(3, 3, places, MPI_CHAR, &type);
  return type;
}

struct record {
  char letter;
  double number;
  int three[3];
};

static MPI_Datatype of_struct(void) {
  const int blocks[] = {1, 1, 3};
  const MPI_Aint places[] = {offsetof(struct record, letter), offsetof(struct record, number), offsetof(struct record, three)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype type;
  MPI_Type_create_struct(3, blocks, places, types, &type);
  return type;
}

static MPI_Datatype of_struct_of_derived(void) {
  MPI_Datatype inner[] = {of_vector(), of_struct(), MPI_SHORT_INT};
  const int blocks[] = {2, 1, 2};
  const MPI_Aint places[] = {4, 160, 240};
  MPI_Datatype type;
  MPI_Type_create_struct(3, blocks, places, inner, &type);
  MPI_Type_free(&inner[0]);
  MPI_Type_free(&inner[1]);
  return type;
}

static MPI_Datatype of_subarray(void) {
  const int sizes[] = {4, 5, 6};
  const int parts[] = {2, 3, 2};
  const int starts[] = {1, 1, 3};
  MPI_Datatype type;
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_fortran_subarray(void) {
  const int sizes[] = {5, 7};
  const int parts[] = {3, 4};
  const int starts[] = {2, 1};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_SHORT, &type);
  return type;
}

static MPI_Datatype of_darray_in(int order) {
  const int global[] = {9, 7, 5};
  const int ways[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
  const int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  const int processes[] = {2, 2, 1};
  MPI_Datatype type;
  MPI_Type_create_darray(4, rank % 4, 3, global, ways, arguments, processes, order, MPI_INT, &type);
  return type;
}

static MPI_Datatype of_darray(void) { return of_darray_in(MPI_ORDER_C); }
static MPI_Datatype of_fortran_darray(void) { return of_darray_in(MPI_ORDER_FORTRAN); }

static MPI_Datatype of_resized(void) {
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, 12, &type);
  return type;
}

static MPI_Datatype of_negative_bound(void) {
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, -8, 24, &type);
  return type;
}

static MPI_Datatype of_dup(void) {
  MPI_Datatype vector = of_vector();
  MPI_Datatype type;
  MPI_Type_dup(vector, &type);
  MPI_Type_free(&vector);
  return type;
}

static MPI_Datatype of_vector_of_pairs(void) {
  MPI_Datatype type;
  MPI_Type_vector(3, 2, 3, MPI_DOUBLE_INT, &type);
  return type;
}

static MPI_Datatype of_contiguous_of_resized(void) {
  MPI_Datatype inner = of_resized();
  MPI_Datatype type;
  MPI_Type_contiguous(6, inner, &type);
  MPI_Type_free(&inner);
  return type;
}

static MPI_Datatype of_nested(void) {
  MPI_Datatype inner = of_subarray();
  MPI_Datatype middle;
  MPI_Datatype type;
  MPI_Type_vector(2, 1, 2, inner, &middle);
  MPI_Type_create_hvector(2, 1, 2500, middle, &type);
  MPI_Type_free(&inner);
  MPI_Type_free(&middle);
  return type;
}

const struct kind kinds[] = {
    {"int", of_int, ascending},
    {"long double", of_long_double, ascending},
    {"short-int pair", of_short_int, ascending},
    {"double-int pair", of_double_int, ascending},
    {"long-int pair", of_long_int, ascending},
    {"float-int pair", of_float_int, ascending},
    {"two ints", of_2int, ascending},
    {"long double-int pair", of_long_double_int, ascending},
    {"contiguous", of_contiguous, ascending | derived},
    {"vector", of_vector, ascending | derived},
    {"vector without gaps", of_dense_vector, ascending | derived},
    {"vector going backward", of_backward_vector, derived},
    {"hvector", of_hvector, ascending | derived},
    {"indexed with an empty block", of_indexed, ascending | derived},
    {"indexed out of order", of_unordered_indexed, derived},
    {"hindexed", of_hindexed, ascending | derived},
    {"indexed_block", of_indexed_block, ascending | derived},
    {"hindexed_block", of_hindexed_block, ascending | derived},
    {"struct", of_struct, ascending | derived},
    {"struct of derived types", of_struct_of_derived, ascending | derived},
    {"subarray", of_subarray, ascending | derived},
    {"Fortran subarray", of_fortran_subarray, ascending | derived},
    {"darray", of_darray, ascending | derived},
    {"Fortran darray", of_fortran_darray, ascending | derived},
    {"resized", of_resized, ascending | derived},
    {"negative lower bound", of_negative_bound, derived},
    {"dup", of_dup, ascending | derived},
    {"vector of pairs", of_vector_of_pairs, ascending | derived},
    {"contiguous of resized", of_contiguous_of_resized, ascending | derived},
    {"hvector of vector of subarray", of_nested, ascending | derived},
    {0, 0, 0},
};
