// What can be asked of an open file, and handles that travel to Fortran and back.
#include <stdio.h>
#include <string.h>

#include "check.h"

static void try_handles(MPI_File file) {
  const MPI_Fint number = MPI_File_c2f(file);
  expect(MPI_File_f2c(number) == file, "a handle comes back from Fortran");
  expect(PMPI_File_f2c(PMPI_File_c2f(file)) == file, "also by its profiling names");
  expect(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL, "so does MPI_FILE_NULL");
}

static void try_view(MPI_File file) {
  MPI_Offset displacement = -1;
  MPI_Datatype etype = MPI_DATATYPE_NULL;
  MPI_Datatype filetype = MPI_DATATYPE_NULL;
  MPI_Datatype vector;
  char datarep[MPI_MAX_DATAREP_STRING] = "";
  int size = 0;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Aint lower = 0, extent = 0;
  expect_success(MPI_File_get_view(file, &displacement, &etype, &filetype, datarep), "asking the first view");
  expect(displacement == 0 && etype == MPI_BYTE && filetype == MPI_BYTE, "the first view is bytes");
  expect(strcmp(datarep, "native") == 0, "and native: %s", datarep);
  MPI_Type_vector(3, 2, 5, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  expect_success(MPI_File_set_view(file, 16, MPI_INT, vector, "internal", MPI_INFO_NULL), "setting a view");
  MPI_Type_free(&vector);
  expect_success(MPI_File_get_view(file, &displacement, &etype, &filetype, datarep), "asking the view");
  expect(displacement == 16 && etype == MPI_INT && strcmp(datarep, "internal") == 0, "the view is what was set");
  MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner);
  expect(combiner != MPI_COMBINER_NAMED, "the filetype is derived");
  MPI_Type_size(filetype, &size);
  MPI_Type_get_extent(filetype, &lower, &extent);
  expect(size == 24 && extent == 48, "the filetype has size %d and extent %ld", size, (long)extent);
  MPI_Type_free(&filetype);
  MPI_Offset byte = 0;
  expect_success(MPI_File_get_byte_offset(file, 3, &byte), "asking a byte offset");
  expect(byte == 16 + 6 * 4, "etype 3 is byte %lld", (long long)byte);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static void try_pointer(MPI_File file) {
  MPI_Offset at = -1;
  char bytes[10] = {0};
  expect_success(MPI_File_set_size(file, 100), "setting the size");
  MPI_File_seek(file, 7, MPI_SEEK_SET);
  MPI_File_read(file, bytes, 10, MPI_BYTE, MPI_STATUS_IGNORE);
  expect_success(MPI_File_get_position(file, &at), "asking the position");
  expect(at == 17, "the pointer is at 17: %lld", (long long)at);
  MPI_File_seek(file, -3, MPI_SEEK_CUR);
  MPI_File_get_position(file, &at);
  expect(at == 14, "the pointer is at 14: %lld", (long long)at);
  MPI_File_seek(file, -1, MPI_SEEK_END);
  MPI_File_get_position(file, &at);
  expect(at == 99, "the pointer is at 99: %lld", (long long)at);
}

static void try_sizes(MPI_File file) {
  MPI_Offset size = -1;
  int flag = -1;
  MPI_Aint extent = 0;
  expect_success(MPI_File_set_size(file, 1000), "setting the size");
  MPI_File_get_size(file, &size);
  expect(size == 1000, "the size is 1000: %lld", (long long)size);
  expect_success(MPI_File_preallocate(file, 5000), "reserving space");
  MPI_File_get_size(file, &size);
  expect(size == 5000, "reserving grows the file: %lld", (long long)size);
  expect_success(MPI_File_preallocate(file, 10), "reserving less");
  MPI_File_get_size(file, &size);
  expect(size == 5000, "and never shrinks it: %lld", (long long)size);
  expect_success(MPI_File_sync(file), "syncing");
  expect_success(MPI_File_get_atomicity(file, &flag), "asking the atomicity");
  expect(flag == 0, "files begin nonatomic");
  expect_success(MPI_File_set_atomicity(file, 7), "setting the atomicity");
  MPI_File_get_atomicity(file, &flag);
  expect(flag == 1, "any true value is true: %d", flag);
  MPI_File_set_atomicity(file, 0);
  expect_success(MPI_File_get_type_extent(file, MPI_DOUBLE, &extent), "asking an extent");
  expect(extent == 8, "a double takes 8 bytes: %ld", (long)extent);
}

static void try_group(MPI_File file, MPI_Comm comm, int amode) {
  MPI_Group mine, theirs;
  int same = MPI_UNEQUAL;
  int found = 0;
  expect_success(MPI_File_get_group(file, &theirs), "asking the group");
  MPI_Comm_group(comm, &mine);
  MPI_Group_compare(mine, theirs, &same);
  expect(same == MPI_IDENT, "the group is that of the communicator");
  MPI_Group_free(&mine);
  MPI_Group_free(&theirs);
  expect_success(MPI_File_get_amode(file, &found), "asking the mode");
  expect(found == amode, "the mode is %d: %d", amode, found);
}

static void expect_hint(MPI_File file, const char* key, const char* wanted) {
  MPI_Info info = MPI_INFO_NULL;
  char value[MPI_MAX_INFO_VAL] = "";
  int found = 0;
  int length = sizeof(value);
  expect_success(MPI_File_get_info(file, &info), "asking the hints");
  MPI_Info_get_string(info, key, &length, value, &found);
  expect(found && strcmp(value, wanted) == 0, "hint %s is %s: %s", key, wanted, found ? value : "missing");
  MPI_Info_free(&info);
}

static void try_info(MPI_File file) {
  MPI_Info info = MPI_INFO_NULL;
  expect_hint(file, "cb_buffer_size", "1048576");
  expect_hint(file, "romio_visibility_immediate", "true");
  MPI_Info_create(&info);
  MPI_Info_set(info, "ind_rd_buffer_size", "65536");
  expect_success(MPI_File_set_info(file, info), "setting hints");
  MPI_Info_free(&info);
  expect_hint(file, "ind_rd_buffer_size", "65536");
  expect_success(MPI_File_set_info(file, MPI_INFO_NULL), "setting no hints");
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  const int amode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File file = MPI_FILE_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm backward;
  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &backward);
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "1048576");
  expect_success(MPI_File_open(backward, path, amode, info, &file), "opening");
  MPI_Info_free(&info);
  try_group(file, backward, amode);
  MPI_Comm_free(&backward);
  try_handles(file);
  try_view(file);
  try_pointer(file);
  try_sizes(file);
  try_info(file);
  expect_success(MPI_File_close(&file), "closing");
  meet();
  FILE* left = fopen(path, "rb");
  expect(left == NULL, "a file that is to be deleted on close is gone");
  if (left != NULL) fclose(left);
  return conclude();
}
