/* transfer.h - the ways of doing one access: four MPI-IO levels and the plain POSIX engines.
 *
 * What it is. A `job` is one file opened by one engine; opening, transferring and closing are separate so that each can be timed.
 * Every call's return code is checked, and for MPI-IO the status count; what is wrong lands in the job's verdict and the
 * collective calls go on, so one rank's failure does not leave the others waiting in this program.
 */
#pragma once

#include "verify.h"

enum engine { ENGINE_MPIIO, ENGINE_POSIX, ENGINE_FPP, ENGINE_W1, ENGINE_RP };

typedef struct job {
    enum engine engine;
    int level;   /* 0..3, MPI-IO only */
    int writing;
    const char *path;
    MPI_Info info;
    MPI_Comm comm;
    const shape *s;
    char *buffer, *packed;
    int64_t calls; /* transfers every rank must join at level 1: the most of any rank */
    verdict v;
    MPI_File fh;
    int fd;
} job;

void job_prepare(job *j); /* collective; counts runs */
void job_open(job *j);
void job_transfer(job *j);
void job_close(job *j);

/* Offset of this rank's first byte: what engine fpp subtracts from file offsets. */
int64_t job_origin(const job *j);

