/* ranks: 1 3 5 */
/* Redistribution between layouts, and from and to the caller's arrays, for values on cells and on
 * faces. Preconditions: the source holds a function of the global indices where it is the one to
 * give it, a mark elsewhere. Must vanish: differences in what the target is to hold, all faces of a
 * box included; changes of anything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/exchange.h"
#include "random_layout.h"
#include "ranks.h"

static struct gmg_comm comm;
static const double mark = -777.0;

struct field {
  struct gmg_layout *layout;
  struct gmg_storage *storage;
  void *values; /* the allocation */
  void *start;  /* what is handed over */
  int64_t elements;
};

static double value(enum gmg_place place, const int at[3])
{
  return 1.0 + (double)place + 4.0 * (at[0] + 128.0 * (at[1] + 128.0 * at[2])); /* exact in float */
}

static double *double_at(const struct field *f, int64_t element)
{
  return (double *)f->values + element;
}

static double get(const struct field *f, int64_t element)
{
  return f->storage->element_bytes == sizeof(double) ? *double_at(f, element)
                                                     : (double)((float *)f->values)[element];
}

static void set(const struct field *f, int64_t element, double x)
{
  if (f->storage->element_bytes == sizeof(double))
    *double_at(f, element) = x;
  else
    ((float *)f->values)[element] = (float)x;
}

static void fill_mark(const struct field *f)
{
  for (int64_t e = 0; e < f->elements; e++)
    set(f, e, mark);
}

static void make_values(struct field *f)
{
  f->values = aligned_alloc(64, (size_t)(f->elements + 64) / 64 * 64 * f->storage->element_bytes);
  assert_non_null(f->values);
  f->start = f->values;
  fill_mark(f);
}

static struct field make_field(struct gmg_layout *layout, int ghost, size_t bytes,
                               enum gmg_rows rows)
{
  struct field f = {.layout = layout,
                    .storage = gmg_storage_create(layout, ghost, 0, NULL, bytes, rows)};
  assert_non_null(f.layout);
  assert_non_null(f.storage);
  f.elements = f.storage->elements;
  make_values(&f);
  return f;
}

/* The caller's array: random slabs along a random axis, some of them empty, with any order of
 * strides and gaps. */
static struct field make_view(const int cells[3], unsigned *seed)
{
  struct gmg_box brick[64];
  const int along = (int)(next_random(seed) % 3u), order = (int)(next_random(seed) % 3u);
  int at = 0;
  for (int r = 0; r < comm.ranks; r++) {
    const int room = cells[along] - at + 1, last = r == comm.ranks - 1;
    const int thick = last ? cells[along] - at : (int)(next_random(seed) % (unsigned)room);
    brick[r] = (struct gmg_box){{0, 0, 0}, {cells[0], cells[1], cells[2]}, 0};
    brick[r].lower[along] = at;
    brick[r].upper[along] = at += thick;
  }
  ptrdiff_t stride[3], length = 1 + (ptrdiff_t)(next_random(seed) % 3u);
  for (int d = 0; d < 3; d++) {
    const int axis = (d + order) % 3;
    stride[axis] = length;
    length *= brick[comm.rank].upper[axis] - brick[comm.rank].lower[axis] + 1
      + (ptrdiff_t)(next_random(seed) % 2u);
  }
  struct field f = {.layout = gmg_layout_bricks(cells, brick, comm.rank, comm.ranks)};
  assert_non_null(f.layout);
  f.storage = gmg_storage_view(f.layout, stride);
  assert_non_null(f.storage);
  f.elements = length;
  make_values(&f);
  return f;
}

static void clear(struct field *f, int with_layout)
{
  gmg_storage_destroy(&f->storage);
  if (with_layout)
    gmg_layout_destroy(&f->layout);
  free(f->values);
}

/* Visits what each box holds of a place: its cells, or faces; as a source the faces at lower ends
 * only, and the last of the grid. Fills it, or takes right values out, so that only marks are left;
 * returns how many were wrong. */
static int64_t visit(const struct field *f, enum gmg_place place, int source, int fill)
{
  const struct gmg_storage *s = f->storage;
  int64_t wrong = 0;
  for (int l = 0; l < f->layout->local_count; l++) {
    const struct gmg_box *box = &f->layout->box[f->layout->local[l]];
    int upper[3] = {box->upper[0], box->upper[1], box->upper[2]}, at[3];
    if (place != GMG_CELL) {
      const int axis = (int)place - GMG_FACE_I;
      upper[axis] += !source || upper[axis] == f->layout->cells[axis];
    }
    for (at[2] = box->lower[2]; at[2] < upper[2]; at[2]++)
      for (at[1] = box->lower[1]; at[1] < upper[1]; at[1]++)
        for (at[0] = box->lower[0]; at[0] < upper[0]; at[0]++) {
          const int i = at[0] - box->lower[0];
          const int64_t element = s->origin[l] + (s->odd[l] ? gmg_at(i, s->odd[l]) : i * s->step)
            + (at[1] - box->lower[1]) * s->stride[l][0] + (at[2] - box->lower[2]) * s->stride[l][1];
          assert_true(element >= 0 && element < f->elements);
          if (!fill)
            wrong += get(f, element) != value(place, at);
          set(f, element, fill ? value(place, at) : mark);
        }
  }
  return wrong;
}

static int64_t check(struct field *from, struct field *to, enum gmg_place place)
{
  struct gmg_exchange *e = gmg_exchange_redistribute(&comm, from->storage, to->storage, place);
  assert_non_null(e);
  fill_mark(from);
  fill_mark(to);
  visit(from, place, 1, 1);
  assert_int_equal(gmg_exchange_run(e, from->start, to->start), 0);
  int64_t wrong = visit(to, place, 0, 0);
  for (int64_t i = 0; i < to->elements; i++)
    wrong += get(to, i) != mark;
  assert_true(gmg_exchange_bytes(e) > 0);
  gmg_exchange_destroy(&e);
  return wrong;
}

static int64_t check_places(struct field *from, struct field *to)
{
  int64_t wrong = 0;
  for (int place = GMG_CELL; place <= GMG_FACE_K; place++) {
    wrong += check(from, to, (enum gmg_place)place);
    wrong += check(to, from, (enum gmg_place)place);
  }
  return wrong;
}

static const int sizes[][3] = {{1, 1, 1},    {2, 3, 5},   {9, 1, 4},
                               {12, 12, 12}, {1, 33, 17}, {70, 60, 50}};

static void between_layouts(void **state)
{
  (void)state;
  unsigned seed = 7u;
  int64_t wrong = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int pass = 0; pass < 6; pass++) {
      const size_t bytes = pass % 2 ? sizeof(float) : sizeof(double);
      struct field a = make_field(random_layout(&comm, sizes[s], 1 + 2 * pass, &seed), 1, bytes,
                                  pass & 1 ? GMG_SPLIT : GMG_PLAIN);
      struct field b = make_field(random_layout(&comm, sizes[s], pass < 3 ? 1 : 4, &seed),
                                  1 + pass % 3, bytes, pass & 2 ? GMG_SPLIT : GMG_PLAIN);
      wrong += check_places(&a, &b);
      clear(&a, 1);
      clear(&b, 1);
    }
  if (comm.rank == 0)
    printf("between layouts: %lld wrong values\n", (long long)wrong);
  assert_int_equal(wrong, 0);
}

static void callers_arrays(void **state)
{
  (void)state;
  unsigned seed = 11u;
  int64_t wrong = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int pass = 0; pass < 6; pass++) {
      unsigned shared = seed + 1000u * (unsigned)pass; /* bricks are the same on all ranks */
      struct field array = make_view(sizes[s], &shared);
      struct field inside = make_field(random_layout(&comm, sizes[s], 1 + pass, &seed), 1,
                                       sizeof(double), pass & 1 ? GMG_SPLIT : GMG_PLAIN);
      wrong += check_places(&array, &inside);
      clear(&array, 1);
      clear(&inside, 1);
    }
  if (comm.rank == 0)
    printf("the caller's arrays: %lld wrong values\n", (long long)wrong);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(between_layouts),
                                     cmocka_unit_test(callers_arrays)};
  if (ranks_start(&argc, &argv, &comm))
    return 1;
  return ranks_finish(&comm, cmocka_run_group_tests(tests, NULL, NULL));
}
