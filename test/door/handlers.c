// Error handlers: the right one is called, once, with the right handle and the code that is returned.
#include <string.h>

#include "check.h"

static int calls;
static int last_code;
static MPI_File last_file;
static int other_calls;

static void note(MPI_File* file, int* code, ...) {
  ++calls;
  last_code = *code;
  last_file = *file;
}

static void note_other(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++other_calls;
}

static void expect_called(int code, int error_class, MPI_File file, const char* what) {
  expect_class(code, error_class, what);
  expect(calls == 1, "%s: the handler is called once, not %d times", what, calls);
  expect(last_code == code, "%s: the handler gets the code that is returned", what);
  expect(last_file == file, "%s: the handler gets the right handle", what);
  calls = 0;
}

static void try_default_handler(const char* path, MPI_Errhandler handler) {
  char missing[512] = "";
  MPI_File file = MPI_FILE_NULL;
  int value = 0;
  strncat(missing, path, 400);
  strcat(missing, ".missing");
  expect_success(MPI_File_set_errhandler(MPI_FILE_NULL, handler), "setting the default handler");
  expect_called(MPI_File_open(MPI_COMM_WORLD, missing, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE, MPI_FILE_NULL, "a failing open");
  expect_called(MPI_File_delete(missing, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE, MPI_FILE_NULL, "a failing delete");
  expect_success(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file), "opening");
  expect(calls == 0, "an open that succeeds calls nobody");
  expect_called(MPI_File_write_at(file, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, file, "a file with the default handler");
  expect_success(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), "taking the default handler away");
  expect_called(MPI_File_write_at(file, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, file, "a file keeps the handler of its open");
  MPI_File_close(&file);
}

static void try_own_handler(const char* path, MPI_Errhandler handler, MPI_Errhandler other) {
  MPI_File first = MPI_FILE_NULL;
  MPI_File second = MPI_FILE_NULL;
  MPI_Errhandler found = MPI_ERRHANDLER_NULL;
  int value = 0;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &first);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &second);
  expect(first != second, "two open files have two handles");
  expect_class(MPI_File_write_at(first, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, "errors are returned by default");
  expect(calls == 0, "a reused handle does not keep an old file's handler");
  expect_success(MPI_File_set_errhandler(first, handler), "setting a handler");
  expect_success(MPI_File_set_errhandler(second, other), "setting another");
  expect_success(MPI_File_get_errhandler(first, &found), "asking for the handler");
  expect(found == handler, "the handler that was set is found");
  MPI_Errhandler_free(&found);
  expect_called(MPI_File_write_at_all(first, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG, first, "a collective error");
  expect_called(MPI_File_set_view(first, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP, first, "an error of set_view");
  expect_called(MPI_File_seek(first, -1, MPI_SEEK_SET), MPI_ERR_ARG, first, "an error of seek");
  expect(other_calls == 0, "the other file's handler is not called");
  (void)MPI_File_seek(second, -1, MPI_SEEK_SET);
  expect(other_calls == 1, "the other file's handler is called for the other file");
  MPI_File_call_errhandler(first, MPI_ERR_IO);
  expect_called(MPI_ERR_IO, MPI_ERR_IO, first, "calling the handler directly");
  MPI_File_close(&first);
  MPI_File_close(&second);
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Errhandler other = MPI_ERRHANDLER_NULL;
  MPI_File_create_errhandler(note, &handler);
  MPI_File_create_errhandler(note_other, &other);
  try_default_handler(path, handler);
  try_own_handler(path, handler, other);
  // A freed handler stays with the files that have it.
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_errhandler(file, handler);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&other);
  expect_called(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG, file, "a freed handler");
  MPI_File_close(&file);
  return conclude();
}
