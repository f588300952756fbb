/* verify.c - bytes predicted from the file offset, and their comparison with a file or a user buffer.
 *
 * What it checks: every byte written or read in a repetition, the bytes nobody wrote, ghost cells in memory. The reference byte is
 * a byte of a mixed 64-bit hash of the 8-byte word's index and a seed: it costs about a nanosecond a word, and two different words
 * agree by chance once in 2^64, so swapped pieces, stale repetitions and bytes of another rank show.
 */
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SENTINEL = 0xa5, CHUNK = 1 << 20 };

static inline uint64_t word_at(int64_t index, uint64_t seed)
{
    uint64_t x = ((uint64_t)index + seed * 0xd1342543de82ef95u) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

void reference_fill(char *out, int64_t offset, int64_t length, uint64_t seed)
{
    while (length > 0) {
        uint64_t word = word_at(offset >> 3, seed);
        int64_t skip = offset & 7, n = 8 - skip < length ? 8 - skip : length;
        if (n == 8)
            memcpy(out, &word, 8);
        else
            memcpy(out, (const char *)&word + skip, (size_t)n);
        out += n;
        offset += n;
        length -= n;
    }
}

int64_t reference_check(const char *got, int64_t offset, int64_t length, uint64_t seed, int64_t *count)
{
    int64_t first = -1, done = 0;
    *count = 0;
    while (done < length) {
        uint64_t word = word_at((offset + done) >> 3, seed);
        int64_t skip = (offset + done) & 7, n = 8 - skip < length - done ? 8 - skip : length - done;
        const char *want = (const char *)&word + skip;
        if (memcmp(got + done, want, (size_t)n) != 0) {
            for (int64_t i = 0; i < n; i++) {
                if (got[done + i] == want[i])
                    continue;
                first = first < 0 ? done + i : first;
                ++*count;
            }
        }
        done += n;
    }
    return first;
}

void verdict_clear(verdict *v)
{
    memset(v, 0, sizeof *v);
    v->first_bad = -1;
}

void verdict_bad(verdict *v, int64_t offset, int64_t count, int unwritten)
{
    if (unwritten)
        v->damaged += count;
    else
        v->wrong += count;
    if (v->first_bad < 0 || offset < v->first_bad)
        v->first_bad = offset;
}

void verdict_say(verdict *v, const char *format, ...)
{
    if (v->error[0] != '\0')
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(v->error, sizeof v->error, format, args);
    va_end(args);
}

/* Compares one stretch that is wholly written or wholly unwritten. */
static void check_stretch(const expectation *e, const char *got, int64_t offset, int64_t length, verdict *v)
{
    int written = offset < e->written_end && offset % e->period < e->used;
    int64_t count = 0, first = 0;
    if (written || e->old_seed != 0) {
        first = reference_check(got, offset + e->shift, length, written ? e->seed : e->old_seed, &count);
    } else {
        for (int64_t i = 0; i < length; i++)
            count += got[i] != 0;
    }
    if (!written && e->old_seed == 0)
        v->garbage += count;
    else if (count > 0)
        verdict_bad(v, offset + first, count, !written);
}

/* The end of the stretch that starts at offset: the next change between written and unwritten. */
static int64_t stretch_end(const expectation *e, int64_t offset, int64_t limit)
{
    if (offset >= e->written_end)
        return limit;
    int64_t end = limit < e->written_end ? limit : e->written_end;
    if (e->used < e->period) {
        int64_t in = offset % e->period;
        int64_t next = offset - in + (in < e->used ? e->used : e->period);
        end = next < end ? next : end;
    }
    return end;
}

void verify_file(const expectation *e, verdict *v)
{
    if (e->from >= e->to)
        return;
    int fd = open(e->path, O_RDONLY);
    if (fd < 0) {
        verdict_say(v, "cannot open the file to verify it: %s", strerror(errno));
        return;
    }
    char *chunk = malloc(CHUNK);
    for (int64_t at = e->from; at < e->to;) {
        int64_t want = e->to - at < CHUNK ? e->to - at : CHUNK;
        ssize_t got = pread(fd, chunk, (size_t)want, (off_t)at);
        if (got <= 0) {
            verdict_say(v, "cannot read back %lld bytes at %lld: %s", (long long)want, (long long)at,
                        got < 0 ? strerror(errno) : "end of file");
            verdict_bad(v, at, e->to - at, 0);
            break;
        }
        for (int64_t pos = at; pos < at + got;) {
            int64_t end = stretch_end(e, pos, at + got);
            check_stretch(e, chunk + (pos - at), pos, end - pos, v);
            pos = end;
        }
        at += got;
    }
    free(chunk);
    close(fd);
}

/* Row k in the order of memory: for flash, walking row by row would load the whole buffer once a variable. */
static void row_in_memory(const shape *s, int64_t k, row *r)
{
    int64_t part = s->rows / s->interleaved;
    s->row_at(s, k % s->interleaved * part + k / s->interleaved, r);
}

void buffer_clear(const shape *s, char *buffer)
{
    memset(buffer, SENTINEL, (size_t)(s->mem_bytes * s->steps));
}

void buffer_fill(const shape *s, char *buffer, uint64_t seed)
{
    row r;
    for (int step = 0; step < s->steps; step++) {
        for (int64_t i = 0; i < s->rows; i++) {
            row_in_memory(s, i, &r);
            for (int64_t k = 0; k < r.count; k++)
                reference_fill(buffer + step * s->mem_bytes + r.mem + k * r.stride,
                               step * s->step_extent + r.file + k * r.block, r.block, seed);
        }
    }
}

void buffer_check(const shape *s, char *buffer, uint64_t seed, verdict *v)
{
    row r;
    int64_t count;
    for (int step = 0; step < s->steps; step++) {
        for (int64_t i = 0; i < s->rows; i++) {
            row_in_memory(s, i, &r);
            for (int64_t k = 0; k < r.count; k++) {
                char *mem = buffer + step * s->mem_bytes + r.mem + k * r.stride;
                int64_t offset = step * s->step_extent + r.file + k * r.block;
                int64_t first = reference_check(mem, offset, r.block, seed, &count);
                if (count > 0)
                    verdict_bad(v, offset + first, count, 0);
                memset(mem, SENTINEL, (size_t)r.block);
            }
        }
    }
    int64_t all = s->mem_bytes * s->steps, touched = 0;
    if (all > 0 && (unsigned char)buffer[0] == SENTINEL && memcmp(buffer, buffer + 1, (size_t)all - 1) == 0)
        return;
    for (int64_t i = 0; i < all; i++)
        touched += (unsigned char)buffer[i] != SENTINEL;
    if (touched > 0) {
        v->damaged += touched;
        verdict_say(v, "the read changed %lld bytes of ghost cells in memory", (long long)touched);
        buffer_clear(s, buffer);
    }
}

int reference_write(const char *path, int64_t from, int64_t to, int64_t shift, uint64_t seed)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0644), failed = fd < 0 ? errno : 0;
    char *chunk = malloc(CHUNK);
    while (failed == 0 && from < to) {
        int64_t want = to - from < CHUNK ? to - from : CHUNK;
        reference_fill(chunk, from + shift, want, seed);
        ssize_t put = pwrite(fd, chunk, (size_t)want, (off_t)from);
        if (put <= 0)
            failed = put < 0 ? errno : ENOSPC;
        else
            from += put;
    }
    free(chunk);
    if (fd >= 0 && close(fd) != 0 && failed == 0)
        failed = errno;
    return failed;
}

void verdict_agree(verdict *v, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int64_t mine[3] = { v->wrong, v->damaged, v->garbage }, all[3];
    MPI_Allreduce(mine, all, 3, MPI_INT64_T, MPI_SUM, comm);
    v->wrong = all[0];
    v->damaged = all[1];
    v->garbage = all[2];
    int64_t first = v->first_bad < 0 ? INT64_MAX : v->first_bad, least;
    MPI_Allreduce(&first, &least, 1, MPI_INT64_T, MPI_MIN, comm);
    v->first_bad = least == INT64_MAX ? -1 : least;
    int speaker = v->error[0] != '\0' ? rank : ranks, chosen;
    MPI_Allreduce(&speaker, &chosen, 1, MPI_INT, MPI_MIN, comm);
    if (chosen < ranks)
        MPI_Bcast(v->error, (int)sizeof v->error, MPI_CHAR, chosen, comm);
}

const char *json_string(const char *s, char *out, size_t room)
{
    size_t n = 0;
    out[n++] = '"';
    for (; *s != '\0' && n + 8 < room; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            out[n++] = '\\';
        if (c < 0x20)
            n += (size_t)snprintf(out + n, room - n, "\\u%04x", c);
        else
            out[n++] = (char)c;
    }
    out[n++] = '"';
    out[n] = '\0';
    return out;
}
