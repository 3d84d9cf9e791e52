/* Boxes with random contents for kernels: every array that any kernel of a library names, as the
 * kernel takes it and as the sequential spec takes it. */
#ifndef GMG_TEST_KERNEL_BOXES_H
#define GMG_TEST_KERNEL_BOXES_H

#include "kernel.h"
#include "spec_calls.h"

enum { TEST_ARRAYS = 256 };

struct test_array {
  struct gmg_field_descriptor field; /* name, kind, place, axis and level count */
  void *data;                        /* as the kernel takes it, padding included */
  size_t bytes;
  void *origin;  /* element (0, 0, 0), or element 0 */
  void *dense;   /* as the spec takes it: double, of tables int */
  uint64_t hash; /* of data as it was filled */
};

struct test_box {
  enum gmg_precision precision; /* of the kernels; fields have theirs */
  enum gmg_rows rows;
  int ghosts;      /* that its kernels read, in every array */
  int cells[3][3]; /* by level: own, finer, coarser; and axis */
  int lower[3];
  ptrdiff_t stride[3][2], odd[3];
  size_t elements[3]; /* of a three-dimensional array of a level, padding included */
  size_t origin[3];
  int paired; /* along i cells pair two by two, with both other levels */
  /* lines of the own level hold the same in all cells but the first and the last */
  int uniform_runs;
  int *lo[3], *hi[3],
    *parent[3]; /* by axis: finer cells of an own one; coarser cell of an own one */
  int arrays;
  struct test_array array[TEST_ARRAYS];
};

/* How far a kernel reaches beyond the interior; 1 at least. */
int test_kernel_ghosts(const struct gmg_kernel_descriptor *kernel);
/* For the kernels that reach `ghosts` far. Own extents, the rest from the seed. NULL: a table of
 * the library has no rule here; it is named on stderr. */
struct test_box *test_box_make(const struct gmg_kernel_library *library,
                               enum gmg_precision precision, enum gmg_rows rows, int ghosts,
                               const int cells[3], uint64_t seed);
void test_box_destroy(struct test_box *box);
struct test_array *test_box_find(struct test_box *box, const struct gmg_field_descriptor *field);
/* The name of an array whose data is not as it was filled, or NULL. */
const char *test_box_changed(const struct test_box *box);

/* Elements of a dense array of a level, and the place of (i, j, k), counted from the first interior
 * cell. */
size_t test_box_dense(const struct test_box *box, int level);
size_t test_box_at(const struct test_box *box, int level, int i, int j, int k);
/* Where element i lies in its row, from element 0. */
ptrdiff_t test_box_along(const struct test_box *box, int level, int i);
/* Of data that is laid out as a field: the place of (i, j, k) in bytes, and the value there. */
size_t test_box_offset(const struct test_box *box, const struct gmg_field_descriptor *field, int i,
                       int j, int k);
double test_box_value(const struct test_box *box, const struct gmg_field_descriptor *field,
                      const void *data, int i, int j, int k);

/* The spec's arguments: all arrays of a level, by name; and all that a kernel names, whatever their
 * level. */
void test_box_level_arguments(struct test_box *box, int level, struct spec_arguments *arguments);
void test_box_kernel_arguments(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                               struct spec_arguments *arguments);
/* What the tests pass for a scalar of this name; of alpha, which is one number where it is a
 * scalar, the last that was set. */
double test_scalar(const char *name);
void test_set_alpha(double alpha);

#endif
