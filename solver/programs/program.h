/* A program on a grid: the arrays that its steps work on, in boxes, and what fills their ghosts. */
#ifndef GMG_PROGRAMS_PROGRAM_H
#define GMG_PROGRAMS_PROGRAM_H

#include "block.h"
#include "gmg_program.h"
#include "mesh/exchange.h"
#include "mesh/layout.h"
#include "problem/grid.h"
#include "problem/options.h"
#include "program_table.h"
#include "runtime/context.h"
#include "runtime/placement.h"
#include "runtime/tiles.h"
#include "system/memory.h"

enum { GMG_PROGRAM_ARRAYS = 32, GMG_PROGRAM_PARAMETERS = 32 };

/* Boxes with some of their ghosts, which kernels visit too: none beyond walls, all on other sides.
 */
struct gmg_extended {
  struct gmg_kernel_box *box;
  ptrdiff_t *shift; /* by box: from its first cell to the first that is visited, in elements */
  struct gmg_tiles *tiles;
};

struct gmg_patch;
struct gmg_skew;

/* Steps that are taken as one (composed.h). */
struct gmg_composing {
  int on;                    /* the option `compose` */
  int whole;                 /* 1: the kernel is right in all cells (linear/extension.h) */
  int layer;                 /* cells beside walls, where steps are taken one by one */
  struct gmg_extended inner; /* the boxes' other cells */
  double inner_cells, outer_cells;
  int patches; /* that the cells beside walls are cut into */
  struct gmg_patch *patch;
  size_t bytes;  /* of one array in the largest patch */
  char *scratch; /* all arrays, for every thread */
  /* By array: whose values beyond walls are to become its own after the kernel's targets have taken
   * their turn; turns: some others than its own. */
  int source[GMG_PROGRAM_ARRAYS], turns;
};

/* What the application attached for a solve of the steps. */
struct gmg_attached {
  gmg_solver *solver; /* NULL: nothing */
  gmg_program_solved *solved;
  void *user;
  int
    lent[GMG_SOLVE_RHS]; /* by coefficient: 1 + the holder that the solver has borrowed; 0: none */
};

enum gmg_storing { GMG_STORES_AUTO, GMG_STORES_PLAIN, GMG_STORES_STREAMING };

struct gmg_program {
  gmg_context *context;
  gmg_grid *grid;
  const struct gmg_program_descriptor *made;
  struct gmg_memory memory;
  int cells[3];
  struct gmg_layout *layout;
  struct gmg_storage *storage;
  struct gmg_kernel_box *box;
  int threads, deep; /* deep: ghosts that all arrays have on every side */
  struct gmg_block block;
  struct gmg_extended extended[GMG_BLOCK_DEEPEST + 1]; /* by ghosts that are visited */
  struct gmg_composing composing;
  struct gmg_skew *skew; /* NULL: blocks do not run in one sweep (skew.h) */
  void **pointer;        /* for a kernel's fields, by box */
  /* By array: its component, and its boxes' elements (0, 0, 0). Steps permute both. */
  void *data[GMG_PROGRAM_ARRAYS];
  void **element[GMG_PROGRAM_ARRAYS];
  int holder[GMG_PROGRAM_ARRAYS]; /* by array: which one of those taken has its values */
  size_t bytes;                   /* of a component */
  struct gmg_options options;     /* of where it runs */
  int steps_per_pass;             /* the option: 1, 2; 0: auto */
  enum gmg_overlapping overlap;   /* the option `overlap` */
  enum gmg_storing stores;        /* the option `stores` */
  int large;                      /* 1: the arrays are more than the caches hold (stores.h) */
  struct gmg_tile_shape tiles;    /* of kernels on the host */
  int unlike;                     /* the option `backends`: each rank has its own back end */
  int work;                       /* the option: how many times each kernel runs */
  /* On a device (launches.h); NULL: the host computes. */
  struct gmg_placed_program *placed;
  char device[140], why[480]; /* which one; why there is none */
  /* By array: what fills its ghosts inside the grid; NULL: nothing. Arrays may share one. */
  struct gmg_exchange *exchange[GMG_PROGRAM_ARRAYS];
  struct gmg_attached attached[GMG_PROGRAM_SOLVES];
  gmg_status failed; /* what a solve of the steps returned */
  int periodic[3];   /* where steps per exchange are several: of all arrays */
  double parameter[GMG_PROGRAM_PARAMETERS];
  int has_value[GMG_PROGRAM_PARAMETERS];
  /* Between a caller's array and an array: [0] there, [1] back; NULL: not used yet. */
  struct gmg_layout *bricks;
  struct gmg_storage *view[2];
  struct gmg_exchange *carry[2];
  gmg_program_info info;
};

/* Cells that the arrays have beyond a box along an axis. */
static inline int gmg_program_deep(const struct gmg_program *program, int axis)
{
  return axis < program->made->dimensions ? program->deep : 0;
}

/* How deep an array's ghosts beyond walls are filled. */
static inline int gmg_program_beyond(const struct gmg_program *program, int array)
{
  const int ghosts = program->made->array[array].ghosts, deep = program->block.depth[array];
  return program->composing.on && program->composing.whole && deep > ghosts ? deep : ghosts;
}

/* The array of that name which callers may see; -1: none, or name is NULL. */
int gmg_program_find(const struct gmg_program *program, const char *name);

/* What holds the arrays' values after a permutation. */
static inline void gmg_program_turn(int *holder, const struct gmg_program_step *step)
{
  const int first = holder[step->cycle[0]];
  for (int n = 0; n + 1 < step->count; n++)
    holder[step->cycle[n]] = holder[step->cycle[n + 1]];
  holder[step->cycle[step->count - 1]] = first;
}

/* A permutation of arrays, which their storage follows. */
static inline void gmg_program_permute(struct gmg_program *program,
                                       const struct gmg_program_step *step)
{
  void *const data = program->data[step->cycle[0]];
  void **const element = program->element[step->cycle[0]];
  for (int n = 0; n + 1 < step->count; n++) {
    program->data[step->cycle[n]] = program->data[step->cycle[n + 1]];
    program->element[step->cycle[n]] = program->element[step->cycle[n + 1]];
  }
  program->data[step->cycle[step->count - 1]] = data;
  program->element[step->cycle[step->count - 1]] = element;
  gmg_program_turn(program->holder, step);
}

/* The n-th turn that two arrays take after composed steps. */
static inline struct gmg_program_step
gmg_program_composed_turn(const struct gmg_program_composed *composed, int n)
{
  return (struct gmg_program_step){.kind = GMG_STEP_PERMUTE,
                                   .count = 2,
                                   .cycle = {composed->target[n][0], composed->target[n][1]}};
}

#endif
