// Not ours: with COLLATE=off, or on a file that the MPI opened itself, every call reaches the MPI. Nonblocking
// access tells who answers: the MPI has it.
//   native FILE        with COLLATE=off in the environment
#include <stddef.h>

#include "check.h"

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  MPI_File file = MPI_FILE_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  int out = 100 + rank;
  int in = 0;
  expect_success(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file), "opening");
  expect_success(MPI_File_iwrite_at(file, 4 * rank, &out, 1, MPI_INT, &request), "writing without waiting");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_success(MPI_File_read_at(file, 4 * rank, &in, 1, MPI_INT, MPI_STATUS_IGNORE), "reading");
  expect(in == out, "%d was written and %d read", out, in);
  expect_success(MPI_File_close(&file), "closing");
  return conclude();
}
