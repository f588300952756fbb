// The datatypes that types.c tries: one maker per constructor and per trap in it.
#pragma once

#include <mpi.h>

// `ascending`: its bytes lie in ascending order, so it may be a filetype. `derived`: to be committed and freed.
enum traits { ascending = 1, derived = 2 };

struct kind {
  const char* name;
  MPI_Datatype (*make)(void);  // not committed
  int traits;
};

extern const struct kind kinds[];      // ends with a null name
extern const struct kind more_kinds[];  // what only some MPIs have: large_kinds.c or no_large_kinds.c
