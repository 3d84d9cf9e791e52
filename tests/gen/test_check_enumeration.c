/* The check by isl against an enumeration. Preconditions: in-place kernels with one to three random
 * offsets within 2 in each direction, under random colourings; on a box of 6 x 6 x 6 points all
 * pairs of one colour are tried. What must vanish: kernels on which the two disagree about the
 * existence of a conflict, and pairs named that do not conflict. Where a guard lets both colours of
 * a row through, points of one row do not conflict, and those of other rows do whatever their
 * colour along i is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/check.h"
#include "check/colouring.h"
#include "check/conflict.h"

enum { POINTS = 6, CASES = 150 };

static unsigned random_below(unsigned *seed, unsigned bound)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 16) % bound;
}

static struct gen_access access_at(const int *offset)
{
  struct gen_access access = {.array = 0};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    access.subscript[axis].table = -1;
    access.subscript[axis].affine.coefficient[axis] = 1;
    access.subscript[axis].affine.constant = axis == GEN_BOX ? 0 : offset[axis];
  }
  return access;
}

/* u[box][k][j][i] = sum of u at the offsets, loops 2 .. n + 1 on arrays of n + 4. */
static struct gen_kernel *in_place(int offsets, int offset[][3])
{
  static const char *const names[] = {"i", "j", "k", "box", "ni", "nj", "nk", "boxes"};
  static const int centre[3];
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  *kernel = (struct gen_kernel){
    .name = "random", .comment = "", .symbols = 8, .arrays = 1, .statements = 1};
  for (int s = 0; s < 8; s++)
    kernel->symbol[s].name = names[s];
  struct gen_array *u = &kernel->array[0];
  *u = (struct gen_array){.name = "u", .rank = 4, .first = 2, .restricted = true};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    u->extent[axis].coefficient[GEN_AXES + axis] = 1;
    u->extent[axis].constant = axis == GEN_BOX ? 0 : 4;
    kernel->loop[axis].lower.constant = axis == GEN_BOX ? 0 : 2;
    kernel->loop[axis].upper.coefficient[GEN_AXES + axis] = 1;
    kernel->loop[axis].upper.constant = axis == GEN_BOX ? -1 : 1;
  }
  const struct gen_expr *value = gen_number(1);
  for (int o = 0; o < offsets; o++)
    value = gen_binary(GEN_ADD, value, gen_access_ref(access_at(offset[o])));
  kernel->statement[0] =
    (struct gen_statement){.kind = GEN_STORE, .target = access_at(centre), .value = value};
  gen_mark_accesses(kernel);
  return kernel;
}

static int colour_of(const struct gen_guard *guard, const int *point)
{
  if (guard->kind == GEN_EVERYWHERE)
    return 0;
  if (guard->kind == GEN_PARITY)
    return (point[0] + point[1] + point[2]) % 2;
  return (guard->both ? 0 : point[0] % guard->modulus[0])
    + guard->modulus[0]
    * (point[1] % guard->modulus[1] + guard->modulus[1] * (point[2] % guard->modulus[2]));
}

/* Does updating `a` write what updating `b` reads, both of one colour? */
static bool conflicts(const struct gen_guard *guard, const int *a, const int *b, int offsets,
                      int offset[][3])
{
  if ((a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) || colour_of(guard, a) != colour_of(guard, b))
    return false;
  if (guard->both && a[1] == b[1] && a[2] == b[2])
    return false;
  for (int o = 0; o < offsets; o++)
    if (a[0] == b[0] + offset[o][0] && a[1] == b[1] + offset[o][1] && a[2] == b[2] + offset[o][2])
      return true;
  return false;
}

static bool enumerate(const struct gen_guard *guard, int offsets, int offset[][3])
{
  const int all = POINTS * POINTS * POINTS;
  for (int p = 0; p < all; p++)
    for (int q = 0; q < all; q++) {
      const int a[3] = {2 + p % POINTS, 2 + p / POINTS % POINTS, 2 + p / POINTS / POINTS};
      const int b[3] = {2 + q % POINTS, 2 + q / POINTS % POINTS, 2 + q / POINTS / POINTS};
      if (conflicts(guard, a, b, offsets, offset))
        return true;
    }
  return false;
}

static void check_agrees_with_enumeration(void **state)
{
  (void)state;
  unsigned seed = 20261120;
  int found = 0, disagree = 0;
  for (int c = 0; c < CASES; c++) {
    struct gen_guard guard = {.kind = (enum gen_guard_kind)random_below(&seed, 3), .global = true};
    guard.both = guard.kind == GEN_LATTICE && random_below(&seed, 2);
    struct gen_conflict conflict;
    int offset[3][3], offsets = 1 + (int)random_below(&seed, 3);
    for (int axis = 0; axis < 3; axis++) {
      guard.modulus[axis] = 1 + (int)random_below(&seed, 3);
      for (int o = 0; o < 3; o++)
        offset[o][axis] = (int)random_below(&seed, 5) - 2;
    }
    const struct gen_kernel *kernel = in_place(offsets, offset);
    const bool expected = enumerate(&guard, offsets, offset);
    const bool answer = gen_find_conflict(kernel, &guard, &conflict);
    disagree += answer != expected;
    disagree += answer && !conflicts(&guard, conflict.from, conflict.to, offsets, offset);
    found += answer;
    gen_clear();
  }
  printf("%d kernels, %d with a conflict, %d disagreements\n", CASES, found, disagree);
  assert_int_equal(disagree, 0);
  assert_true(found > CASES / 4 && found < 3 * CASES / 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(check_agrees_with_enumeration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
