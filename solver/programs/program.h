/* A program on a grid: the arrays that its steps work on, in boxes, and what fills their ghosts. */
#ifndef GMG_PROGRAMS_PROGRAM_H
#define GMG_PROGRAMS_PROGRAM_H

#include "gmg_program.h"
#include "mesh/exchange.h"
#include "mesh/layout.h"
#include "problem/grid.h"
#include "program_table.h"
#include "runtime/context.h"
#include "runtime/tiles.h"
#include "system/memory.h"

enum { GMG_PROGRAM_ARRAYS = 32, GMG_PROGRAM_PARAMETERS = 32 };

struct gmg_program {
  gmg_context *context;
  gmg_grid *grid;
  const struct gmg_program_descriptor *made;
  struct gmg_memory memory;
  int cells[3];
  struct gmg_layout *layout;
  struct gmg_storage *storage;
  struct gmg_kernel_box *box;
  struct gmg_tiles *tiles;
  int threads;
  /* By array: its component, and its boxes' elements (0, 0, 0). Steps permute both. */
  void *data[GMG_PROGRAM_ARRAYS];
  void **element[GMG_PROGRAM_ARRAYS];
  size_t bytes; /* of a component */
  /* By array: what fills its ghosts inside the grid; NULL: nothing. Arrays may share one. */
  struct gmg_exchange *exchange[GMG_PROGRAM_ARRAYS];
  double parameter[GMG_PROGRAM_PARAMETERS];
  int has_value[GMG_PROGRAM_PARAMETERS];
  gmg_program_info info;
};

/* Cells that the ghosts of all arrays reach beyond a box along an axis. */
static inline int gmg_program_deep(const struct gmg_program *program, int axis)
{
  return axis < program->made->dimensions ? program->made->ghosts : 0;
}
/* The tiles that a kernel visits. Memory: the program's; NULL: out of memory. */
static inline const struct gmg_tiles *gmg_program_tiles(struct gmg_program *program, int kernel)
{
  const struct gmg_kernel_descriptor *made = program->made->kernel[kernel].kernel;
  return gmg_tiles_find(&program->tiles, program->box, program->layout->local_count, made->extra,
                        program->threads, (struct gmg_tile_shape){0, 0});
}

#endif
