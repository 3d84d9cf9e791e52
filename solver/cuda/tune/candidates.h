/* Forms and shapes of one kernel that are tried, compiled for the device. */
#ifndef GMG_CUDA_CANDIDATES_H
#define GMG_CUDA_CANDIDATES_H

#include "cuda/runtime/modules.h"

enum { GMG_CANDIDATES = 256 };

struct gmg_candidate {
  struct gmg_wanted wanted;
  CUmodule module;     /* NULL: it is the device's own, or there is none */
  CUfunction function; /* NULL: it does not compile, or cannot run as it should */
  int spilled;         /* bytes of a thread for which registers do not suffice */
};

struct gmg_candidates {
  struct gmg_device *device;
  int count;
  struct gmg_candidate candidate[GMG_CANDIDATES];
};

/* Compiles those of a list that are not known yet, on all threads of the context, and loads them.
 * Candidates whose registers are spilled, or that cannot run with as many threads as their shape
 * has, get no function. Nothing is kept in the cache of compiled kernels. Where there is no room
 * for more, all but the first candidate are forgotten: pointers to them are then invalid. */
void gmg_candidates_compile(struct gmg_candidates *list, const struct gmg_wanted *wanted,
                            int count);
/* Returns whether a candidate was compiled, or at least tried. */
int gmg_candidates_know(const struct gmg_candidates *list, const struct gmg_wanted *wanted);
/* Returns how many bytes of a thread registers do not suffice for; 0: it is not known. */
int gmg_candidates_spilled(const struct gmg_candidates *list, const struct gmg_wanted *wanted);
/* Returns the candidate, compiled if it was not yet; NULL: it cannot run. */
const struct gmg_candidate *gmg_candidates_find(struct gmg_candidates *list,
                                                const struct gmg_wanted *wanted);
void gmg_candidates_clear(struct gmg_candidates *list);

#endif
