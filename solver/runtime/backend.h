/* A back end: the functions by which a solver's levels are put on a device, and its calls are run
 * there. config.h lists the tables that a build has; a further one is a folder and a line there.
 * Where no device is open the host computes (openmp/). Failures of a device stay with it until
 * `status` is asked. */
#ifndef GMG_BACKEND_H
#define GMG_BACKEND_H

#include "context.h"

struct gmg_call;
struct gmg_exchange;
struct gmg_level;
struct gmg_level_array;
struct gmg_move;
struct gmg_placement;
struct gmg_products;
struct gmg_source;
struct gmg_stepper;
struct gmg_wisdom_key;
struct gmg_tune;

/* What the host is about to do to an array: read its values, change some of them, or replace all
 * those that matter. */
enum gmg_access { GMG_READ, GMG_CHANGE, GMG_REPLACE };

struct gmg_device_info {
  char name[140];     /* "NVIDIA H200, 139.8 GiB, sm_90" */
  const char *chosen; /* how it was chosen among those of the machine */
  char reason[480];   /* why there is none, one clause */
};

/* Which arrays are the newest on the host after a placement ended: none in particular;
 * coefficients, which setup may have computed on the device; all. */
enum gmg_keep { GMG_KEEP_NOTHING, GMG_KEEP_COEFFICIENTS, GMG_KEEP_ALL };

/* What a placement needs of the device's memory, and what is free there. */
struct gmg_device_room {
  int64_t needed, available;
  int devices; /* that the ranks of the machine share */
};

/* A look at the caller's values in the memory of a device: for the largest |term| of a sum, which a
 * generated kernel of that name makes of them, and of its scalars. */
struct gmg_look {
  const char *kernel;
  const double *values;
  int cells[3];
  ptrdiff_t stride[3];
  double scalar[2];
  void *stream;      /* the caller's; NULL: the values are complete */
  int cache_kernels; /* 1: as in struct gmg_placed_options */
};

struct gmg_backend {
  const char *name; /* the word of the option `backend` */

  /* Whether this process works with such devices already: a caller's arrays may be there. */
  int (*used)(void);
  /* Opens the device of a context, if it is not open yet, and says which; NULL with the reason.
   * Memory: the context's, until `close`. */
  struct gmg_device *(*open)(gmg_context *context, struct gmg_device_info *info);
  void (*close)(gmg_context *context);
  /* GMG_ERR_DEVICE with a message where a call of the device failed since this was last asked. */
  gmg_status (*status)(gmg_context *context);
  /* What times measured there depend on: the device and the compiler of its kernels. */
  void (*identify)(gmg_context *context, struct gmg_wisdom_key *key);
  /* Writes the hash of the kernels that a subject of wisdom names. Returns 0 where there are none.
   */
  int (*source)(const char *subject, char *hash, size_t size);
  /* Whether those kernels allow what a choice of that name says; number: its value, where word is
   * "". */
  int (*allows)(const char *subject, const char *name, const char *word, int number);
  /* Runs what was collected, and waits for it. */
  void (*wait)(gmg_context *context);

  /* What the planned levels will take. Returns -1, and says why, where the device cannot compute
   * them at all. */
  int (*predict)(struct gmg_placement *placement, struct gmg_device_room *room, char *why,
                 size_t size);
  /* Puts on the device what is not there yet of the levels: memory, kernels, copies of arrays.
   * Calls: collective; fails on all ranks or on none. Errors: GMG_ERR_MPI; GMG_ERR_MEMORY and
   * GMG_ERR_DEVICE, and says why: then the caller detaches. */
  gmg_status (*attach)(struct gmg_placement *placement, char *why, size_t size);
  /* Gives back all that the placement has there; first the host gets what it is to keep. */
  void (*detach)(struct gmg_placement *placement, enum gmg_keep keep);
  /* The other cycles run from now on, with arrays that are zero: cycle[0] is theirs. */
  void (*raise)(struct gmg_placement *placement);
  /* The host computes the levels from that number on from now on, the device all others. */
  void (*divide)(struct gmg_placement *placement, int host_from);

  /* Takes a call with its exchanges. Returns 0 where the host must run it, whose arrays are up to
   * date then. */
  int (*run)(struct gmg_call *call);
  /* Likewise a move between arrays of which one has a copy on the device. */
  int (*move)(gmg_context *context, const struct gmg_move *move);
  /* Runs a call, without exchanges, on those planes along k alone whose index in the whole grid
   * leaves the remainder `first` when it is divided by `every`. */
  void (*sample)(struct gmg_call *call, int every, int first);
  /* Waits for the sums of the last call that reduces. */
  void (*reduce)(gmg_context *context, struct gmg_reduction *total);
  /* Times the kernels of the attached levels in their candidate forms and shapes, and adds the
   * fastest to the context's wisdom (tuned.h); fields of cycles are undefined afterwards. NULL: it
   * has no choice. Calls: collective. Errors: GMG_ERR_DEVICE, GMG_ERR_MEMORY, GMG_ERR_MPI. */
  gmg_status (*tune)(struct gmg_placement *placement, struct gmg_tune *tune);
  /* Frees what was prepared for a call. */
  void (*forget)(struct gmg_call *call);

  /* Before the host touches an array that has a copy there. */
  void (*fetch)(gmg_context *context, struct gmg_level_array *array, enum gmg_access access);
  /* Zeroes the copy of an array. Returns 0 where the caller must zero the host's values too. */
  int (*clear)(gmg_context *context, struct gmg_level_array *array);
  /* Reads patches (placement.h) of the fields beta_i|j|k, by their sides, from the copies there.
   * Returns 0 where the caller must open the fields and read them itself. */
  int (*read)(gmg_context *context, struct gmg_level *level, const struct gmg_source *patch,
              int patches);
  /* Adds what boundary values add to the right sides, in single precision times `scale`. Returns 0
   * where the host must. */
  int (*add_sources)(struct gmg_placement *placement, double scale);
  /* Takes the boundary values anew, which were changed where there were some. */
  void (*renew_sources)(struct gmg_placement *placement);

  /* Adds the roofs of the device that is open, this rank's alone, in about so many seconds; notes
   * what of it could not be measured. NULL: it measures nothing. */
  void (*measure)(gmg_context *context, double seconds, gmg_roofs *roofs);

  /* Runs explicit programs there (stepper.h). NULL: it does not. */
  const struct gmg_stepper *stepper;

  /* Whether lines of fields can be multiplied by dense matrices there; else says why not. */
  int (*multiplies)(gmg_context *context, char *why, size_t size);
  /* Takes a matrix for each axis of a level there, row by row, of as many rows and columns as the
   * level has cells along it; NULL: lines along that axis are not multiplied. NULL where that
   * fails, which `status` says. */
  struct gmg_products *(*products)(gmg_context *context, const struct gmg_level *level,
                                   const double *const matrix[3]);
  void (*forget_products)(gmg_context *context, struct gmg_products **products);
  /* Each line of cells of `to` along the axis = the matrix times that of `from`, another field of
   * the level, which has at most one box on this rank, with whole lines; or its transpose times
   * that. */
  void (*multiply)(const struct gmg_products *products, int axis, int transposed,
                   struct gmg_level_array *from, struct gmg_level_array *to);

  /* Bytes that this process has copied to devices, and back. */
  void (*copied)(int64_t bytes[2]);
  /* Whether values are in the device's memory. */
  int (*holds)(gmg_context *context, const void *values);
  /* Looks at values there: the largest term of a sum, and the sum where terms are 0 or 1. Returns 0
   * where the host must. */
  int (*look)(gmg_context *context, const struct gmg_look *look, double *most, double *count);
  /* An array of the caller's there; NULL: there is no room. */
  double *(*allocate)(gmg_context *context, size_t bytes);
  void (*free)(gmg_context *context, double *values);
  /* Copies between arrays of which one at least is there; returns when it is done. */
  void (*copy)(struct gmg_placement *placement, const double *from, double *to, size_t bytes);
  /* Moves values from the caller's array, of so many bytes from its first to its last value, to a
   * field of the finest level by `load` or `load_face`; or back, to an array there, by `store`.
   * Values of the host pass through the device's copy of f. Calls: collective. */
  gmg_status (*carry)(struct gmg_placement *placement, struct gmg_exchange *exchange,
                      struct gmg_level_array *field, double *values, size_t bytes);
};

/* Opens the first back end that finds a device; afterwards context->backend is its table. Returns 0
 * where there is none, with the reason. */
int gmg_backend_open(gmg_context *context, struct gmg_device_info *info);
void gmg_backend_close(gmg_context *context);
/* Whether a caller's arrays may be in the memory of a device. */
int gmg_backend_used(void);

static inline gmg_status gmg_device_status(gmg_context *context)
{
  return context->backend ? context->backend->status(context) : GMG_OK;
}

static inline int gmg_device_holds(gmg_context *context, const void *values)
{
  return context->backend && values && context->backend->holds(context, values);
}

#endif
