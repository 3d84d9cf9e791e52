/* A level: its axes, its boxes, and by name the fields, lines and tables that kernels ask for. */
#ifndef GMG_LEVEL_H
#define GMG_LEVEL_H

#include "mesh/axis.h"
#include "backend.h"
#include "choice.h"
#include "mesh/exchange.h"
#include "mesh/layout.h"
#include "system/memory.h"

enum { GMG_LINE_PAD = 16 }; /* how far lines and tables reach beyond the cells */
enum { GMG_KERNEL_CHOICE_TEXT = 112 };
enum { GMG_LEAST_RESERVED = 64 << 10 }; /* bytes; smaller fields take memory of the host at once */

/* A copy of an array in the memory of a device, which its back end keeps. */
enum gmg_newer { GMG_NEWER_NEITHER, GMG_NEWER_HOST, GMG_NEWER_DEVICE };
struct gmg_mirror {
  uint64_t at;    /* there; 0: there is none */
  uint64_t spare; /* an array like it, for kernels that write out of place; 0: there is none */
  enum gmg_newer newer : 8;
  unsigned char wanted;       /* while copies are planned */
  unsigned char spare_wanted; /* then: 0, or 1 + the share of those that need it */
};

/* One named thing. box[b] is its element (0, 0, 0) (of a line or table: 0) in local box b. */
struct gmg_level_array {
  const char *name; /* the context's */
  short number;     /* of its name */
  short place;      /* of a field: a number that no other one of the level has */
  enum gmg_field_kind kind : 8;
  enum gmg_share share : 8;  /* of a field */
  unsigned char coefficient; /* 1: setup fills it, ghosts too, and cycles only read it */
  unsigned char lent;        /* 1: the allocation is that of the same line or table of the lender */
  unsigned char reserved;    /* 1: the host's values are reserved (system/memory.h) */
  /* 1: and the host has not touched them: they are zero, and not counted in the account */
  unsigned char uncounted;
  /* Of a right side: 1 where nothing wrote it since its ghosts were filled for passes; alike on all
   * ranks. */
  unsigned char shared;
  /* On a device: layers of ghosts along z that hold what the neighbours' cells do; 0: not known. */
  unsigned char deep;
  int calls; /* that are bound to it */
  /* a field: the component's start; a line: element 0; NULL for a table, and for a field that is
   * planned */
  void *data;
  void *allocation;
  size_t bytes;
  struct gmg_memory *memory; /* the account */
  int64_t at;                /* of one that shares the block: from its start */
  /* Of a table along j or k: how far beyond a box of the other level the entries are of a box here
   * and of so many ghosts around it (0 to GMG_LINE_PAD); the most over all boxes, on any rank.
   * NULL: of none. */
  int *reach;
  void **box;
  struct gmg_mirror mirror;
};

/* An exchange with its two ends (the same one for ghosts). */
struct gmg_move {
  struct gmg_exchange *exchange; /* NULL: nothing to move */
  struct gmg_kernel_stat *stat;
  struct gmg_level_array *from, *to;
  struct gmg_prepared_move *prepared; /* by a back end; NULL: the host moves */
};
enum gmg_deep { GMG_DEEP_U, GMG_DEEP_F, GMG_DEEP };

struct gmg_kernel_stat {
  const struct gmg_kernel_descriptor *kernel; /* NULL: the exchanges */
  double seconds;
  double bytes, moved; /* compulsory; counted, in sweeps that it may share with other kernels */
  double touched;      /* bytes of all fields of such a sweep, the most */
  double flops;
  int64_t calls, fused; /* fused: those in a sweep with other kernels */
  int by_device;        /* 1: the back end ran the last of them */
  /* how the back end launches it, GMG_KERNEL_CHOICE_TEXT bytes of the level's; NULL: by default */
  char *choice;
};

struct gmg_level {
  gmg_context *context;
  struct gmg_memory *memory;
  int index;
  const struct gmg_operator_descriptor *op;
  enum gmg_precision precision; /* of its fields and lines */
  /* the same cells in the other precision, element for element; NULL: there is none */
  struct gmg_level *twin;
  unsigned char keeps_twin; /* 1: its twin is destroyed with it */
  /* a level of the same cells and boxes that lasts longer, whose lines and tables it has where they
   * hold the same; NULL: there is none */
  const struct gmg_level *lender;
  enum gmg_share share;      /* of its fields; GMG_APART: as the plan says when they are made */
  double unit;               /* of length, in the user's: widths and distances are counted in it */
  double b, alpha;           /* scalars of the equation; alpha only where it is uniform */
  struct gmg_axis axis[3];   /* borrowed */
  struct gmg_layout *layout; /* borrowed */
  struct gmg_storage *storage;
  struct gmg_kernel_box *box; /* local boxes, other_… not set */
  /* of each, from the first call on (uniform_runs.h); NULL before */
  struct gmg_uniform_runs *uniform_runs;
  /* of its kernels, from the first call on (openmp/tiles.h); NULL before */
  struct gmg_tiles *tiles;
  int64_t cells, local_cells;
  int threads; /* that sweep it */
  struct gmg_choice choice;
  char choice_text[GMG_CHOICE_TEXT]; /* for reports, when one asks */
  /* bytes, by its kernels and passes (openmp/traffic.h), in the last solve's cycles */
  double moved;
  /* whose back end runs calls of the level, some or all; NULL: the host runs them */
  struct gmg_device *device;
  int device_has_all; /* 1: it gets all fields, those of no call, too */
  /* On a device: what fills all ghosts of u and f, and of the coefficients; no exchange, none: they
   * are one deep. */
  struct gmg_move deep[GMG_DEEP], *share_moves;
  int shares;

  int arrays;
  struct gmg_level_array **array;
  short named[GMG_MOST_NAMES];    /* by the numbers of names: 1 + the place in array; 0: none */
  struct gmg_exchange *ghosts[2]; /* by enum gmg_exchange_shape; NULL: nothing to exchange */
  /* all ghosts, as passes need them; NULL: there is no neighbour, or no pass */
  struct gmg_exchange *overlap;
  const char *unfused_reason; /* why its kernels run one by one; NULL: they run in passes */
  int may_pass;               /* 1: passes are right, whether they are worth while or not */
  int calls;
  struct gmg_call **call; /* those that last as long as the level */
  int stats;
  struct gmg_kernel_stat **stat; /* of kernels; none moves while the level lasts */
  struct gmg_kernel_stat exchanges;
  int counts_exchanges; /* 1: something that is bound to the level counts there */
};

/* How a level is made. */
struct gmg_level_form {
  int staging; /* 1: it only hands values on to a coarser level, and needs no exchanges */
  int ghosts;  /* held at least; exchanged are those that the operator needs */
  enum gmg_rows rows;
  enum gmg_precision precision;
  double unit;
  int threads; /* that the solver has; 0: those of the context */
  int overlap; /* depth of the ghosts along j and k that passes recompute; 0: none do */
  const char *unfused_reason; /* as in gmg_level */
  int may_pass;
  struct gmg_choice choice;
  enum gmg_share share; /* as in gmg_level */
  /* that it is to be the twin of, made in the other precision; NULL: none */
  struct gmg_level *twin;
  const struct gmg_level *lender; /* as in gmg_level */
};

/* A level on a layout: storage, ghost exchanges, and the lines h, g, fold. Calls: collective.
 * Memory: keeps axis[].width, layout, memory; gives the level. Returns NULL out of memory (or on an
 * MPI failure). */
struct gmg_level *gmg_level_create(gmg_context *context, struct gmg_memory *memory, int index,
                                   const struct gmg_level_form *form,
                                   const struct gmg_operator_descriptor *op,
                                   const struct gmg_axis axis[3], struct gmg_layout *layout);
void gmg_level_destroy(struct gmg_level **level);
/* Gives a level in double, made by the form, a twin in single precision for the fields that kernels
 * read in that. Calls: collective. Returns -1 out of memory (or on an MPI failure). */
int gmg_level_keep_twin(struct gmg_level *level, const struct gmg_level_form *form);
/* That twin; NULL: there is none, or it is a level of cycles. */
static inline struct gmg_level *gmg_level_kept(const struct gmg_level *level)
{
  return level && level->keeps_twin ? level->twin : NULL;
}

/* How many threads sweep it: by its choice, or its rule. */
int gmg_level_threads(const struct gmg_level *level);
/* How deep the ghosts are that are exchanged before kernels run. */
int gmg_level_exchanged(const struct gmg_level *level);
/* What the level has under a name, or NULL: by the name's number (name.h), or of an axis' lines and
 * tables by the text of the stem. */
static inline struct gmg_level_array *gmg_level_find(const struct gmg_level *level, int name)
{
  return name < 0 || level->named[name] == 0 ? NULL : level->array[level->named[name] - 1];
}
struct gmg_level_array *gmg_level_named(struct gmg_level *level, const char *stem, int axis);
/* Finds it for the host, which is about to touch its values. */
struct gmg_level_array *gmg_level_open(struct gmg_level *level, int name, enum gmg_access access);
/* How many statistics there are, and the n-th: kernels', then that of the exchanges. */
static inline int gmg_level_stats(const struct gmg_level *level)
{
  return level->stats + level->counts_exchanges;
}
static inline struct gmg_kernel_stat *gmg_level_stat(struct gmg_level *level, int n)
{
  return n < level->stats ? level->stat[n] : &level->exchanges;
}
/* A field, made if it is not there yet, and taken and zeroed unless fields are only planned
 * (memory.h). NULL: out of memory, or the name is not one of the solver's. */
struct gmg_level_array *gmg_level_field(struct gmg_level *level, int name);
/* A field of any name that setup fills, ghosts too, and cycles only read. NULL: out of memory. */
struct gmg_level_array *gmg_level_coefficient(struct gmg_level *level, int name);
/* What the values of a field take. */
size_t gmg_level_field_bytes(const struct gmg_level *level);
/* Takes the memory of all fields that were planned, and zeroes those whose memory is theirs now.
 * Returns -1 out of memory. */
int gmg_level_take(struct gmg_level *level);
/* Before the host touches a field whose values were only reserved. */
void gmg_level_touch(struct gmg_level_array *array);
/* The host computes the level after all: takes the memory of its reserved fields. */
void gmg_level_settle(struct gmg_level *level);
/* Zeroes the fields that have the shared block from now on. Allocates nothing. */
void gmg_level_begin(struct gmg_level *level);
/* Frees a field; zeroes it instead where calls are bound to it. */
void gmg_level_drop(struct gmg_level *level, int name);
/* Zeroes all of a field, ghosts too, if it is there. */
void gmg_level_clear(struct gmg_level *level, int name);
/* The element of a field at an offset (gmg_offset) from a box's element (0, 0, 0). */
static inline double gmg_level_value(const struct gmg_level *level, const void *box,
                                     ptrdiff_t offset)
{
  return level->precision == GMG_F64 ? ((const double *)box)[offset]
                                     : (double)((const float *)box)[offset];
}
static inline void gmg_level_put(const struct gmg_level *level, void *box, ptrdiff_t offset,
                                 double value)
{
  if (level->precision == GMG_F64)
    ((double *)box)[offset] = value;
  else
    ((float *)box)[offset] = (float)value;
}
/* Hands the coefficients to the ghosts that passes recompute. Calls: collective. An MPI failure
 * stays in the context. */
void gmg_level_share(struct gmg_level *level);

#endif
