// Many files at once, handles used again, regular types too large to list, and a program that forgets to close.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"

enum { many = 100 };

static void try_many_files(const char* path) {
  static MPI_File files[many];
  for (int i = 0; i < many; ++i) {
    expect_success(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &files[i]), "opening one of many");
  }
  for (int i = 0; i < many; i += 2) expect_success(MPI_File_close(&files[i]), "closing one of many");
  for (int i = 1; i < many; i += 2) {
    int value = i;
    expect_success(MPI_File_write_at(files[i], 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE), "writing to one that stayed open");
    expect_success(MPI_File_close(&files[i]), "closing the rest");
  }
}

static int open_descriptors(void) {
  int count = 0;
  for (int i = 0; i < 1024; ++i) {
    char name[64];
    FILE* found = NULL;
    snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", i);
    found = fopen(name, "r");
    if (found == NULL) continue;
    ++count;
    fclose(found);
  }
  return count;
}

static void try_no_leak(const char* path) {
  int before = 0;
  for (int i = 0; i < 40; ++i) {
    MPI_File file = MPI_FILE_NULL;
    expect_success(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file), "opening again");
    MPI_File_close(&file);
    if (i == 4) before = open_descriptors();
  }
  expect(open_descriptors() <= before, "no descriptor is left behind: %d, then %d", before, open_descriptors());
}

// 2^31 - 1 blocks of one byte: 16 GiB if it were listed. Two bytes of it are read.
static void try_huge_type(const char* path) {
  MPI_File file = MPI_FILE_NULL;
  MPI_Datatype vector, nested;
  MPI_Offset byte = -1;
  char bytes[2] = "";
  struct rusage usage;
  MPI_Type_vector(2147483647, 1, 2, MPI_BYTE, &vector);
  MPI_Type_create_hvector(1000, 1, 5000000000, vector, &nested);
  MPI_Type_commit(&nested);
  expect_success(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file), "opening");
  expect_success(MPI_File_set_view(file, 0, MPI_BYTE, nested, "native", MPI_INFO_NULL), "a view of a huge type");
  MPI_File_write_at(file, 1 + rank, "ab", 1, MPI_BYTE, MPI_STATUS_IGNORE);
  expect_success(MPI_File_read_at(file, 1 + rank, bytes, 1, MPI_BYTE, MPI_STATUS_IGNORE), "reading through it");
  expect(bytes[0] == 'a', "the byte is there");
  MPI_File_get_byte_offset(file, 2147483647LL * 3 + 5, &byte);
  expect(byte == 3 * 5000000000LL + 10, "a far byte is at %lld", (long long)byte);
  MPI_File_close(&file);
  MPI_Type_free(&nested);
  MPI_Type_free(&vector);
  getrusage(RUSAGE_SELF, &usage);
  expect(usage.ru_maxrss < 1000000, "no list was made: %ld kB", usage.ru_maxrss);
}

// A type's attribute goes with it: a new type under an old handle is not taken for the old one.
static void try_handles_again(const char* path) {
  MPI_File file = MPI_FILE_NULL;
  char out[64];
  char in[64];
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int i = 1; i < 32; ++i) {
    MPI_Datatype type;
    MPI_Type_contiguous(i, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    memset(out, i, sizeof(out));
    memset(in, 0, sizeof(in));
    MPI_File_write_at(file, 4096 * (rank + 1), out, 2, type, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 4096 * (rank + 1), in, 1, type, MPI_STATUS_IGNORE);
    expect(in[i - 1] == i && in[i] == 0, "a type of %d bytes moves %d bytes", i, i);
    MPI_Type_free(&type);
  }
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  MPI_File forgotten = MPI_FILE_NULL;
  try_many_files(path);
  try_no_leak(path);
  try_huge_type(path);
  try_handles_again(path);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &forgotten);
  meet();
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  return conclude();
}
