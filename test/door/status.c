// Status: how much was really moved, in the caller's units, also at the end of the file.
#include <stddef.h>

#include "check.h"

static MPI_Status fresh(void) {
  MPI_Status status;
  unsigned char* bytes = (unsigned char*)&status;
  for (unsigned i = 0; i < sizeof(status); ++i) bytes[i] = 0xff;
  return status;
}

static void expect_count(MPI_Status* status, MPI_Datatype type, int count, int elements, const char* what) {
  int found = -7;
  int cancelled = -7;
  MPI_Count parts = -7;
  MPI_Get_count(status, type, &found);
  expect(found == count, "%s: count %d, got %d", what, count, found);
  MPI_Get_elements_x(status, type, &parts);
  expect(parts == elements, "%s: elements %d, got %d", what, elements, (int)parts);
  MPI_Test_cancelled(status, &cancelled);
  expect(cancelled == 0, "%s: not cancelled", what);
}

static void try_end_of_file(MPI_File file, int together) {
  int numbers[64];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Status status = fresh();
  if (together) MPI_File_read_at_all(file, 40, numbers, 10, MPI_INT, &status);
  else MPI_File_read_at(file, 40, numbers, 10, MPI_INT, &status);
  expect_count(&status, MPI_INT, 10, 10, "inside the file");
  status = fresh();
  if (together) MPI_File_read_at_all(file, 80, numbers, 20, MPI_INT, &status);
  else MPI_File_read_at(file, 80, numbers, 20, MPI_INT, &status);
  expect_count(&status, MPI_INT, 5, 5, "over the end");
  status = fresh();
  if (together) MPI_File_read_at_all(file, 80, numbers, 10, pair, &status);
  else MPI_File_read_at(file, 80, numbers, 10, pair, &status);
  expect_count(&status, pair, MPI_UNDEFINED, 5, "half a pair");
  status = fresh();
  if (together) MPI_File_read_at_all(file, 1000, numbers, 10, MPI_INT, &status);
  else MPI_File_read_at(file, 1000, numbers, 10, MPI_INT, &status);
  expect_count(&status, MPI_INT, 0, 0, "behind the end");
  status = fresh();
  if (together) MPI_File_read_at_all(file, 0, NULL, 0, MPI_INT, &status);
  else MPI_File_read_at(file, 0, NULL, 0, MPI_INT, &status);
  expect_count(&status, MPI_INT, 0, 0, "nothing");
  if (together) expect_success(MPI_File_read_at_all(file, 0, numbers, 1, MPI_INT, MPI_STATUS_IGNORE), "no status");
  else expect_success(MPI_File_read_at(file, 0, numbers, 1, MPI_INT, MPI_STATUS_IGNORE), "no status");
  MPI_Type_free(&pair);
}

// A strided view whose last tile is cut by the end of the file.
static void try_strided_end(MPI_File file, int together) {
  int numbers[64];
  MPI_Datatype every_second;
  MPI_Type_create_resized(MPI_INT, 0, 8, &every_second);
  MPI_Type_commit(&every_second);
  MPI_File_set_view(file, 0, MPI_INT, every_second, "native", MPI_INFO_NULL);
  MPI_Status status = fresh();
  if (together) MPI_File_read_at_all(file, 10, numbers, 20, MPI_INT, &status);
  else MPI_File_read_at(file, 10, numbers, 20, MPI_INT, &status);
  expect_count(&status, MPI_INT, 3, 3, "a strided view over the end");
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_Type_free(&every_second);
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  char bytes[100] = {0};
  MPI_File file = MPI_FILE_NULL;
  MPI_Status status = fresh();
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  MPI_File_write_at_all(file, 0, bytes, rank == 0 ? 100 : 0, MPI_BYTE, &status);
  expect_count(&status, MPI_BYTE, rank == 0 ? 100 : 0, rank == 0 ? 100 : 0, "a collective write");
  meet();
  try_end_of_file(file, 0);
  try_end_of_file(file, 1);
  try_strided_end(file, 0);
  try_strided_end(file, 1);
  MPI_File_close(&file);
  return conclude();
}
