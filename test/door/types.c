// Every datatype, in memory and in the view, against what MPI_Pack and MPI_Unpack say.
//
// In memory: `pieces` elements are written to a plain file region; the region must hold what MPI_Pack makes of
// them, and reading them back must give what MPI_Unpack makes of it, gaps untouched.
// In the view: a packed stream is written through a view of the type, from the middle of its first tile to the
// middle of its last; the file must be what unpacking whole tiles makes of it, bytes between untouched.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kinds.h"

enum { pieces = 3, region = 1 << 16, around = 1 << 14, filler = 0xEE };

// How the access is made.
enum way { at_all, at, all, alone, ways };
static const char* const way_names[] = {"at_all", "at", "all", "alone"};

static int write_by(enum way way, MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type) {
  if (way == at_all) return MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);
  if (way == at) return MPI_File_write_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);
  MPI_File_seek(file, offset, MPI_SEEK_SET);
  if (way == all) return MPI_File_write_all(file, buffer, count, type, MPI_STATUS_IGNORE);
  return MPI_File_write(file, buffer, count, type, MPI_STATUS_IGNORE);
}

static int read_by(enum way way, MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type) {
  if (way == at_all) return MPI_File_read_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);
  if (way == at) return MPI_File_read_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);
  MPI_File_seek(file, offset, MPI_SEEK_SET);
  if (way == all) return MPI_File_read_all(file, buffer, count, type, MPI_STATUS_IGNORE);
  return MPI_File_read(file, buffer, count, type, MPI_STATUS_IGNORE);
}

static unsigned char pattern(int i) { return (unsigned char)(i * 7 + 13 * rank + i / 251 + 1); }

static void fill_with_pattern(unsigned char* memory, int bytes) {
  for (int i = 0; i < bytes; ++i) memory[i] = pattern(i);
}

static int first_difference(const unsigned char* a, const unsigned char* b, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return i;
  }
  return -1;
}

// What is in this rank's region of the file, read past MPI.
static void read_region(const char* path, unsigned char* image) {
  memset(image, 0, region);
  FILE* plain = fopen(path, "rb");
  expect(plain != NULL, "%s can be opened", path);
  if (plain == NULL) return;
  fseek(plain, (long)rank * region, SEEK_SET);
  const size_t got = fread(image, 1, region, plain);
  expect(got == region, "the file is long enough");
  fclose(plain);
}

static void refill(MPI_File file, unsigned char* image) {
  memset(image, filler, region);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  expect_success(MPI_File_write_at_all(file, (MPI_Offset)rank * region, image, region, MPI_BYTE, MPI_STATUS_IGNORE), "filling the file");
  meet();
}

static void try_in_memory(MPI_File file, const char* path, const struct kind* kind, MPI_Datatype type, enum way way) {
  unsigned char* source = malloc(2 * around);
  unsigned char* target = malloc(2 * around);
  unsigned char* wanted = malloc(2 * around);
  unsigned char* packed = malloc(region);
  unsigned char* image = malloc(region);
  int size = 0;
  int position = 0;
  MPI_Type_size(type, &size);
  const MPI_Offset start = (MPI_Offset)rank * region + 24;
  fill_with_pattern(source, 2 * around);
  refill(file, image);
  memset(packed, filler, region);
  MPI_Pack(source + around, pieces, type, packed + 24, region - 24, &position, MPI_COMM_WORLD);
  expect_success(write_by(way, file, start, source + around, pieces, type), kind->name);
  meet();
  read_region(path, image);
  const int wrong = first_difference(packed, image, region);
  expect(wrong < 0, "%s in memory, write %s: byte %d of the file is %d, not %d", kind->name, way_names[way], wrong,
         wrong < 0 ? 0 : image[wrong], wrong < 0 ? 0 : packed[wrong]);
  memset(target, filler, 2 * around);
  memset(wanted, filler, 2 * around);
  position = 0;
  MPI_Unpack(packed + 24, pieces * size, &position, wanted + around, pieces, type, MPI_COMM_WORLD);
  expect_success(read_by(way, file, start, target + around, pieces, type), kind->name);
  const int off = first_difference(wanted, target, 2 * around);
  expect(off < 0, "%s in memory, read %s: byte %d is wrong", kind->name, way_names[way], off - around);
  meet();
  free(source);
  free(target);
  free(wanted);
  free(packed);
  free(image);
}

// The image of the region after `bytes` of the stream, from stream byte `first` on, went through the view.
static void imagine(unsigned char* image, int displacement, MPI_Datatype type, const unsigned char* stream, int first, int bytes) {
  int size = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_size(type, &size);
  MPI_Type_get_extent(type, &lower, &extent);
  const int tiles = (first + bytes + size - 1) / size;
  unsigned char* padded = malloc((size_t)(tiles * size));
  memset(padded, filler, (size_t)(tiles * size));
  memcpy(padded + first, stream, (size_t)bytes);
  memset(image, filler, region);
  for (int tile = 0; tile < tiles; ++tile) {
    int position = 0;
    MPI_Unpack(padded + tile * size, size, &position, image + displacement + tile * extent, 1, type, MPI_COMM_WORLD);
  }
  free(padded);
}

static void try_in_view(MPI_File file, const char* path, const struct kind* kind, MPI_Datatype type, enum way way, int typed) {
  enum { displacement = 40 };
  unsigned char* stream = malloc(region);
  unsigned char* back = malloc(region);
  unsigned char* wanted = malloc(region);
  unsigned char* image = malloc(region);
  int size = 0;
  MPI_Type_size(type, &size);
  // As bytes: from the middle of the first tile; with the type as etype: from its second element on.
  const int first = typed ? size : size / 2;
  const int bytes = typed ? 2 * size : 2 * size + size / 3;
  fill_with_pattern(stream, region);
  refill(file, image);
  imagine(wanted, displacement, type, stream, first, bytes);
  const MPI_Offset start = (MPI_Offset)rank * region + displacement;
  expect_success(MPI_File_set_view(file, start, typed ? type : MPI_BYTE, type, "native", MPI_INFO_NULL), kind->name);
  expect_success(write_by(way, file, typed ? 1 : first, stream, bytes, MPI_BYTE), kind->name);
  meet();
  read_region(path, image);
  const int wrong = first_difference(wanted, image, region);
  expect(wrong < 0, "%s in the view, write %s: byte %d of the file is %d, not %d", kind->name, way_names[way], wrong,
         wrong < 0 ? 0 : image[wrong], wrong < 0 ? 0 : wanted[wrong]);
  memset(back, filler, region);
  expect_success(read_by(way, file, typed ? 1 : first, back, bytes, MPI_BYTE), kind->name);
  const int off = first_difference(stream, back, bytes);
  expect(off < 0, "%s in the view, read %s: byte %d is wrong", kind->name, way_names[way], off);
  expect(back[bytes] == filler, "%s in the view, read %s: nothing behind the buffer is touched", kind->name, way_names[way]);
  meet();
  free(stream);
  free(back);
  free(wanted);
  free(image);
}

static void try_kind(MPI_File file, const char* path, const struct kind* kind) {
  MPI_Datatype type = kind->make();
  expect(type != MPI_DATATYPE_NULL, "%s exists", kind->name);
  if (type == MPI_DATATYPE_NULL) return;
  if (kind->traits & derived) MPI_Type_commit(&type);
  for (enum way way = 0; way < ways; ++way) {
    try_in_memory(file, path, kind, type, way);
    if (kind->traits & ascending) try_in_view(file, path, kind, type, way, 0);
    if (kind->traits & ascending) try_in_view(file, path, kind, type, way, 1);
  }
  if (kind->traits & derived) MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  const char* path = begin(&argc, &argv);
  MPI_File file;
  const int opened = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  expect_success(opened, "opening");
  if (opened != MPI_SUCCESS) return conclude();
  for (const struct kind* kind = kinds; kind->name != NULL; ++kind) try_kind(file, path, kind);
  for (const struct kind* kind = more_kinds; kind->name != NULL; ++kind) try_kind(file, path, kind);
  expect_success(MPI_File_close(&file), "closing");
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  return conclude();
}
