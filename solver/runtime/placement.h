/* What a back end is told of a solver (its levels, what moves between them, what concerns it of the
 * options) and what it says of them. The solver has one, which setup/placement.h fills in. */
#ifndef GMG_PLACEMENT_H
#define GMG_PLACEMENT_H

#include "launch.h"

struct gmg_backend;
struct gmg_device;
struct gmg_chunk;
struct gmg_prepared_move;
struct gmg_prepared_sources;

/* What boundary values add to the right side, integrated over cells: a patch of cells along a
 * wall. */
struct gmg_source {
  int level, side, box, start[3], extent[3];
  double *value;
};

/* A move between two levels of a cycle, of which `finer` is the number of the finer one. */
struct gmg_transfer {
  struct gmg_move *move;
  struct gmg_level *level; /* that counts its time */
  int finer;
};

/* Where kernels may run in passes, which need spare arrays. */
enum gmg_placed_passes { GMG_PASSES_NOWHERE, GMG_PASSES_WHERE_FASTER, GMG_PASSES_WHERE_RIGHT };

/* Whether what no message needs is computed while messages between devices travel. */
enum gmg_overlapping { GMG_OVERLAP_AUTO, GMG_OVERLAP_ALWAYS, GMG_OVERLAP_NONE };

/* What of the options concerns a back end. */
struct gmg_placed_options {
  enum gmg_placed_passes passes;
  int64_t coarse_cells;   /* coarse levels have at most this many */
  int coarse_on_host;     /* 1: coarse levels were asked to be the host's */
  int cache_kernels;      /* 1: kernels that were compiled are kept */
  int timed;              /* 1: kernels run one by one, and their times are counted */
  int direct_messages;    /* 1: MPI reads and writes the device's memory */
  int messages_by_device; /* 1: ranks of one machine look for ways around the host */
  int no_messages;        /* 1: for benchmarks: none are sent */
  enum gmg_overlapping overlap;
};

struct gmg_placement {
  gmg_context *context;
  const struct gmg_backend *backend; /* NULL: the host computes */
  struct gmg_device *device;         /* of the context, NULL with it */
  struct gmg_placed_options options;
  const struct gmg_memory *memory; /* the solver's account */

  int depth; /* levels of a cycle */
  /* The levels of the cycles that run now, and of those that a solve may go on with, by number; the
   * finest one is that in double. [1][0]: NULL where there are no others. */
  struct gmg_level **cycle[2];
  struct gmg_level **level; /* all of them, with those that hand values on */
  int levels;
  struct gmg_transfer *transfer;
  int transfers;
  const struct gmg_source *source;
  int sources;
  /* Between the caller's arrays and the finest level: values on cells there, and back; values on
   * faces by axis, NULL: there are none. */
  struct gmg_exchange *load, *store, *load_face[3];
  void *stream;  /* of the caller's device; NULL: none */
  int calls;     /* bound to the levels when they were put there */
  int host_from; /* the number of the finest level that the host computes; `depth`: none */
  int no_spares; /* 1: there is no room for spare arrays */

  /* The back end's own. */
  struct gmg_chunk *chunk;
  struct gmg_prepared_move *moves;
  struct gmg_prepared_sources *prepared_sources[2]; /* by cycles; NULL: the host adds them */
  uint64_t block; /* its copy of the memory that fields share (system/memory.h); 0: none */
  int64_t block_bytes;

  /* What it says. */
  int attached;                   /* 1: the levels are there */
  int values_on_host;             /* 1: the host has values of iterates, from a solve before */
  int coefficients_there;         /* 1: setup is to compute coefficients there: the host has none */
  int64_t bytes, peak, predicted; /* of the device's memory */
  double attach_seconds;
  int compiled, cached;     /* kernels */
  int by_device, by_host;   /* exchanges that the device makes, and that it leaves to the host */
  int untuned;              /* kernels on levels that do not run as wisdom has it: */
  char untuned_kernel[120]; /* one of them, and why */
  int messages, by_peers; /* that this rank gets, and of them those that never leave the devices */

  /* Settled by the solver. */
  char name[140];      /* of the device */
  const char *chosen;  /* how it was chosen among those of the machine */
  char why[480];       /* why the host computes; "": it was asked for, or it does not */
  char exchanges[200]; /* how ghosts travel */
  int coarse_settled;  /* 1: host_from was chosen by timing both ways from level coarse_from on */
  int coarse_from;
  double coarse_seconds[2]; /* on the device, and on the host */
};

/* Adds what boundary values add to the right sides, in single precision times `scale`. Returns 0
 * where the host must. */
static inline int gmg_placement_add_sources(struct gmg_placement *placement, double scale)
{
  return placement->attached && placement->backend->add_sources(placement, scale);
}

#endif
