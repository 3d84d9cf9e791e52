/* The CUDA back end as the solver sees it. A context opens at most one device; a solver that
 * computes on it has a copy of its level arrays there, and its calls are collected (queue.h) and
 * run on it. Without CUDA in the build, none.c stands for all of this. */
#ifndef GMG_CUDA_BACKEND_H
#define GMG_CUDA_BACKEND_H

#include "launch.h"

struct gmg_solver;
struct gmg_device;
struct gmg_chunk;

/* What a solver has on the device. */
struct gmg_placement {
  struct gmg_device *device;    /* NULL: the host computes */
  struct gmg_chunk *chunk;      /* memory that it took */
  struct gmg_ready_move *moves; /* those that the device makes */
  /* what boundary values add to right sides; NULL: the host adds it, or there is nothing */
  struct gmg_ready_sources *sources;
  uint64_t block; /* the copy of the memory that fields share (../memory.h); 0: there is none */
  int64_t block_bytes;
  int64_t bytes, peak, predicted;
  int no_spares; /* 1: there is no room for what passes for both colours need (pairs.h) */
  int host_from; /* the finest level that the host computes; levels: none */
  /* 1: that is so because both ways were timed (../coarse.h), from level coarse_from on, */
  int coarse_settled;
  int coarse_from;
  double coarse_seconds[2]; /* on the device, and on the host */
  int attached;             /* 1: the levels are there */
  int kept;                 /* 1: the host has values of iterates */
  char why[480];            /* why the host computes; "": it was asked for */
  int made, left;           /* exchanges that the device makes, and that it does not */
  int direct;               /* 1: MPI sends from its memory, and receives there */
  int messages, met;   /* that this rank gets, and those of them that come from device to device */
  char exchanges[200]; /* how ghosts travel */
  char name[140];      /* of the device */
  const char *chosen;  /* how it was */
  double attach_seconds;
  int compiled, cached; /* kernels */
};

/* The device of a context, opened if it is not yet; NULL with the reason, one clause. Memory: the
 * context's. */
struct gmg_device *gmg_device_open(gmg_context *context, char *reason, size_t size);
void gmg_device_close(gmg_context *context);
/* "NVIDIA H200, 139.8 GiB, sm_90". */
void gmg_device_describe(const struct gmg_device *device, char *text, size_t size);
/* How it was chosen among those of the machine. */
const char *gmg_device_chosen(const struct gmg_device *device);

/* Settles by the options whether the device or the host computes, before levels are planned. Calls:
 * collective. Errors: GMG_ERR_UNSUPPORTED where the options ask for a device that is not there. */
gmg_status gmg_backend_choose(struct gmg_solver *solver);
/* Once the levels are planned: what they will take on the device, and whether it can be had. Calls:
 * collective. Errors: GMG_ERR_MEMORY where the options ask for the device; else the host computes
 * from here on, and a note says so. */
gmg_status gmg_backend_predict(struct gmg_solver *solver);
/* At the end of setup: memory, kernels, copies of the arrays. Calls: collective.
 * Errors: GMG_ERR_MEMORY, GMG_ERR_DEVICE where the options ask for the device; else as
 * gmg_backend_predict. */
gmg_status gmg_backend_attach(struct gmg_solver *solver);
/* Once the solver goes on with its cycles in double: their arrays are zero there. */
void gmg_backend_raise(struct gmg_solver *solver);
/* Gives all of that back; the host's arrays are then the newest where `keep`. NULL levels are
 * allowed. */
void gmg_backend_detach(struct gmg_solver *solver, int keep);

/* The finest level small enough to be computed by the host; levels: none is. */
int gmg_backend_coarse_from(const struct gmg_solver *solver);
/* From now on the host computes the levels from `from` on, and the device all others; levels: none.
 * Once all are on the device. */
void gmg_backend_coarse(struct gmg_solver *solver, int from);

/* Whether the device computes a level, and whether it does so in passes for both colours (pairs.h),
 * or in the coarse tail. */
int gmg_backend_computes(const struct gmg_solver *solver, int level);
int gmg_backend_in_passes(const struct gmg_solver *solver, int level);
int gmg_backend_in_tail(const struct gmg_solver *solver, int level);

/* Takes a call, with its exchanges, if the device runs it. Returns 0 where the host must: its
 * arrays are up to date then. */
int gmg_device_take(struct gmg_call *call);
/* The same for a move. */
int gmg_device_move(gmg_context *context, const struct gmg_move *move);
/* Runs a call that the device can take on planes along k alone: those whose index in the whole grid
 * leaves `first` over, divided by `every`. */
void gmg_device_sample(struct gmg_call *call, int every, int first);
/* The sums of a call that the device took; waits for it. */
void gmg_device_sums(gmg_context *context, struct gmg_reduction *total);
/* Runs what was collected, and waits for it. */
void gmg_device_wait(gmg_context *context);
/* Forgets what it prepared for a call. */
void gmg_device_forget(struct gmg_call *call);
/* An error of a device call since it was last asked: GMG_ERR_DEVICE with a message, or GMG_OK. */
gmg_status gmg_device_status(gmg_context *context);

/* Before the host touches an array that has a copy on the device. */
void gmg_device_fetch(gmg_context *context, struct gmg_level_array *array, enum gmg_access access);
/* Whether values are in a device's memory. */
int gmg_device_holds(gmg_context *context, const void *values);
/* An array of so many bytes there, NULL: there is no room; back; and copies to, from or inside the
 * device's memory, done when they return: failures are the device's. */
double *gmg_device_array(struct gmg_solver *solver, size_t bytes);
void gmg_device_array_free(gmg_context *context, double *values);
void gmg_device_array_copy(struct gmg_solver *solver, const double *from, double *to, size_t bytes);
/* u of the finest level from such an array of the caller's, and to it. Calls: collective. */
gmg_status gmg_device_load(struct gmg_solver *solver, const gmg_array *array);
gmg_status gmg_device_store(struct gmg_solver *solver, const gmg_array *array);
/* Adds what boundary values add to the right sides, if that is done on the device. */
int gmg_device_sources(struct gmg_solver *solver);
/* After boundary values were changed, in the places where there were some: those on the device, if
 * they are added there. */
gmg_status gmg_backend_renew_sources(struct gmg_solver *solver);
/* Before an exchange is destroyed: forgets what was made ready for it. */
void gmg_backend_forget(struct gmg_solver *solver, const struct gmg_exchange *exchange);
/* All of an array is zero on the device from here on, if it has a copy there. Returns whether the
 * host's copy is of no use until it is fetched; if not, the caller clears it too. */
int gmg_device_clear(gmg_context *context, struct gmg_level_array *array);

#endif
