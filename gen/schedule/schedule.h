/* How a kernel is run, as data, for every target: precision, row buffers, and how a row of one
 * colour is visited. */
#ifndef GEN_SCHEDULE_H
#define GEN_SCHEDULE_H

#include "ir/tree.h"

/* Of the row buffers at most GEN_MAX_VALUE_ROWS are for stored values, the others for norms. */
enum { GEN_MAX_ROWS = 24, GEN_MAX_VALUE_ROWS = 12, GEN_MAX_NORMS = 4 };
_Static_assert(GEN_MAX_NAMED_ARRAYS + GEN_MAX_ROWS <= GEN_MAX_ARRAYS, "every row is an array");

/* How a row is stored. GEN_SPLIT: the elements of even i, then, `odd` elements after, those of odd
 * i; so that the cells of one colour are contiguous. Fields and lines along i alike. */
enum gen_layout { GEN_PLAIN, GEN_SPLIT };

/* Part of an expression that depends on i only through a table, T[i]: it is computed once along a
 * row of the other level, contiguously, and then picked up by T. array is the private line that
 * holds it; in value, the loop variable i runs over the other level, from `halo` below its interior
 * to `halo` above. A value that reads very many rows of fields is computed in parts, each a row
 * buffer of its own, listed before the one that puts them together. */
struct gen_row {
  int array;
  enum gen_level level;
  int halo;
  const struct gen_expr *value;
  const struct gen_expr *whole; /* the value without parts */
  int parts;                    /* how many row buffers before this one are parts of it */
  int norms;                    /* GEN_NORM statements that its loop works out beside */
  const struct gen_expr *norm[GEN_MAX_NORMS];
};

struct gen_schedule {
  struct gen_kernel *kernel; /* its values read the row buffers */
  enum gen_layout layout;
  enum gen_type precision; /* of arithmetic, and of every field without one of its own */
  enum gen_type field_precision[GEN_MAX_ARRAYS];
  int rows;
  struct gen_row row[GEN_MAX_ROWS];
};

struct gen_schedule *gen_schedule(const struct gen_kernel *kernel, enum gen_layout layout,
                                  enum gen_type precision);
const char *gen_schedule_text(const struct gen_schedule *schedule);

/* What follows from a schedule (gen/schedule/properties.c). The arrays that the kernel reads or
 * writes, row buffers left out, in the order of a descriptor's fields; returns how many. */
int gen_fields(const struct gen_schedule *schedule, int array[GEN_MAX_ARRAYS]);
bool gen_is_row(const struct gen_schedule *schedule, int array);
/* Whether the kernel has three-dimensional fields of its own level, or of another. */
bool gen_has_level(const struct gen_schedule *schedule, bool own);
/* 1 where the loop along the axis visits one element more than there are cells. */
/* Whether each cell stores what no cell reads: in plain rows, fields that are written alone, each
 * at the cell's own place. */
bool gen_stores_apart(const struct gen_schedule *schedule);
int gen_loop_extra(const struct gen_kernel *kernel, enum gen_axis axis);
bool gen_reduces(const struct gen_schedule *schedule, enum gen_scalar_role role);
/* Whether the kernel finds a maximum: its own, or that of |term| of a sum, which bounds its cuts in
 * the next launch. */
bool gen_finds_most(const struct gen_schedule *schedule);
/* "double" or "float" of an array or of the arithmetic. */
const char *gen_type_name(enum gen_type type);
const char *gen_real(const struct gen_schedule *schedule); /* of the arithmetic */
int gen_real_bytes(const struct gen_schedule *schedule);

#endif
