// What is not there yet says so, through the file's handler, and leaves nothing half done.
#include <stddef.h>

#include "check.h"

static int calls;

static void count_call(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++calls;
}

static void expect_missing(int code, const char* what) {
  expect_class(code, MPI_ERR_UNSUPPORTED_OPERATION, what);
  expect(calls == 1, "%s: the handler is called once, not %d times", what, calls);
  calls = 0;
}

static void expect_no_request(int code, MPI_Request* request, const char* what) {
  expect_missing(code, what);
  expect(*request == MPI_REQUEST_NULL, "%s leaves no request", what);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void try_nonblocking(MPI_File file) {
  int value = 0;
  MPI_Request request;
  expect_no_request(MPI_File_iread_at(file, 0, &value, 1, MPI_INT, &request), &request, "iread_at");
  expect_no_request(MPI_File_iwrite_at(file, 0, &value, 1, MPI_INT, &request), &request, "iwrite_at");
  expect_no_request(MPI_File_iread(file, &value, 1, MPI_INT, &request), &request, "iread");
  expect_no_request(MPI_File_iwrite(file, &value, 1, MPI_INT, &request), &request, "iwrite");
  expect_no_request(MPI_File_iread_all(file, &value, 1, MPI_INT, &request), &request, "iread_all");
  expect_no_request(MPI_File_iwrite_all(file, &value, 1, MPI_INT, &request), &request, "iwrite_all");
  expect_no_request(MPI_File_iread_at_all(file, 0, &value, 1, MPI_INT, &request), &request, "iread_at_all");
  expect_no_request(MPI_File_iwrite_at_all(file, 0, &value, 1, MPI_INT, &request), &request, "iwrite_at_all");
  expect_no_request(MPI_File_iread_shared(file, &value, 1, MPI_INT, &request), &request, "iread_shared");
  expect_no_request(MPI_File_iwrite_shared(file, &value, 1, MPI_INT, &request), &request, "iwrite_shared");
}

static void try_shared(MPI_File file) {
  int value = 0;
  MPI_Offset at = 0;
  MPI_Status status;
  expect_missing(MPI_File_read_shared(file, &value, 1, MPI_INT, &status), "read_shared");
  expect_missing(MPI_File_write_shared(file, &value, 1, MPI_INT, &status), "write_shared");
  expect_missing(MPI_File_read_ordered(file, &value, 1, MPI_INT, &status), "read_ordered");
  expect_missing(MPI_File_write_ordered(file, &value, 1, MPI_INT, &status), "write_ordered");
  expect_missing(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
  expect_missing(MPI_File_get_position_shared(file, &at), "get_position_shared");
}

static void try_split(MPI_File file) {
  int value = 0;
  MPI_Status status;
  expect_missing(MPI_File_read_all_begin(file, &value, 1, MPI_INT), "read_all_begin");
  expect_missing(MPI_File_read_all_end(file, &value, &status), "read_all_end");
  expect_missing(MPI_File_write_all_begin(file, &value, 1, MPI_INT), "write_all_begin");
  expect_missing(MPI_File_write_all_end(file, &value, &status), "write_all_end");
  expect_missing(MPI_File_read_at_all_begin(file, 0, &value, 1, MPI_INT), "read_at_all_begin");
  expect_missing(MPI_File_read_at_all_end(file, &value, &status), "read_at_all_end");
  expect_missing(MPI_File_write_at_all_begin(file, 0, &value, 1, MPI_INT), "write_at_all_begin");
  expect_missing(MPI_File_write_at_all_end(file, &value, &status), "write_at_all_end");
  expect_missing(MPI_File_read_ordered_begin(file, &value, 1, MPI_INT), "read_ordered_begin");
  expect_missing(MPI_File_read_ordered_end(file, &value, &status), "read_ordered_end");
  expect_missing(MPI_File_write_ordered_begin(file, &value, 1, MPI_INT), "write_ordered_begin");
  expect_missing(MPI_File_write_ordered_end(file, &value, &status), "write_ordered_end");
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset size = -1;
  MPI_File_create_errhandler(count_call, &handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  try_nonblocking(file);
  try_shared(file);
  try_split(file);
  MPI_File_get_size(file, &size);
  expect(size == 0, "nothing was written: %lld", (long long)size);
  expect_missing(MPI_Register_datarep("mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL), "register_datarep");
  MPI_File_close(&file);
  MPI_Errhandler_free(&handler);
  return conclude();
}
