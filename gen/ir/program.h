/* A program: kernels, the arrays and scalars that they work on, and the steps that are taken again
 * and again. What a formula file says. */
#ifndef GEN_PROGRAM_H
#define GEN_PROGRAM_H

#include "tree.h"

enum {
  GEN_MAX_PROGRAM_ARRAYS = 32,
  GEN_MAX_PROGRAM_SCALARS = 32,
  GEN_MAX_PROGRAM_KERNELS = 16,
  GEN_MAX_STEPS = 128,
  GEN_MAX_REDUCTIONS = 16,
  GEN_MAX_SOLVES = 8,
  GEN_MAX_GHOSTS = 8, /* how far a kernel may read from its own point */
  GEN_MAX_AGE = 4,    /* how many past values of an array there may be */
  GEN_MAX_CYCLE = 8,
  GEN_MAX_PARAMETERS = 8 /* that one kernel may read */
};

/* What stands beyond a wall: what is in the array and stays; factor times a cell inside, plus a
 * constant; or the cells at the other end. */
enum gen_wall_kind { GEN_WALL_UNSET, GEN_WALL_FIXED, GEN_WALL_MIRROR, GEN_WALL_PERIODIC };
struct gen_wall_rule {
  enum gen_wall_kind kind;
  /* GEN_WALL_MIRROR: 0, the first ghost takes the first cell; 1, the second one */
  int skip;
  double factor, constant;
  const char *text; /* as a formula file says it */
};

/* Values of one time of an array that the program declares. */
enum { GEN_AGE_NEXT = -1 };
struct gen_program_array {
  const char *name;  /* in emitted text */
  const char *shown; /* in messages */
  struct gen_location where;
  int of;  /* the array that is declared; its own index for that one itself */
  int age; /* 0: as declared; n: n steps ago; GEN_AGE_NEXT: room for those to come */
  struct gen_wall_rule wall[3][2];
  bool read, written;
  const char *initial; /* its values at first, in C (emit/program_initial.c); NULL: not said */
  int ghosts;          /* how far kernels read beyond the cells */
  bool corners;        /* and whether in two directions at once */
};

struct gen_program_scalar {
  const char *name;
  struct gen_location where;
  bool has_value, read;
  double value;
};

/* A kernel, and the program's array for each of the kernel's. */
struct gen_program_kernel {
  struct gen_kernel *kernel;
  int array[GEN_MAX_ARRAYS];
};

/* A number that is found from the arrays between steps: the sum, the least or the largest of the
 * values of an expression in all cells. Its kernel reduces that expression; of the least, minus it.
 */
enum gen_reduction_kind { GEN_REDUCTION_SUM, GEN_REDUCTION_MIN, GEN_REDUCTION_MAX };
extern const char *const gen_reduction_words[];
struct gen_reduction {
  const char *name;
  struct gen_location where;
  enum gen_reduction_kind kind;
  struct gen_program_kernel kernel;
};

/* A solve by a solver that the application attaches: the array of the program for each of these
 * words; -1: none. Face arrays have the face between cells i - 1 and i at place i. */
enum gen_solve_word {
  GEN_SOLVE_ALPHA,
  GEN_SOLVE_BETA,
  GEN_SOLVE_BETA_X,
  GEN_SOLVE_BETA_Y,
  GEN_SOLVE_BETA_Z,
  GEN_SOLVE_RHS,
  GEN_SOLVE_SOLUTION,
  GEN_SOLVE_WORDS
};
extern const char *const gen_solve_words[];
struct gen_solve {
  const char *name;
  struct gen_location where;
  int array[GEN_SOLVE_WORDS];
};
/* The axis along which arrays of that word are on faces; -1: they are on cells. */
int gen_solve_axis(int word);

/* GEN_STEP_RUN: a kernel. GEN_STEP_GHOSTS: the ghosts of an array are filled. GEN_STEP_PERMUTE: the
 * values of cycle[n + 1] become those of cycle[n], those of the first those of the last.
 * GEN_STEP_SOLVE: a solve. */
enum gen_step_kind { GEN_STEP_RUN, GEN_STEP_GHOSTS, GEN_STEP_PERMUTE, GEN_STEP_SOLVE };
struct gen_step {
  enum gen_step_kind kind;
  struct gen_location where;
  int kernel;
  int array;
  int solve;
  int count, cycle[GEN_MAX_CYCLE];
};

/* Several rounds of the steps as one kernel (derive/compose.h): it stores what each array holds
 * after them in another one, its target, and the two take turns. */
struct gen_composed {
  int steps; /* 0: none */
  struct gen_program_kernel kernel;
  int targets, array[GEN_MAX_PROGRAM_ARRAYS], target[GEN_MAX_PROGRAM_ARRAYS];
  int terms, single_terms; /* products of values in a cell: of the kernel, and of a round */
};

struct gen_program {
  const char *name, *path;
  int dimensions; /* 2: there is one cell along k */
  enum gen_type type;
  int cells[3]; /* 0: the file does not say */
  int times;    /* how often the steps are taken; 0: the file does not say */
  int arrays, scalars, kernels, steps, reductions, solves;
  struct gen_program_array array[GEN_MAX_PROGRAM_ARRAYS];
  struct gen_program_scalar scalar[GEN_MAX_PROGRAM_SCALARS];
  struct gen_program_kernel kernel[GEN_MAX_PROGRAM_KERNELS];
  int once; /* so many of the steps come first and are taken once */
  struct gen_step step[GEN_MAX_STEPS];
  struct gen_reduction reduction[GEN_MAX_REDUCTIONS];
  struct gen_solve solve[GEN_MAX_SOLVES];
  struct gen_composed composed;
};

/* How deep the ghosts of all arrays are: as the deepest that any kernel reads. */
int gen_program_ghosts(const struct gen_program *program);
/* Gives a kernel of the program loops over all cells, which count from `first`, and symbols in the
 * order of a C function's arguments. */
void gen_program_make_loops(struct gen_kernel *kernel, int first);
/* Adds an array of the program, by its index, to those of a kernel with such loops. */
void gen_program_add_array(const struct gen_program *program, int index, int first,
                           struct gen_program_kernel *bound);
/* Whether a kernel reads an array of its own elsewhere than at the point it is at. */
bool gen_reads_neighbours(const struct gen_kernel *kernel, int array);
/* Adds a step at the end, or, with `at` >= 0, before step `at`; rejects one too many. */
bool gen_add_step(struct gen_program *program, int at, struct gen_step step);
/* The whole program in words, as `--dump program` prints it. */
const char *gen_program_text(const struct gen_program *program);

#endif
