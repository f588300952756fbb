// MPI_THREAD_MULTIPLE: threads that open files of their own, and threads that share one.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#include "check.h"

enum { threads = 4, rounds = 50, block = 1024 };

static const char* base;
static MPI_File shared;

struct task {
  pthread_t thread;
  int number;
  int wrong;
};

static void fill(unsigned char* bytes, int number, int round) {
  for (int i = 0; i < block; ++i) bytes[i] = (unsigned char)(i + 31 * number + 7 * round);
}

static int same(const unsigned char* a, const unsigned char* b) {
  for (int i = 0; i < block; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

// Opens, writes, reads back and closes, again and again.
static void* work_alone(void* argument) {
  struct task* task = argument;
  char path[512];
  unsigned char out[block], in[block];
  snprintf(path, sizeof(path), "%s.%d.%d", base, rank, task->number);
  for (int round = 0; round < rounds; ++round) {
    MPI_File file = MPI_FILE_NULL;
    MPI_Datatype every_second;
    fill(out, task->number, round);
    MPI_Type_vector(block, 1, 2, MPI_BYTE, &every_second);
    MPI_Type_commit(&every_second);
    if (MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) != MPI_SUCCESS) ++task->wrong;
    if (MPI_File_set_view(file, 0, MPI_BYTE, every_second, "native", MPI_INFO_NULL) != MPI_SUCCESS) ++task->wrong;
    if (MPI_File_write(file, out, block, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS) ++task->wrong;
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    if (MPI_File_read(file, in, block, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS || !same(in, out)) ++task->wrong;
    MPI_Type_free(&every_second);
    if (MPI_File_close(&file) != MPI_SUCCESS) ++task->wrong;
  }
  return NULL;
}

// Writes its own blocks of the shared file, with a datatype that all threads decode at the same time.
static void* work_together(void* argument) {
  struct task* task = argument;
  unsigned char out[block], in[block];
  for (int round = 0; round < rounds; ++round) {
    const MPI_Offset at = (((MPI_Offset)rank * rounds + round) * threads + task->number) * block;
    fill(out, task->number, round);
    if (MPI_File_write_at(shared, at, out, block / 4, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS) ++task->wrong;
    if (MPI_File_read_at(shared, at, in, block / 8, MPI_DOUBLE, MPI_STATUS_IGNORE) != MPI_SUCCESS || !same(in, out)) ++task->wrong;
  }
  return NULL;
}

static void run_all(void* (*work)(void*), const char* what) {
  struct task tasks[threads];
  for (int i = 0; i < threads; ++i) {
    tasks[i].number = i;
    tasks[i].wrong = 0;
    pthread_create(&tasks[i].thread, NULL, work, &tasks[i]);
  }
  for (int i = 0; i < threads; ++i) {
    pthread_join(tasks[i].thread, NULL);
    expect(tasks[i].wrong == 0, "%s, thread %d: %d things are wrong", what, i, tasks[i].wrong);
  }
}

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  base = argc > 1 ? argv[1] : "threads.dat";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (provided == MPI_THREAD_MULTIPLE) {
    run_all(work_alone, "files of their own");
    MPI_File_open(MPI_COMM_WORLD, base, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &shared);
    run_all(work_together, "one file");
    MPI_File_close(&shared);
  }
  return conclude();
}
