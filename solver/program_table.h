/* What a generated program says of itself: kernels, arrays, numbers and steps. gmg-gen writes it of
 * a formula file (docs/programs.md); solver/programs/ runs it. */
#ifndef GMG_PROGRAM_TABLE_H
#define GMG_PROGRAM_TABLE_H

#include "kernel.h"

#if defined __SSE2__
#include <immintrin.h>
#endif

enum { GMG_PROGRAM_FORMAT = 7, GMG_PROGRAM_CYCLE = 8, GMG_PROGRAM_SOLVES = 8 };

/* What stands beyond a wall: values that nothing changes; a cell inside times a factor of 1 or -1,
 * plus a constant; the cells at the other end. */
enum gmg_program_wall { GMG_WALL_FIXED, GMG_WALL_MIRROR, GMG_WALL_PERIODIC };
struct gmg_program_rule {
  enum gmg_program_wall kind;
  int skip;  /* of a mirror: 0, the first ghost takes the first cell; 1, the second one */
  int minus; /* the value is constant - cell, else the cell's */
  double constant;
};

/* What an array holds in a cell, which may lie beyond the walls, at first. */
typedef double gmg_program_initial(const int cells[3], const int cell[3], const double *parameter);

enum { GMG_AGE_NEXT = -1 };
struct gmg_program_array {
  const char *name, *shown;     /* "past1_u" and "u@-1" */
  int of, age;                  /* the array declared; 0, steps ago, or GMG_AGE_NEXT */
  int ghosts, corners;          /* how far kernels read; in two directions at once too */
  gmg_program_initial *initial; /* NULL: it is 0 */
  struct gmg_program_rule wall[3][2];
};

struct gmg_program_kernel {
  const struct gmg_kernel_descriptor *kernel;
  const int *array;     /* the program's, by field */
  const int *parameter; /* the program's, by scalar */
  /* By field: the array whose ghosts beyond walls, star neighbours of cells alone, its form for
   * GPUs fills where the box says that there is a wall (other_lower, other_cells); -1: none. */
  const int *images;
};

/* What a kernel keeps of a row until it stores that past the caches. A processor has few buffers
 * for such stores: as many at once delay what it reads least (64 cells of heat in three dimensions,
 * of 8, 16, 32, 64, 128, 512). */
enum { GMG_STREAM_BYTES = 512 };

/* Stores so many bytes past the caches, but for a rest; `from` lies where 64 bytes begin, and `to`,
 * or all are stored as usual. */
static inline void gmg_stream(void *to, const void *from, size_t bytes)
{
  size_t done = 0;
#if defined __AVX512F__
  for (; (uintptr_t)to % 64 == 0 && done + 64 <= bytes; done += 64)
    _mm512_stream_pd((double *)((char *)to + done),
                     _mm512_load_pd((const double *)((const char *)from + done)));
#elif defined __AVX__
  for (; (uintptr_t)to % 64 == 0 && done + 32 <= bytes; done += 32)
    _mm256_stream_pd((double *)((char *)to + done),
                     _mm256_load_pd((const double *)((const char *)from + done)));
#elif defined __SSE2__
  for (; (uintptr_t)to % 64 == 0 && done + 16 <= bytes; done += 16)
    _mm_stream_pd((double *)((char *)to + done),
                  _mm_load_pd((const double *)((const char *)from + done)));
#endif
  memcpy((char *)to + done, (const char *)from + done, bytes - done);
}

/* After such stores: others see them from here on. */
static inline void gmg_streamed(void)
{
#if defined __SSE2__
  _mm_sfence();
#endif
}

/* An integer for each number, in their order: -0 below 0, NaN above all else, whatever its sign. */
static inline int64_t gmg_order(double x)
{
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = bits < 0 ? bits ^ INT64_MAX : bits;
  return isnan(x) ? INT64_MAX : bits;
}

/* The number of that place. */
static inline double gmg_ordered(int64_t place)
{
  const int64_t bits = place < 0 ? place ^ INT64_MAX : place;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A number that is found between steps, from the values of an expression in all cells: their sum,
 * the least or the largest, of which the kernel finds gmg_order of it, or of minus the least. */
enum gmg_program_reduction_kind { GMG_REDUCTION_SUM, GMG_REDUCTION_MIN, GMG_REDUCTION_MAX };
struct gmg_program_reduction {
  const char *name;
  enum gmg_program_reduction_kind kind;
  struct gmg_program_kernel kernel;
};

/* The array of the program for each coefficient of a solve, in the order of gmg_coefficient
 * (gmg.h), then for its right side and solution; -1: none. Those on faces have the face between
 * cells i - 1 and i at place i. */
enum gmg_program_solve_place { GMG_SOLVE_RHS = 5, GMG_SOLVE_SOLUTION, GMG_SOLVE_PLACES };
struct gmg_program_solve {
  const char *name;
  int array[GMG_SOLVE_PLACES];
};

/* GMG_STEP_RUN: a kernel. GMG_STEP_GHOSTS: the ghosts of an array are filled. GMG_STEP_PERMUTE: the
 * values of cycle[n + 1] become those of cycle[n], those of the first those of the last.
 * GMG_STEP_SOLVE: a solve, by the solver that is attached for it. */
enum gmg_program_step_kind { GMG_STEP_RUN, GMG_STEP_GHOSTS, GMG_STEP_PERMUTE, GMG_STEP_SOLVE };
struct gmg_program_step {
  enum gmg_program_step_kind kind;
  int which; /* kernel, array or solve */
  int count, cycle[GMG_PROGRAM_CYCLE];
};

/* So many rounds of the steps as one kernel, for cells that are far enough from walls. It stores
 * what the array target[n][0] holds after them in the array target[n][1]; then the two take turns.
 */
struct gmg_program_composed {
  int steps;
  struct gmg_program_kernel kernel;
  int targets;
  const int (*target)[2];
};

/* Two rounds of the steps as one launch on a GPU: what the one kernel of a round does, twice. Its
 * fields are the kernel's; a round exchanges the two arrays `turn`. */
struct gmg_program_twice {
  const struct gmg_cuda_kernel *kernel; /* NULL: there is none, */
  const char *reason;                   /* which this says */
  int which;                            /* the kernel that it takes twice */
  int turn[2];                          /* the array that is read at neighbours, and that written */
  /* 1: the array that is written can be seen between steps; values beyond walls of one of them are
   * data. */
  int seen, data;
};

/* In every cell kernel `kernel` adds weight times what the array `from` has at an offset to what it
 * stores in the array `to`; from: -1: the weight itself. */
struct gmg_program_term {
  int kernel, to, from;
  int offset[3];
};

/* All kernels of the steps as sums of such terms, whose weights are the same in all cells. */
struct gmg_program_linear {
  const char *reason; /* "", or why they are no such sums */
  int terms;
  const struct gmg_program_term *term;
  /* Fills the weight of each term. */
  void (*weights)(const double *parameter, double *weight);
};

struct gmg_program_parameter {
  const char *name;
  int has_value;
  double value;
};

struct gmg_program_descriptor {
  int format; /* GMG_PROGRAM_FORMAT */
  const char *name, *isa;
  const char *source, *source_hash;
  int dimensions; /* 2: there is one cell along k */
  enum gmg_precision precision;
  int cells[3], times; /* hints; 0: none */
  int ghosts;          /* the most that any array has */
  int arrays, parameters, kernels, steps;
  int once; /* so many of the steps come first and are taken once */
  const struct gmg_program_array *array;
  const struct gmg_program_parameter *parameter;
  const struct gmg_program_kernel *kernel;
  const struct gmg_program_step *step;
  int reductions;
  const struct gmg_program_reduction *reduction;
  const struct gmg_program_composed *composed; /* NULL: none */
  struct gmg_program_twice twice;
  struct gmg_program_linear linear;
  int solves;
  const struct gmg_program_solve *solve;
};

#endif
