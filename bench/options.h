/* options.h - the command line of `workload`; options.c holds the help text that specifies it. */
#pragma once

#include "transfer.h"

typedef struct options {
    const char *pattern, *file, *engine_name;
    enum engine engine;
    int level, writing, reps, existing, zero_gaps, keep;
    int64_t bytes;
    uint64_t seed;
    MPI_Info info;
} options;

/* Returns 0, 1 when help was asked for, or -1 with the reason printed by rank 0. */
int options_parse(options *o, int argc, char **argv, int rank);

