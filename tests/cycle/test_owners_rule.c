/* Preconditions: none. What must vanish: cells that no neighbouring coarse cell owns, but for those
 * that walls or their mass hold; neighbours whose owners are more than one coarse cell apart, so
 * that coarse stencils would reach further than 27 points; a body of a few cells that two coarse
 * cells share; a body that shares its owner with another one where there is room beside it; and
 * what sums over all cells lose from level to level; the difference between plans of one operator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owners/blocks.h"
#include "owners/coarse_links.h"
#include "owners/election.h"
#include "owners/plan.h"

enum { N = 30, CELLS = N * N * N };

static double hash(int i, int j, int k)
{
  uint64_t x = (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 29 ^ (uint64_t)j) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 31 ^ (uint64_t)k) * 0x94D049BB133111EBu;
  x ^= x >> 29;
  return (double)(x >> 11) / 9007199254740992.0;
}

/* Cubes of 3 cells, one in every 6, at random places. */
static int in_cube(int i, int j, int k)
{
  const int at[3] = {i, j, k};
  int inside = 1;
  for (int d = 0; d < 3; d++) {
    const int low = (int)(4 * hash(d + 10 * (i / 6), j / 6, k / 6));
    inside &= at[d] % 6 >= low && at[d] % 6 < low + 3;
  }
  return inside;
}

enum medium { CUBES, CHECKERBOARD, LAYERS, NOISE, ROUGH, MEDIA };
static const char *const medium_name[] = {"cubes", "checkerboard", "layers", "noise", "rough"};

static double value(enum medium medium, int i, int j, int k)
{
  switch (medium) {
  case CUBES:
    return in_cube(i, j, k) ? 1e3 : 1;
  case CHECKERBOARD:
    return (i / 3 + j / 3 + k / 3) % 2 ? 1e3 : 1;
  case LAYERS:
    return k % 2 ? 1e3 : 1;
  case NOISE:
    return hash(i, j, k) < 0.3 ? 1e3 : 1;
  default:
    return exp(8 * hash(i, j, k));
  }
}

/* The couplings of a medium on N^3 cells of width 1, with Dirichlet walls where it is not periodic,
 * and a mass of 1 in every cell. */
static void make_links(enum medium medium, int periodic, struct gmg_links *links)
{
  *links = (struct gmg_links){.cells = {N, N, N}, .periodic = {periodic, periodic, periodic}};
  assert_int_equal(gmg_links_allocate(links, 0), 0);
  for (size_t at = 0; at < CELLS; at++) {
    int cell[3];
    gmg_links_cell(links, at, cell);
    const double own = value(medium, cell[0], cell[1], cell[2]);
    links->mass[at] = 1;
    for (int d = 0; d < 3; d++) {
      int next[3] = {cell[0], cell[1], cell[2]};
      next[d] = (cell[d] + 1) % N;
      const double other = value(medium, next[0], next[1], next[2]);
      if (next[d] > 0 || periodic)
        links->link[gmg_link_along(d)][at] = 2 / (1 / own + 1 / other);
      if (!periodic)
        links->wall[d][at] = 2 * own * ((cell[d] == 0) + (cell[d] == N - 1));
    }
  }
}

/* Of a step of a plan: the blocks and their tables, two cells by two. */
struct paired {
  struct gmg_blocks blocks;
  int table[3][3][N];
};

static void pair_up(const struct gmg_owner_step *step, struct paired *p)
{
  for (int d = 0; d < 3; d++) {
    int coarse = 0;
    const int fine = step->fine_cells[d], pairs = step->pairs.width[d] > 0;
    for (int i = 0; i < fine; coarse++) {
      const int both = pairs && i + 1 < fine;
      p->table[d][1][coarse] = i;
      p->table[d][2][coarse] = i + both;
      for (int c = 0; c <= both; c++)
        p->table[d][0][i + c] = coarse;
      i += 1 + both;
    }
    p->blocks.cells[d] = coarse;
    p->blocks.periodic[d] = step->coarse.periodic[d];
    p->blocks.parent[d] = p->table[d][0];
    p->blocks.first[d] = p->table[d][1];
    p->blocks.last[d] = p->table[d][2];
  }
}

/* How many pairs of neighbours have owners more than one coarse cell apart, or owners that are not
 * beside them. */
static int apart(const struct gmg_links *links, const struct gmg_blocks *blocks,
                 const unsigned char *owner)
{
  int bad = 0;
  for (size_t at = 0; at < gmg_links_count(links); at++) {
    struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
    int cell[3], next[3], one[3], two[3];
    gmg_links_cell(links, at, cell);
    gmg_block_owner(blocks, cell, owner[at], one);
    if (owner[at] == GMG_NO_OWNER)
      continue;
    bad += owner[at] >= GMG_OWNER_CODES;
    const int count = gmg_links_of(links, cell, neighbour);
    for (int n = 0; n < count; n++) {
      if (owner[neighbour[n].at] == GMG_NO_OWNER)
        continue;
      gmg_neighbour_cell(links, cell, &neighbour[n], next);
      gmg_block_owner(blocks, next, owner[neighbour[n].at], two);
      bad += !gmg_block_near(blocks, one, two);
    }
  }
  return bad;
}

static double sum_of(const struct gmg_links *links)
{
  double sum = 0;
  for (size_t at = 0; at < gmg_links_count(links); at++)
    sum += links->mass[at];
  return sum;
}

/* A plan on axes of N cells, from links that are used up. */
static struct gmg_owner_plan *plan_from(struct gmg_links *links, int periodic, int threads)
{
  struct gmg_axis axis[3];
  double width[N];
  for (int i = 0; i < N; i++)
    width[i] = 1;
  for (int d = 0; d < 3; d++) {
    const gmg_boundary kind = periodic ? GMG_PERIODIC : GMG_DIRICHLET;
    axis[d] = (struct gmg_axis){.cells = N, .kind = {kind, kind}, .width = width, .weight = 1};
  }
  struct gmg_owner_plan *plan = gmg_owners_plan(links, axis, 1, NULL, threads);
  assert_non_null(plan);
  return plan;
}

static struct gmg_owner_plan *plan_of(enum medium medium, int periodic, int threads)
{
  struct gmg_links links;
  make_links(medium, periodic, &links);
  return plan_from(&links, periodic, threads);
}

static size_t count_cells(const struct gmg_owner_step *step)
{
  size_t cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= (size_t)step->fine_cells[d];
  return cells;
}

/* Cells of all levels that have no owner. */
static size_t count_unowned(const struct gmg_owner_plan *plan)
{
  size_t count = 0;
  for (int n = 0; n < plan->steps; n++)
    for (size_t at = 0; at < count_cells(&plan->step[n]); at++)
      count += plan->step[n].owner[at] == GMG_NO_OWNER;
  return count;
}

static void stencils(void **state)
{
  (void)state;
  int failures = 0;
  for (int medium = 0; medium < MEDIA; medium++)
    for (int periodic = 0; periodic < 2; periodic++) {
      struct gmg_links links;
      struct paired paired;
      struct gmg_owner_plan *plan = plan_of((enum medium)medium, periodic, 2);
      make_links((enum medium)medium, periodic, &links);
      pair_up(&plan->step[0], &paired);
      const int bad = apart(&links, &paired.blocks, plan->step[0].owner);
      const double lost = sum_of(&plan->step[plan->steps - 1].coarse) - CELLS;
      const size_t unowned = count_unowned(plan);
      printf(
        "%s%s: %d levels, %zu cells given away, %zu pieces forced; %zu cells without owners; %d "
        "pairs too far apart, sum off by %g\n",
        medium_name[medium], periodic ? ", periodic" : "", plan->steps + 1,
        plan->step[0].election.given_cells, plan->step[0].election.forced, unowned, bad, lost);
      failures += bad > 0 || (unowned == 0 && fabs(lost) > 1e-9) || (periodic && unowned > 0);
      failures +=
        (medium == CUBES || medium == CHECKERBOARD) && plan->step[0].election.given_cells == 0;
      gmg_links_clear(&links);
      gmg_owners_destroy(&plan);
    }
  assert_int_equal(failures, 0);
}

/* Two plans have the same owners and operators, to the last bit. */
static void assert_same(const struct gmg_owner_plan *one, const struct gmg_owner_plan *two)
{
  assert_int_equal(one->steps, two->steps);
  for (int n = 0; n < one->steps; n++) {
    const struct gmg_owner_step *a = &one->step[n], *b = &two->step[n];
    const size_t bytes = gmg_links_count(&a->coarse) * sizeof(double);
    assert_memory_equal(a->owner, b->owner, count_cells(a));
    for (int m = 0; m < GMG_LINKS; m++)
      assert_memory_equal(a->coarse.link[m], b->coarse.link[m], bytes);
    for (int d = 0; d < 3; d++)
      assert_memory_equal(a->coarse.wall[d], b->coarse.wall[d], bytes);
    assert_memory_equal(a->coarse.mass, b->coarse.mass, bytes);
  }
}

/* Any number of threads elects every owner alike. */
static void threads(void **state)
{
  (void)state;
  for (int medium = 0; medium < MEDIA; medium++)
    for (int periodic = 0; periodic < 2; periodic++) {
      struct gmg_owner_plan *one = plan_of((enum medium)medium, periodic, 1),
                            *three = plan_of((enum medium)medium, periodic, 3);
      assert_same(one, three);
      gmg_owners_destroy(&one);
      gmg_owners_destroy(&three);
    }
}

/* The owners of all levels are those that the rule gave when every cell was looked at by itself, in
 * one order; those of noise, where room is made for forced pieces, by one thread. */
static void recorded(void **state)
{
  (void)state;
  static const uint64_t owners[ROUGH][2] = {{0x35f0178a602a59d7, 0xbc938bcb480418f3},
                                            {0xbcb6d6c440abcb2e, 0xe471d7394e9cd8df},
                                            {0x3959fe5faa91c86b, 0x508fa0324e188447},
                                            {0xd196a30b26eafb85, 0xeb2d1ddff8efa7f7}};
  int failures = 0;
  for (int medium = 0; medium < ROUGH; medium++) /* whose beta takes exp, which may round alike */
    for (int periodic = 0; periodic < 2; periodic++) {
      struct gmg_owner_plan *plan = plan_of((enum medium)medium, periodic, 2);
      uint64_t sum = 14695981039346656037u;
      for (int n = 0; n < plan->steps; n++)
        for (size_t at = 0; at < count_cells(&plan->step[n]); at++)
          sum = (sum ^ plan->step[n].owner[at]) * 1099511628211u;
      const int bad = sum != owners[medium][periodic];
      printf("%s%s: owners 0x%016llx%s\n", medium_name[medium], periodic ? ", periodic" : "",
             (unsigned long long)sum, bad ? " <-" : "");
      failures += bad;
      gmg_owners_destroy(&plan);
    }
  assert_int_equal(failures, 0);
}

/* Conductances of faces in rows with gaps, which lie where a level has them: the plan is that of
 * links without gaps. */
static void faces(void **state)
{
  (void)state;
  enum { ROW = N + 3, PLANE = ROW * (N + 2), ALL = PLANE * (N + 1) };
  double *field = calloc(3 * ALL, sizeof *field),
         *const face[3] = {field, field + ALL, field + 2 * ALL};
  const ptrdiff_t stride[3] = {1, ROW, PLANE};
  for (int medium = 0; medium < MEDIA; medium++)
    for (int periodic = 0; periodic < 2; periodic++) {
      struct gmg_links links,
        view = {.cells = {N, N, N}, .periodic = {periodic, periodic, periodic}};
      make_links((enum medium)medium, periodic, &links);
      view.mass = links.mass;
      links.mass = NULL;
      for (size_t at = 0; at < CELLS; at++) {
        int cell[3];
        gmg_links_cell(&links, at, cell);
        for (int d = 0; d < 3; d++) {
          double *low = &face[d][cell[0] + cell[1] * ROW + cell[2] * PLANE];
          const int last = cell[d] == N - 1;
          if (cell[d] == 0)
            *low = links.wall[d][at];
          low[stride[d]] =
            last && !periodic ? links.wall[d][at] : links.link[gmg_link_along(d)][at];
          if (last && periodic)
            low[-(N - 1) * stride[d]] = low[stride[d]];
        }
      }
      gmg_links_clear(&links);
      gmg_links_view(&view, face, stride);
      struct gmg_owner_plan *one = plan_of((enum medium)medium, periodic, 2),
                            *two = plan_from(&view, periodic, 2);
      assert_same(one, two);
      gmg_owners_destroy(&one);
      gmg_owners_destroy(&two);
    }
  free(field);
}

/* Layers couple strongly along x and y: these directions are coarsened first. */
static void directions(void **state)
{
  (void)state;
  struct gmg_owner_plan *plan = plan_of(LAYERS, 0, 1);
  assert_int_equal(plan->step[0].pairs.width[0] > 0, 1);
  assert_int_equal(plan->step[0].pairs.width[1] > 0, 1);
  assert_int_equal(plan->step[0].pairs.width[2] > 0, 0);
  gmg_owners_destroy(&plan);
}

/* Couplings of 1 between all neighbours, no walls, masses of 1e-3. */
static void make_plain(struct gmg_links *links)
{
  make_links(LAYERS, 0, links);
  for (size_t at = 0; at < CELLS; at++) {
    int cell[3];
    gmg_links_cell(links, at, cell);
    links->mass[at] = 1e-3;
    for (int d = 0; d < 3; d++) {
      links->link[gmg_link_along(d)][at] = cell[d] + 1 < N;
      links->wall[d][at] = 0;
    }
  }
}

static void couple(struct gmg_links *links, const int cell[3], int axis, double coupling)
{
  links->link[gmg_link_along(axis)][gmg_links_at(links, cell)] = coupling;
}

/* Couplings of 1e3 between the cells of a cuboid. */
static void make_body(struct gmg_links *links, const int lower[3], const int upper[3])
{
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++) {
        const int cell[3] = {i, j, k};
        for (int d = 0; d < 3; d++)
          if (cell[d] + 1 < upper[d])
            couple(links, cell, d, 1e3);
      }
}

/* The owners of links that are used up. */
struct elected {
  struct paired paired;
  struct gmg_election election;
  unsigned char code[CELLS];
};

static void elect(struct gmg_links *links, struct elected *elected)
{
  const struct gmg_owner_step step = {.pairs.width = {INFINITY, INFINITY, INFINITY},
                                      .fine_cells = {N, N, N}};
  pair_up(&step, &elected->paired);
  assert_int_equal(
    gmg_elect_owners(links, &elected->paired.blocks, 1, elected->code, &elected->election), 0);
  assert_int_equal(apart(links, &elected->paired.blocks, elected->code), 0);
}

static void owner_of(const struct elected *elected, const struct gmg_links *links,
                     const int cell[3], int owner[3])
{
  gmg_block_owner(&elected->paired.blocks, cell, elected->code[gmg_links_at(links, cell)], owner);
}

/* How many cells of a cuboid have another owner than its first one, which it gives. */
static int count_others(const struct elected *elected, const struct gmg_links *links,
                        const int lower[3], const int upper[3], int first[3])
{
  int others = 0, own[3];
  owner_of(elected, links, lower, first);
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++) {
        owner_of(elected, links, (int[3]){i, j, k}, own);
        others += memcmp(first, own, sizeof own) != 0;
      }
  return others;
}

/* A single cube of 3 cells, which touches eight blocks, has one owner. */
static void one_body(void **state)
{
  (void)state;
  static const int lower[3] = {5, 5, 5}, upper[3] = {8, 8, 8};
  static struct elected elected;
  struct gmg_links links;
  int owner[3];
  make_plain(&links);
  make_body(&links, lower, upper);
  elect(&links, &elected);
  const int others = count_others(&elected, &links, lower, upper, owner);
  printf("a cube of 3^3 cells: %d of them have another owner than the first one\n", others);
  assert_int_equal(others, 0);
  gmg_links_clear(&links);
}

/* So has a body two cells of which are not strongly coupled themselves; what lies around it holds
 * its cells a little, each in another block. */
static void weak_edge(void **state)
{
  (void)state;
  static const int lower[3] = {5, 5, 5}, upper[3] = {7, 7, 6};
  static struct elected elected;
  struct gmg_links links;
  int owner[3];
  make_plain(&links);
  make_body(&links, lower, upper);
  couple(&links, (int[3]){5, 5, 5}, 0, 200);
  for (int n = 0; n < 4; n++)
    couple(&links, (int[3]){n < 2 ? 4 + 2 * n : 5 + n % 2, n < 2 ? 5 : 4, 5}, n / 2, 6);
  for (int n = 0; n < 4; n++)
    couple(&links, (int[3]){n < 2 ? 4 + 2 * n : 5 + n % 2, 6, 5}, n / 2, 6);
  elect(&links, &elected);
  const int others = count_others(&elected, &links, lower, upper, owner);
  printf("a body with a weak edge: %d of its cells have another owner than the first one\n",
         others);
  assert_int_equal(others, 0);
  gmg_links_clear(&links);
}

/* A cell that its mass holds has no owner where the others of its block are several pieces; what
 * couples it with its neighbours holds theirs. A block of such cells has an owner, as before. */
static void anchored(void **state)
{
  (void)state;
  enum { HELD = 1000000 };
  static struct elected elected;
  struct gmg_links links, coarse = {.cells = {N / 2, N / 2, N / 2}};
  static const int held[3] = {10, 10, 10}, lower[3] = {11, 10, 10}, upper[3] = {13, 11, 11};
  make_plain(&links);
  make_body(&links, lower, upper);
  links.mass[gmg_links_at(&links, held)] = HELD;
  for (int n = 0; n < 8; n++) {
    const int cell[3] = {20 + n % 2, 20 + n / 2 % 2, 20 + n / 4};
    links.mass[gmg_links_at(&links, cell)] = HELD;
  }
  elect(&links, &elected);
  size_t unowned = 0;
  for (size_t at = 0; at < CELLS; at++)
    unowned += elected.code[at] == GMG_NO_OWNER;
  printf("cells that are held: %zu of %d have no owner\n", unowned, 9);
  assert_int_equal(unowned, 1);
  assert_int_equal(elected.code[gmg_links_at(&links, held)], GMG_NO_OWNER);
  double between[3][N];
  struct gmg_reach reach;
  for (int d = 0; d < 3; d++) {
    for (int b = 0; b < N / 2; b++)
      between[d][b] = 0.5;
    reach.between[d] = between[d];
    reach.wall[d][0] = reach.wall[d][1] = 0.5;
  }
  assert_int_equal(gmg_links_allocate(&coarse, 1), 0);
  gmg_links_coarsen(&links, &elected.paired.blocks, &reach, elected.code, 1, &coarse);
  const double more = sum_of(&coarse) - (CELLS - 9) * 1e-3 - 8.0 * HELD;
  printf("what holds the owners of its neighbours besides their masses: %g\n", more);
  assert_true(fabs(more - 6 * 0.5) < 1e-6);
  gmg_links_clear(&coarse);
  gmg_links_clear(&links);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stencils),   cmocka_unit_test(threads),
                                     cmocka_unit_test(recorded),   cmocka_unit_test(faces),
                                     cmocka_unit_test(directions), cmocka_unit_test(one_body),
                                     cmocka_unit_test(weak_edge),  cmocka_unit_test(anchored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
