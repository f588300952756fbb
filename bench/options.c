/* options.c - reads the command line of `workload`. Needs MPI to be initialised (hints go straight to an MPI_Info). */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: mpiexec -n P workload --pattern NAME --file PATH [options]\n"
    "  --pattern NAME   %s\n"
    "  --file PATH      file to write; reads make and use PATH.read-KIB; engine fpp appends .RANK to both\n"
    "  --level LIST     0 independent pieces, 1 collective pieces, 2 view + independent, 3 view + collective (default 3);\n"
    "                   0,1,2,3 does one after the other\n"
    "  --op LIST        write (default), read, or write,read: one after the other, all levels each\n"
    "  --engine NAME    mpiio (default), posix, fpp, w1, rp\n"
    "  --mib N          useful MiB of all ranks together, default 64; patterns take the nearest size they have below it\n"
    "  --kib N          the same in KiB, for accesses that are slow piece by piece\n"
    "  --mib-level L=N  another size for level L; --kib-level L=N the same in KiB; both may be repeated\n"
    "  --hint KEY=VALUE goes into the MPI_Info of open and set_view; may be repeated\n"
    "  --reps N         repetitions of all of it, default 1\n"
    "  --seed N         seed of the bytes written, default 1; each write adds one\n"
    "  --existing       write over an existing, longer file full of other bytes instead of a fresh one\n"
    "  --zero-gaps      gaps of a fresh file must read as zeros (MPI leaves them undefined, so off by default)\n"
    "  --keep           leave the file behind\n";

static int parse_hint(options *o, char *text)
{
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return -1;
    *equals = '\0';
    if (o->info == MPI_INFO_NULL)
        MPI_Info_create(&o->info);
    return MPI_Info_set(o->info, text, equals + 1) == MPI_SUCCESS ? 0 : -1;
}

static int parse_engine(options *o, const char *name)
{
    static const char *const names[] = { "mpiio", "posix", "fpp", "w1", "rp" };
    for (int i = 0; i < 5; i++) {
        if (strcmp(name, names[i]) == 0) {
            o->engine = (enum engine)i;
            o->engine_name = names[i];
            return 0;
        }
    }
    return -1;
}

static int parse_number(const char *text, int64_t least, int64_t most, int64_t *out)
{
    char *end;
    *out = strtoll(text, &end, 10);
    return *text != '\0' && *end == '\0' && *out >= least && *out <= most ? 0 : -1;
}

/* Which of the `count` words the first `length` characters of text are, or -1. */
static int find_word(const char *text, size_t length, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(text, words[i], length) == 0)
            return i;
    return -1;
}

/* A comma-separated list of different words as their indices. Returns how many, or -1. */
static int parse_list(const char *text, const char *const *words, int count, int *out)
{
    int found = 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        int index = find_word(text, length, words, count);
        for (int i = 0; i < found; i++)
            index = out[i] == index ? -1 : index;
        if (index < 0)
            return -1;
        out[found++] = index;
        text += length;
        if (*text == '\0')
            return found;
    }
}

/* LEVEL=SIZE */
static int parse_level_size(options *o, const char *text, int shift)
{
    int64_t number;
    if (text[0] < '0' || text[0] >= '0' + LEVELS || text[1] != '=' || parse_number(text + 2, 1, 1 << 30, &number) != 0)
        return -1;
    o->level_bytes[text[0] - '0'] = number << shift;
    return 0;
}

/* One option with a value; 0 when it was understood. */
static int parse_value(options *o, const char *name, char *value)
{
    static const char *const operations[] = { "read", "write" }, *const levels[] = { "0", "1", "2", "3" };
    int64_t number = 0;
    int bad = 0;
    if (strcmp(name, "--pattern") == 0)
        o->pattern = value;
    else if (strcmp(name, "--file") == 0)
        o->file = value;
    else if (strcmp(name, "--engine") == 0)
        bad = parse_engine(o, value);
    else if (strcmp(name, "--hint") == 0)
        bad = parse_hint(o, value);
    else if (strcmp(name, "--op") == 0)
        bad = (o->op_count = parse_list(value, operations, 2, o->writing)) < 0;
    else if (strcmp(name, "--level") == 0)
        bad = (o->level_count = parse_list(value, levels, LEVELS, o->levels)) < 0;
    else if (strcmp(name, "--mib-level") == 0)
        bad = parse_level_size(o, value, 20);
    else if (strcmp(name, "--kib-level") == 0)
        bad = parse_level_size(o, value, 10);
    else if (strcmp(name, "--mib") == 0) {
        bad = parse_number(value, 1, 1 << 20, &number);
        o->bytes = number << 20;
    } else if (strcmp(name, "--kib") == 0) {
        bad = parse_number(value, 1, 1 << 30, &number);
        o->bytes = number << 10;
    } else if (strcmp(name, "--reps") == 0) {
        bad = parse_number(value, 1, 1000000, &number);
        o->reps = (int)number;
    } else if (strcmp(name, "--seed") == 0) {
        bad = parse_number(value, 1, INT64_MAX / 4, &number);
        o->seed = (uint64_t)number;
    } else {
        bad = -1;
    }
    return bad;
}

int options_parse(options *o, int argc, char **argv, int rank)
{
    *o = (options){ .engine_name = "mpiio", .engine = ENGINE_MPIIO, .levels = { 3 }, .level_count = 1,
                    .writing = { 1 }, .op_count = 1, .reps = 1, .bytes = (int64_t)64 << 20, .seed = 1,
                    .info = MPI_INFO_NULL };
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            if (rank == 0)
                printf(help, shape_names());
            return 1;
        }
        if (strcmp(argv[i], "--existing") == 0)
            o->existing = 1;
        else if (strcmp(argv[i], "--zero-gaps") == 0)
            o->zero_gaps = 1;
        else if (strcmp(argv[i], "--keep") == 0)
            o->keep = 1;
        else if (i + 1 >= argc || parse_value(o, argv[i], argv[i + 1]) != 0) {
            if (rank == 0)
                fprintf(stderr, "workload: cannot use '%s %s'; --help lists the options.\n", argv[i],
                        i + 1 < argc ? argv[i + 1] : "");
            return -1;
        } else
            i++;
    }
    if (o->pattern == NULL || o->file == NULL) {
        if (rank == 0)
            fprintf(stderr, "workload: --pattern and --file are needed; --help lists the options.\n");
        return -1;
    }
    return 0;
}

int64_t options_bytes(const options *o, int level)
{
    return o->level_bytes[level] != 0 ? o->level_bytes[level] : o->bytes;
}
