/* options.h - the command line of `workload`; options.c holds the help text that specifies it. */
#pragma once

#include "transfer.h"

enum { LEVELS = 4 };

typedef struct options {
    const char *pattern, *file, *engine_name;
    enum engine engine;
    int levels[LEVELS], level_count; /* in the order named */
    int writing[2], op_count;        /* 1 write, 0 read; in the order named */
    int reps, existing, zero_gaps, keep;
    int64_t bytes, level_bytes[LEVELS]; /* useful bytes; of a level, where --mib-level or --kib-level says so, else 0 */
    uint64_t seed;
    MPI_Info info;
} options;

/* Returns 0, 1 when help was asked for, or -1 with the reason printed by rank 0. */
int options_parse(options *o, int argc, char **argv, int rank);

/* Useful bytes asked for at a level. */
int64_t options_bytes(const options *o, int level);

