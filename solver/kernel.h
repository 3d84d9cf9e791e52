/* What a generated kernel says of itself, and how it is called. Generated files include this header
 * and nothing else of the solver; the launch layer of each back end reads the descriptors. */
#ifndef GMG_KERNEL_H
#define GMG_KERNEL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "relaxation_table.h"

enum { GMG_MAX_FIELDS = 40, GMG_MAX_SCALARS = 8, GMG_SUM_BINS = 2, GMG_KNOWN_BYTES = 1024 };

enum gmg_precision { GMG_F64, GMG_F32 };

/* How rows are stored, by fields and by lines and tables along i: element i at i; or those of even
 * i at i / 2, and `odd` elements after them those of odd i, so that the cells of one colour are
 * contiguous. */
enum gmg_rows { GMG_PLAIN, GMG_SPLIT };

/* Where element i of a split row lies, from element 0. */
static inline ptrdiff_t gmg_at(int i, ptrdiff_t odd)
{
  return (i >> 1) + (i & 1 ? odd : 0);
}

/* What a table along i holds where cells pair two by two: nothing in particular; 2 i; 2 i + 1; i /
 * 2; i / 2 - 1 for even i and i / 2 + 1 for odd i; (i + 1) / 2 - 2, - 1, + 0, + 1. */
enum gmg_table_rule {
  GMG_NO_RULE,
  GMG_EVEN_CHILD,
  GMG_ODD_CHILD,
  GMG_PARENT,
  GMG_BESIDE,
  GMG_AROUND_0,
  GMG_AROUND_1,
  GMG_AROUND_2,
  GMG_AROUND_3
};

enum gmg_place { GMG_CELL, GMG_FACE_I, GMG_FACE_J, GMG_FACE_K };
enum gmg_field_level {
  GMG_OWN,
  GMG_FINER,
  GMG_COARSER
}; /* relative to the level the kernel runs on */
enum gmg_field_kind { GMG_FIELD, GMG_LINE, GMG_TABLE }; /* 3-D values; 1-D values; 1-D indices */

struct gmg_field_descriptor {
  const char *name;
  enum gmg_field_kind kind;
  enum gmg_place place;
  int axis; /* of a line or table: 0 i, 1 j, 2 k */
  enum gmg_field_level level;
  enum gmg_precision precision;
  int read, written;
  int halo_lower[3], halo_upper[3]; /* how far the reads reach beyond the interior, by axis */
  enum gmg_table_rule rule;         /* of a table */
};

enum gmg_kernel_role {
  GMG_AS_WRITTEN,       /* found by its name */
  GMG_APPLY,            /* w = A u */
  GMG_RESIDUAL,         /* r = f - A u */
  GMG_INVERSE_DIAGONAL, /* dinv = 1 / diagonal of A */
  GMG_JACOBI,           /* w = u + omega dinv (f - A u) */
  GMG_GAUSS_SEIDEL, /* the same in place on the cells of one colour; scalar "colour". dinv is read,
                       or the diagonal summed */
  GMG_GAUSS_SEIDEL_SUMS, /* the same from sums, A = D + N: (1 - omega) u + omega (f - N u) / D;
                            rounds more. In single, of few operators */
  /* GMG_GAUSS_SEIDEL on the cells of scalar "colour" and then on those of the colour that differs
   * from it along i alone, row by row, with the same bits; of two colours along i and ghosts that
   * follow no formula. Right only where nothing needs to be exchanged between the two: in boxes
   * that reach from wall to wall along i, and whose rows of one colour are no neighbours. */
  GMG_GAUSS_SEIDEL_ROWS,
  /* Of two colours by parity, the first sweep where u is 0, which need not be stored: u = omega f /
   * D in the cells of the first colour; u = omega (f - N u) / D in those of the second, whose own u
   * is not read. */
  GMG_ZERO_FIRST,
  GMG_ZERO_SECOND,
  GMG_CHEBYSHEV, /* w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u */
  GMG_RESIDUAL_RESTRICT, /* coarse = restriction of f - A u, the residual itself never stored */
  GMG_RESIDUAL_NORM,     /* sum and maximum of ((f - A u) / volume), squared and absolute */
  GMG_RESIDUAL_SINGLE,   /* the same, and single = s (f - A u) */
  GMG_RESTRICT_NORM, /* both: restriction of f - A u, where the weights are 0 or 1, and its sum and
                        maximum */
  /* Of two colours by parity: f - A u where gmg_counts(only, ...), 0 elsewhere, and the same in sum
   * and maximum, by the scalar "only", which GMG_RESIDUAL_RESTRICT and GMG_RESTRICT_NORM of such
   * operators have, too. */
  GMG_RESIDUAL_PART,
  GMG_NORM_PART,
  GMG_TERMS_NORM /* sum and maximum, squared and not, of the sizes of all terms of A u over the
                    volume: |A| |u|. In double */
};

/* Rows that are to be in cache before their turn comes: kernels ask memory for some cache lines of
 * them at every row that they visit themselves, so that neither waits for the other. */
enum { GMG_AHEAD_RANGES = 96 };
struct gmg_ahead_rows {
  const char *first; /* rows of so many lines, `stride` bytes apart */
  ptrdiff_t stride;
  int rows, lines;
};
struct gmg_ahead {
  int ranges, range, row, line; /* of range.rows' lines the next is [range], [row], [line] */
  int rows_left;                /* to visit until lines are asked for again */
  int rows_between;             /* two of those times */
  int each;                     /* lines at a time */
  struct gmg_ahead_rows rows[GMG_AHEAD_RANGES];
};

/* Lanes that have their own sums: of two vectors, so that one's additions need not wait for the
 * other's. */
#ifdef __AVX512F__
enum { GMG_LANES = 16 };
#else
enum { GMG_LANES = 8 };
#endif

/* Asks for GMG_LANES values a page on from this one: it is the processor that looks ahead within a
 * page. */
static inline void gmg_soon(const void *value)
{
  for (size_t n = 0; n < GMG_LANES * sizeof(double); n += 64)
    __builtin_prefetch((const char *)value + 4096 + n, 0, 3);
}

static inline void gmg_fetch(struct gmg_ahead *ahead)
{
  if (!ahead || ahead->rows_left-- > 0)
    return;
  ahead->rows_left = ahead->rows_between;
  for (int wanted = ahead->each; wanted > 0 && ahead->range < ahead->ranges;) {
    const struct gmg_ahead_rows *rows = &ahead->rows[ahead->range];
    const char *line = rows->first + ahead->row * rows->stride + ahead->line * 64;
    const int left = rows->lines - ahead->line, count = wanted < left ? wanted : left;
    for (int n = 0; n < count; n++)
      __builtin_prefetch(line + n * 64, 0, 2); /* to the second level */
    wanted -= count;
    ahead->line = count < left ? ahead->line + count : 0;
    ahead->row += count == left;
    if (ahead->row == rows->rows)
      ahead->row = 0, ahead->range++;
  }
}

struct gmg_tile { /* a part of a box: all i, and [j0, j1) x [k0, k1), counted from the box's first
                   * cell; where a kernel also visits last faces, the last tiles reach one further
                   * than the cells */
  int box, j0, j1, k0, k1;
  struct gmg_ahead *ahead; /* NULL: nothing is wanted */
};

/* A box as a kernel sees it. Element (i, j, k), counted from the first interior cell, of a field
 * that lives on the kernel's own level is at base + i + j stride[0] + k stride[1], in split rows
 * gmg_at(i, odd) instead of i; of one on the other level, other_stride and other_odd. */
struct gmg_kernel_box {
  int cells[3];       /* own level, by axis */
  int lower[3];       /* global index of the first cell: colours depend on it */
  int other_cells[3]; /* of the box of the other level that transfers read or write */
  int other_lower[3]; /* likewise */
  ptrdiff_t stride[2], other_stride[2];
  ptrdiff_t odd, other_odd; /* of split rows; 0 where rows are plain */
  /* 1 + n: every table along i whose descriptor says what it holds in paired rows does hold it,
   * but for the n first and the n last cells; 0: too few of them do */
  int paired;
};

/* Whether cell (i, j, k) of a box is of the colour that is wanted, 1 + 0 or 1 + 1; 0: either is. */
static inline int gmg_counts(int only, const int lower[3], int i, int j, int k)
{
  return only == 0 || ((lower[0] + lower[1] + lower[2] + i + j + k + only) & 1);
}

/* The elements of a parity, of `count`, where they do: [from, to). */
static inline int gmg_paired_from(const struct gmg_kernel_box *box, int parity, int count)
{
  const int from = (box->paired - parity) / 2;
  return box->paired && from < count ? from : count;
}

static inline int gmg_paired_to(const struct gmg_kernel_box *box, int parity, int count)
{
  const int from = gmg_paired_from(box, parity, count),
            to = (box->cells[0] - box->paired + 2 - parity) / 2;
  return to < from ? from : to < count ? to : count;
}

/* Where cell (i, j, k) of the kernel's own level lies, from element (0, 0, 0). */
static inline ptrdiff_t gmg_offset(const struct gmg_kernel_box *box, int i, int j, int k)
{
  return (box->odd ? gmg_at(i, box->odd) : i) + j * box->stride[0] + k * box->stride[1];
}

/* The bits of a number as an integer. */
static inline uint64_t gmg_bits(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Those of |x|: in the order of |x|, NaN above all else. */
static inline int64_t gmg_size(double x)
{
  return (int64_t)gmg_bits(fabs(x));
}

static inline int32_t gmg_size_single(float x)
{
  int32_t bits;
  const float size = fabsf(x);
  memcpy(&bits, &size, sizeof bits);
  return bits;
}

/* The number of that size. */
static inline double gmg_sized(int64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline double gmg_sized_single(int32_t bits)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

/* A value where it counts, else 0; by its bits, which takes no branch into a loop. */
static inline double gmg_only(int counts, double value)
{
  const uint64_t bits = gmg_bits(value) & -(uint64_t)counts;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

static inline float gmg_only_single(int counts, float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= -(uint32_t)counts;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* For values that are kept from row to row: whether what they are made of has changed, or was never
 * known; notes it. */
static inline int gmg_changes(double *known, const double *now, int count)
{
  int changes = 0;
  for (int n = 0; n < count; n++) {
    changes |= !(known[n] == now[n]);
    known[n] = now[n];
  }
  return changes;
}

/* Where the lines of a box's level hold the same from row to row, and from cell to cell. */
struct gmg_uniform_runs {
  /* lines along j hold the same in rows j to rows[j] - 1; from the ghosts that lines reach on */
  const int *rows;
  /* 1 + n, n 0 or 1: lines along i hold the same in all cells but the n first and the n last; 0:
   * they do not */
  int cells;
};

/* The row after those that are like row `first`; runs: of the box, NULL where nothing is known. */
static inline int gmg_uniform_rows_end(const struct gmg_uniform_runs *runs, int first, int end)
{
  const int to = runs ? runs->rows[first] : first + 1;
  return to < end ? to : end;
}

/* Elements of a parity whose cells are alike, from `from` to `end`; GMG_END_CELLS at an end where
 * one of them is not. Where there are too few end is not after from. */
enum { GMG_END_CELLS = 16 };

static inline int gmg_uniform_from(int cells, int parity)
{
  return cells - parity > 1 ? GMG_END_CELLS : 0;
}

static inline int gmg_uniform_end(const struct gmg_kernel_box *box, int cells, int parity,
                                  int count)
{
  const int end = (box->cells[0] - cells + 2 - parity) / 2;
  return cells == 0 ? 0 : end < count ? count - GMG_END_CELLS : count;
}

/* A sum whose value does not depend on the order of its terms: each is rounded to a multiple of a
 * quantum, and what that leaves of it to one of a far smaller quantum; the multiples, integers, are
 * added (after Demmel and Nguyen, "Fast reproducible floating-point summation", 2013, whose bins
 * are floating-point numbers). cut[b] is 1.5 · 2^52 quanta: the last bits of term + cut[b] are the
 * multiple, and more by a constant, the bits of cut[b], that is taken off at the end of a tile. */
struct gmg_reduction {
  double cut[GMG_SUM_BINS];
  uint64_t bin[GMG_SUM_BINS]; /* modulo 2^64, which two's complement makes a signed number */
  int64_t most;               /* gmg_size of the maximum */
};

struct gmg_kernel_args {
  int tiles;
  const struct gmg_tile *tile;
  const struct gmg_kernel_box *box;
  void *const
    /* field[f][box]: element (0, 0, 0); of a line or table, element 0. Values of tables are indices
       counted from the first interior cell of the other level's box. The order of f is that of the
       descriptor. */
    *field[GMG_MAX_FIELDS];
  double scalar[GMG_MAX_SCALARS]; /* in the order of the descriptor */
  /* one per thread (threads of them), cuts filled in, bins and most added to */
  struct gmg_reduction *reduction;
  int threads, stream; /* OpenMP threads to use; 1: programs' kernels store past the caches */
  /* of kernels with rows or lines > 0: scratch_stride bytes per thread, 64-byte aligned; at least
   * (rows * (longest other_cells[0] + 64) + lines * longest stride[0]) * 8 + 256 + GMG_KNOWN_BYTES.
   * Row buffers may keep what they hold from tile to tile, the first GMG_KNOWN_BYTES say of what:
   * all bits 1 before the first tile, and whenever a line has changed */
  void *scratch;
  size_t scratch_stride;
  const struct gmg_uniform_runs *uniform_runs; /* per box; NULL: nothing is known */
};

typedef void gmg_kernel_function(const struct gmg_kernel_args *args);
/* One tile only, by the calling thread: what passes over several kernels are made of. thread picks
 * scratch and reduction. */
typedef void gmg_tile_function(const struct gmg_kernel_args *args, const struct gmg_tile *tile,
                               int thread);

struct gmg_cuda_kernel; /* cuda/runtime/cuda_kernel.h */

struct gmg_kernel_descriptor {
  const char *name; /* as in its source; derived kernels: operator_role */
  /* what distinguishes it from others of the same name and precision: "" or "uniform_alpha" */
  const char *variant;
  enum gmg_kernel_role role;
  enum gmg_precision precision;
  enum gmg_rows rows_stored;
  gmg_kernel_function *run;
  gmg_tile_function *run_tile;
  int fields, scalars;
  const struct gmg_field_descriptor *field;
  const char *const *scalar; /* names; uniform fields appear here under their field's name */
  int extra[3];              /* 1 in a direction whose loop also visits the last face */
  int rows, lines; /* row buffers that it needs (args->scratch), of the other level and its own */
  double flops, bytes; /* per cell of the own level; bytes: compulsory, each field once */
  const struct gmg_cuda_kernel *cuda; /* its text for GPUs; NULL: it was not linked */
  const char *source;                 /* file of the spec */
  const char *source_hash;            /* of the spec's text and the generator's version */
};

static inline int gmg_is_from_zero(const struct gmg_kernel_descriptor *kernel)
{
  return kernel->role == GMG_ZERO_FIRST || kernel->role == GMG_ZERO_SECOND;
}

/* Sweeps over the cells of one colour. */
static inline int gmg_sweeps_one_colour(const struct gmg_kernel_descriptor *kernel)
{
  return kernel->role == GMG_GAUSS_SEIDEL || kernel->role == GMG_GAUSS_SEIDEL_SUMS
    || gmg_is_from_zero(kernel);
}

/* How many colours of Gauss-Seidel a run sweeps over; 0: it is no sweep. */
static inline int gmg_colours_swept(const struct gmg_kernel_descriptor *kernel)
{
  return kernel->role == GMG_GAUSS_SEIDEL_ROWS ? 2 : gmg_sweeps_one_colour(kernel);
}

enum gmg_boundary_form { GMG_FOLDED_CONDUCTANCES, GMG_GHOST_FORMULAS };
enum gmg_exchange_shape { GMG_STAR, GMG_FULL }; /* faces only; edges and corners too */

struct gmg_operator_descriptor {
  const char *name, *comment;
  enum gmg_boundary_form boundary;
  enum gmg_exchange_shape exchange;
  int ghost;   /* depth that u needs */
  int colours; /* of Gauss-Seidel */
  /* 1: colour = (i + j + k) mod 2; 0: colour = c_i + m_i (c_j + m_j c_k), c = index mod modulus */
  int parity, modulus[3];
  const struct gmg_relaxation *relaxation; /* by shape; NULL: the analysis does not hold */
  int kernels;
  const struct gmg_kernel_descriptor *const *kernel;
};

/* All that was generated for one instruction set. */
struct gmg_kernel_library {
  const char *isa; /* "baseline", "x86-64-v3", "x86-64-v4" */
  int operators;
  const struct gmg_operator_descriptor *const *operator_;
  int kernels; /* as written: transfers, vector operations, sums */
  const struct gmg_kernel_descriptor *const *kernel;
};
/* The libraries that were built, best last; NULL-terminated. Made by the build from the files of
 * operators/. */
extern const struct gmg_kernel_library *const gmg_kernel_libraries[];

#endif
