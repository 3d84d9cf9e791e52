/* One kernel on one level in one form and shape after the other: compiled, compared, timed. */
#ifndef GMG_CUDA_TRIAL_H
#define GMG_CUDA_TRIAL_H

#include "cuda/runtime/modules.h"
#include "prepared.h"

enum { GMG_TRIAL_CANDIDATES = 1024, GMG_TRIAL_FIELDS = 4 };

/* A candidate that was compiled. */
struct gmg_candidate {
  struct gmg_wanted wanted;
  CUmodule module;     /* NULL: the device's own, or it does not compile */
  CUfunction function; /* NULL: it does not compile, or its registers do not suffice */
};

struct gmg_trial {
  struct gmg_device *device;
  struct gmg_call *call;
  CUevent event[2];
  int fields; /* that the kernel writes */
  struct gmg_level_array *array[GMG_TRIAL_FIELDS];
  CUdeviceptr d_saved[GMG_TRIAL_FIELDS]; /* their values before every comparison */
  char *expected[GMG_TRIAL_FIELDS];      /* what the default form makes of them */
  char *found;
  struct gmg_reduction sums;
  int registers; /* of a thread of the default form */
  int candidates;
  struct gmg_candidate candidate[GMG_TRIAL_CANDIDATES];
};

/* Ready for a call that is prepared: saves what it writes, and what the default form makes of it.
 * Memory: takes as much of the device's as the fields that it writes have, and twice that of the
 * host's; gives the trial. NULL: there is too little, or the device failed. */
struct gmg_trial *gmg_trial_create(struct gmg_device *device, struct gmg_call *call);
/* The fields are as before the trial. */
void gmg_trial_destroy(struct gmg_trial **trial);
/* Compiles those of a list that were not compiled yet, on all threads of the context. */
void gmg_trial_compile(struct gmg_trial *trial, const struct gmg_wanted *wanted, int count);
/* The candidate, compiled if it was not yet; NULL: there is no room, or it cannot run. */
const struct gmg_candidate *gmg_trial_find(struct gmg_trial *trial,
                                           const struct gmg_wanted *wanted);
/* Whether it gives the default's bits: of fields of more than some MiB those at both ends and in
 * the middle, or with `whole` all. */
int gmg_trial_verify(struct gmg_trial *trial, const struct gmg_candidate *candidate, int whole);
/* Seconds of a run: the least of some measurements of several. */
double gmg_trial_time(struct gmg_trial *trial, const struct gmg_candidate *candidate);
/* Seconds of a run as the call is prepared, by a few runs; what it writes is undefined then. */
double gmg_trial_glance(struct gmg_device *device, struct gmg_call *call);

#endif
