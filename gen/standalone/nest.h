/* A nest of loops that becomes a CUDA kernel: what it works on, and its names. */
#ifndef GEN_NEST_H
#define GEN_NEST_H

#include "edits.h"

enum { GEN_MAX_NEST_SCALARS = 32 };

/* How a kernel reads an array. */
struct gen_use {
  bool used, stored;
  int references;            /* reads */
  int reach[GEN_MOST_SPACE]; /* how far along each direction */
  bool sideways;             /* reads beside the cell along x or y */
  bool corners;              /* and on other planes as well, beside the cell */
};

struct gen_nest_kernel {
  struct gen_translation *translation;
  const char *text; /* the file's */
  const struct gen_event *event;
  const struct gen_nest *nest;
  const char *name;
  int level; /* --opt */
  struct gen_use use[GEN_MAX_PROGRAM_ARRAYS];
  int main; /* the array that is stored first, or read, of sums alone; its strides have the plain
               names */
  int parameters, privates;
  const struct gen_syntax *parameter[GEN_MAX_NEST_SCALARS]; /* read, and the same for all */
  const struct gen_syntax
    *own_variable[GEN_MAX_NEST_SCALARS]; /* of an iteration, but declared before */
  int dimensions;
  /* of cells, by direction: the loop along it, and its first value */
  int loop[GEN_MOST_SPACE];
  long long lower[GEN_MAX_LOOPS]; /* by loop */
  int width, height, depth, rows; /* points of a thread block along x, y, z; of a thread along y */
};

/* Reads the nest of an event. False after a rejection. */
bool gen_read_nest_kernel(struct gen_nest_kernel *kernel);
/* The loops of an event's nest as they stand in the function. */
const struct gen_syntax *gen_loops_of(const struct gen_translation *translation,
                                      const struct gen_event *event);
/* Whether a variable is declared before the nest, and not in it. */
bool gen_is_outer(const struct gen_event *event, const struct gen_syntax *variable);
/* Whether a statement of the nest sets a variable. */
bool gen_is_set(const struct gen_syntax *syntax, const struct gen_syntax *variable);

/* Names that are not the user's: how many cells there are along a direction. */
const char *gen_cells_name(const struct gen_nest_kernel *kernel, int d);
/* A name of what belongs to an array's extents: row, plane, at. */
const char *gen_stride_name(const struct gen_nest_kernel *kernel, const char *name, int data);
/* The element of an array at the visited cell, "x + row * y + plane * z"; or on the plane z + more
 * instead, unless z is NULL. */
const char *gen_cell_index(const struct gen_nest_kernel *kernel, int data, const char *z, int more);
/* Coordinate d, plus more, of the cell in the array: "x", "x + 1". */
const char *gen_coordinate(const struct gen_nest_kernel *kernel, int data, int d, const char *name,
                           int more);
/* In parentheses, if it is more than a word. */
const char *gen_grouped(const char *text);
/* How many elements the array has along d: "cells_x + 2". */
const char *gen_extent(const struct gen_nest_kernel *kernel, int data, int d);
/* The name of the loop along a direction; "" if there is none. */
const char *gen_loop_name(const struct gen_nest_kernel *kernel, int d);
/* "x <= cells_x", or its like, for any name of a value along d. */
const char *gen_within(const struct gen_nest_kernel *kernel, int d, const char *name);
/* "x > cells_x", the contrary. */
const char *gen_beyond(const struct gen_nest_kernel *kernel, int d, const char *name);
/* What follows the last value of the loop: "cells_x + 1". */
const char *gen_loop_end(const struct gen_nest_kernel *kernel, int d);
/* Whether an earlier array of the kernel has the same extents as this one. */
bool gen_shares_strides(const struct gen_nest_kernel *kernel, int data);
/* " + n", " - n" or "". */
const char *gen_plus(long long n);

#endif
