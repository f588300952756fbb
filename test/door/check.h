// Counts what a test program found wrong and prints it, rank and all. No macros: say what was checked.
//
//   expect(rank == 3, "rank is %d", rank);
//   expect_class(code, MPI_ERR_AMODE, "opening with two modes");
//   return conclude();      // collective: prints nothing when all is well, 1 on every rank when not
#pragma once

#include <mpi.h>

void expect(int holds, const char* format, ...) __attribute__((format(printf, 2, 3)));
void expect_success(int code, const char* what);
void expect_class(int code, int error_class, const char* what);
int conclude(void);

// A barrier that sleeps: MPI_Barrier costs a time slice where ranks share cores.
void meet(void);

// The rank and size of MPI_COMM_WORLD, set by begin().
extern int rank;
extern int ranks;

// MPI_Init, and errors of communicators returned instead of fatal. Gives the test's file name.
const char* begin(int* argc, char*** argv);
