/* verify.h - which byte belongs at which file offset, and finding the ones that are wrong.
 *
 * What it is. Every byte of a test file is a function of its file offset and a seed, so data moved between pieces, ranks, steps or
 * repetitions is noticed. Checking goes through POSIX only, never through the MPI-IO being tested.
 */
#pragma once

#include "patterns.h"

#include <stddef.h>

/* What checking found. wrong: bytes somebody wrote (or read) that differ; damaged: bytes nobody wrote that changed. */
typedef struct verdict {
    int64_t wrong, damaged;
    int64_t garbage;     /* bytes of gaps in a fresh file that are not zero: MPI leaves them undefined, POSIX does not */
    int64_t first_bad;   /* file offset, or -1 */
    char error[256];     /* empty, or the first thing that went wrong, in words */
} verdict;

/* What a file (or part of one) must hold. */
typedef struct expectation {
    const char *path;
    int64_t from, to;     /* file offsets to check */
    int64_t shift;        /* the byte at file offset o is the reference byte of o + shift */
    int64_t used, period; /* offset o was written iff o % period < used and o < written_end */
    int64_t written_end;
    uint64_t seed;        /* of the bytes written */
    uint64_t old_seed;    /* of the bytes there before; 0: none, unwritten bytes read as zero */
} expectation;

void reference_fill(char *out, int64_t offset, int64_t length, uint64_t seed);

/* -1 when all bytes are the reference ones, else the index of the first that is not; *count gets how many are not. */
int64_t reference_check(const char *got, int64_t offset, int64_t length, uint64_t seed, int64_t *count);

void verdict_clear(verdict *v);
void verdict_bad(verdict *v, int64_t offset, int64_t count, int unwritten);
void verdict_say(verdict *v, const char *format, ...);

/* Reads [from, to) of the file and compares. */
void verify_file(const expectation *e, verdict *v);

/* The user buffer before a write: reference bytes in the rows, sentinel bytes in the ghost cells. */
void buffer_fill(const shape *s, char *buffer, uint64_t seed);

/* The user buffer before a read: sentinel bytes everywhere. */
void buffer_clear(const shape *s, char *buffer);

/* After a read: the rows hold the reference bytes and nothing else was touched. Leaves the buffer cleared. */
void buffer_check(const shape *s, char *buffer, uint64_t seed, verdict *v);

/* Writes the reference bytes of [from, to) with pwrite. Returns 0 or an errno. */
int reference_write(const char *path, int64_t from, int64_t to, int64_t shift, uint64_t seed);

/* Sums the counts, takes the smallest offset and one of the messages; every rank gets the result. */
void verdict_agree(verdict *v, MPI_Comm comm);

/* s as a JSON string literal, quotes included, cut to fit. */
const char *json_string(const char *s, char *out, size_t room);

