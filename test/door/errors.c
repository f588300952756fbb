// Errors: the class that the standard names, on every rank, with a sentence; whoever causes them.
#include <stdio.h>
#include <string.h>

#include "check.h"

static MPI_File open_or_stop(const char* path, int amode) {
  MPI_File file = MPI_FILE_NULL;
  expect_success(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &file), "opening");
  return file;
}

static void expect_open_fails(const char* path, int amode, int error_class, const char* what) {
  MPI_File file = MPI_FILE_NULL;
  const int code = MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &file);
  expect_class(code, error_class, what);
  expect(file == MPI_FILE_NULL, "%s leaves MPI_FILE_NULL", what);
}

static void try_opening(const char* path) {
  char missing[512];
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  MPI_File file = MPI_FILE_NULL;
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  meet();
  snprintf(missing, sizeof(missing), "%s.missing/x", path);
  expect_open_fails(path, MPI_MODE_RDWR, MPI_ERR_NO_SUCH_FILE, "opening what is not there");
  expect_open_fails(missing, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_ERR_NO_SUCH_FILE, "creating in a missing directory");
  expect_open_fails(path, MPI_MODE_RDWR | MPI_MODE_RDONLY, MPI_ERR_AMODE, "opening with two modes");
  expect_open_fails(path, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_ERR_AMODE, "creating for reading");
  expect_open_fails(path, 1 << 20, MPI_ERR_AMODE, "opening with an unknown mode");
  expect_open_fails("", MPI_MODE_RDONLY, MPI_ERR_BAD_FILE, "opening without a name");
  if (ranks > 1) {
    const int mine = rank == ranks - 1 ? MPI_MODE_RDONLY : MPI_MODE_RDWR;
    expect_open_fails(path, mine, MPI_ERR_NOT_SAME, "opening with different modes");
    const int only_mine = rank == ranks - 1 ? 1 << 20 : MPI_MODE_RDWR | MPI_MODE_CREATE;
    expect_open_fails(path, only_mine, MPI_ERR_AMODE, "a bad mode on one rank");
  }
  const int code = MPI_File_open(MPI_COMM_WORLD, missing, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Error_string(code, text, &length);
  expect(strstr(text, missing) != NULL, "the sentence names the file: %s", text);
  expect_class(MPI_File_open(MPI_COMM_NULL, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_COMM, "opening on no communicator");
  expect_class(MPI_File_delete(missing, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE, "deleting what is not there");
}

static void try_modes(const char* path) {
  int value = rank;
  MPI_File file = open_or_stop(path, MPI_MODE_RDWR | MPI_MODE_CREATE);
  MPI_File_close(&file);
  expect(file == MPI_FILE_NULL, "closing leaves MPI_FILE_NULL");
  expect_open_fails(path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_ERR_FILE_EXISTS, "creating what is there");
  file = open_or_stop(path, MPI_MODE_RDONLY);
  expect_class(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY, "writing what is open for reading");
  expect_class(MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY, "the same together");
  expect_class(MPI_File_set_size(file, 4), MPI_ERR_READ_ONLY, "resizing what is open for reading");
  MPI_File_close(&file);
  file = open_or_stop(path, MPI_MODE_WRONLY);
  expect_class(MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS, "reading what is open for writing");
  expect_class(MPI_File_read_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS, "the same together");
  MPI_File_close(&file);
}

// What one rank alone does wrong is told to all.
static void try_one_culprit(MPI_File file) {
  int value[4] = {0};
  const int culprit = rank == ranks / 2;
  const MPI_Datatype type = culprit ? MPI_DATATYPE_NULL : MPI_INT;
  expect_class(MPI_File_write_at_all(file, 0, value, culprit ? -1 : 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT, "a negative count");
  expect_class(MPI_File_write_at_all(file, 0, value, 1, type, MPI_STATUS_IGNORE), MPI_ERR_TYPE, "no datatype");
  expect_class(MPI_File_read_at_all(file, culprit ? -8 : 0, value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, "a negative offset");
  expect_class(MPI_File_set_size(file, culprit ? -1 : 100), MPI_ERR_ARG, "a negative size");
  if (ranks > 1) expect_class(MPI_File_set_size(file, culprit ? 200 : 100), MPI_ERR_NOT_SAME, "different sizes");
  expect_success(MPI_File_write_at_all(file, rank * 4, value, 1, MPI_INT, MPI_STATUS_IGNORE), "all well again");
}

static void try_arguments(MPI_File file) {
  int value = 0;
  MPI_Datatype three;
  MPI_Type_contiguous(3, MPI_BYTE, &three);
  MPI_Type_commit(&three);
  expect_class(MPI_File_write_at(file, 0, &value, -1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT, "a negative count");
  expect_class(MPI_File_write_at(file, 0, &value, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE), MPI_ERR_TYPE, "no datatype");
  expect_class(MPI_File_write_at(file, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, "a negative offset");
  expect_class(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG, "seeking before the file");
  expect_class(MPI_File_seek(file, 0, 12345), MPI_ERR_ARG, "seeking from nowhere");
  expect_class(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP, "external32");
  expect_class(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP, "an unknown datarep");
  expect_class(MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE, "a view without etype");
  expect_class(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG, "a view from the current place");
  expect(MPI_File_set_view(file, 0, MPI_INT, three, "native", MPI_INFO_NULL) != MPI_SUCCESS, "a filetype of parts of etypes is refused");
  expect_success(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), "all well again");
  MPI_Type_free(&three);
}

// /dev/full takes no byte: the disk is full for everybody.
static void try_full_disk(void) {
  char buffer[64] = {0};
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) return;
  expect_class(MPI_File_write_at(file, 0, buffer, 64, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE, "a full disk");
  expect_class(MPI_File_write_at_all(file, 64 * rank, buffer, rank == 0 ? 64 : 0, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE, "a full disk for one rank");
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  try_opening(path);
  try_modes(path);
  MPI_File file = open_or_stop(path, MPI_MODE_RDWR);
  try_one_culprit(file);
  try_arguments(file);
  MPI_File_close(&file);
  try_full_disk();
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  return conclude();
}
