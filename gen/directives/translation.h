/* What the parts of the front end for directives share: the function that is read, its arrays, and
 * what happens in it step by step. */
#ifndef GEN_TRANSLATION_H
#define GEN_TRANSLATION_H

#include "directive.h"
#include "frontend/formula_values.h"
#include "scope.h"

enum { GEN_MAX_EVENTS = 64, GEN_MOST_SPACE = 3, GEN_MAX_SUMS = 4 };

/* An array that nests work on: index d = 0 is the one that runs fastest. */
struct gen_data {
  const struct gen_syntax *variable;
  const char *name;
  struct gen_location where;
  int rank;  /* as its copy or its declaration says */
  bool flat; /* one subscript for all */
  struct gen_integer extent[GEN_MOST_SPACE];
  struct gen_integer stride[GEN_MOST_SPACE]; /* of a flat one */
  bool declared;                             /* with its extents: it needs no copy */
  bool copied, copied_back, used;
  struct gen_location copy;   /* which stated the extents */
  int margin[GEN_MOST_SPACE]; /* elements before the first cell, and after the last one */
  bool placed;                /* whether margins are known */
};

/* A point of an array: along each of its directions a loop's variable plus something, or something
 * alone. */
struct gen_point {
  int data;
  int loop[GEN_MOST_SPACE]; /* index of the nest's loop; -1: none */
  struct gen_integer offset[GEN_MOST_SPACE];
  const struct gen_syntax *syntax;
};

/* How far a kernel reads an array, along each direction before and after the cell that it visits.
 */
struct gen_reach {
  bool read, written, corners; /* corners: along several directions at once */
  int far[GEN_MOST_SPACE][2];
  struct gen_location where[GEN_MOST_SPACE][2];
};

/* A statement that gathers a value of each cell in a variable, which is declared before the nest.
 */
struct gen_sum {
  const struct gen_syntax *statement, *variable, *value;
  enum gen_reduction_kind kind;
  const char *name; /* of the program's reduction */
};

/* Loops that a directive marks, and what stands in the innermost one. */
struct gen_nest {
  struct gen_location where;
  int loops; /* the outermost first */
  const struct gen_syntax *variable[GEN_MAX_LOOPS];
  struct gen_integer lower[GEN_MAX_LOOPS], upper[GEN_MAX_LOOPS]; /* both are visited */
  const struct gen_syntax *body;
  int end; /* the line that it ends in, or nearly so */
  int sums;
  struct gen_sum sum[GEN_MAX_SUMS];
};

/* GEN_EVENT_KERNEL: a nest over all cells, which may have sums. GEN_EVENT_SUM: one that has these
 * alone. GEN_EVENT_WALL: one that fills ghosts. GEN_EVENT_SWAP: arrays take turns; array n has what
 * array from[n] had. */
enum gen_event_kind { GEN_EVENT_KERNEL, GEN_EVENT_SUM, GEN_EVENT_WALL, GEN_EVENT_SWAP };
struct gen_event {
  enum gen_event_kind kind;
  struct gen_location where;
  struct gen_nest *nest;
  const struct gen_directive *directive; /* of a nest; NULL: it has none */
  struct gen_reach *reach;               /* of a kernel or a sum, by array */
  int from[GEN_MAX_PROGRAM_ARRAYS];
  int first; /* of a swap: the array that is assigned first */
};

struct gen_translation {
  const struct gen_directives *directives;
  const struct gen_function *function;         /* with the directives */
  const struct gen_function *const *functions; /* all of the file */
  int function_count;
  struct gen_scope scope;
  int arrays;
  struct gen_data array[GEN_MAX_PROGRAM_ARRAYS];
  int events, before; /* so many of them come before the time loop */
  struct gen_event event[GEN_MAX_EVENTS];
  bool repeated;                    /* there is a time loop */
  int times;                        /* how often it goes round; 0: not known */
  const struct gen_syntax *message; /* the first statement that prints; NULL: there is none */
  const struct gen_syntax *stop;    /* what may end the time loop early; NULL: nothing */
  int dimensions;                   /* 0: no nest over all cells was seen */
  struct gen_location sized;        /* which said the number of cells */
  struct gen_integer cells[GEN_MOST_SPACE];
  struct gen_wall_rule wall[GEN_MAX_PROGRAM_ARRAYS][GEN_MOST_SPACE][2]; /* by array */
  struct gen_formula formula;
};

#endif
