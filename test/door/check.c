// Counting and printing for the test programs of this folder; see check.h.
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int rank;
int ranks;
static int failures;

void expect(int holds, const char* format, ...) {
  if (holds) return;
  ++failures;
  if (failures > 20) return;
  va_list arguments;
  va_start(arguments, format);
  printf("rank %d of %d: not so: ", rank, ranks);
  vprintf(format, arguments);
  printf("\n");
  fflush(stdout);
  va_end(arguments);
}

void meet(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int step = 0; !done; ++step) {
    if (step > 0) usleep(step < 10 ? 1 : 50);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

static int class_of(int code) {
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
  return error_class;
}

static void text_of(int code, char* text) {
  int length = 0;
  text[0] = '\0';
  if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
}

void expect_success(int code, const char* what) { expect_class(code, MPI_SUCCESS, what); }

void expect_class(int code, int error_class, const char* what) {
  char text[MPI_MAX_ERROR_STRING + 1];
  text_of(code, text);
  expect(class_of(code) == error_class, "%s: error class %d, got %d (%s)", what, error_class, class_of(code), text);
}

int conclude(void) {
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (all > 0 && rank == 0) printf("%d failures\n", all);
  MPI_Finalize();
  return all > 0 ? 1 : 0;
}

const char* begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return *argc > 1 ? (*argv)[1] : "door_test.dat";
}
