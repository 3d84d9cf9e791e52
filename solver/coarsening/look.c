#include "look.h"

#include "setup/across.h"
#include "setup/intake.h"
#include "setup/steps.h"
#include "setup/there.h"
#include "system/order.h"

/* Measured on 32³ and 64³ cells: bodies, layers, checkerboards and log-normal fields of many sizes,
 * each with plain levels and with owners (docs/performance/owners.md). */
/* Of fewer steps than a part of the pairs of neighbours, or than such a part of the cells in a
 * plane across each axis, as single bodies make in small grids, levels are plain. */
#define FEW_STEPS 0.01
#define FEW_PLANES 0.6
enum { ALL_PLANES = 32, ONE_OF_PLANES = 4 };
/* Tiles of the grid along an axis, at most, in which steps are counted; cells of a trial's part
 * along an axis, and what its lower end is a multiple of, so that its cells pair as the grid's. */
enum { TILES = 4, ALL_TILES = TILES * TILES * TILES, PART_CELLS = 32, PART_UNIT = 8 };

/* Steps in the planes that are looked at, by tile of the first of two neighbours. */
struct tally {
  double in_tile[ALL_TILES];
};

static int tiles_of(const gmg_grid *grid, int axis)
{
  return gmg_smaller(TILES, gmg_larger(1, grid->cells[axis] / PART_CELLS));
}

/* The tile of a cell along an axis, and the first cell of a tile. */
static int tile_at(const gmg_grid *grid, int axis, int cell)
{
  const int64_t at = gmg_smaller(cell, grid->cells[axis] - 1); /* of the last face, too */
  return (int)(at * tiles_of(grid, axis) / grid->cells[axis]);
}

static int begin_of(const gmg_grid *grid, int axis, int tile)
{
  const int tiles = tiles_of(grid, axis);
  return (int)(((int64_t)tile * grid->cells[axis] + tiles - 1) / tiles);
}

/* Planes are looked at by their numbers in the grid: all of few, else some without a period. */
static int is_looked_at(const struct gmg_problem *p, int plane)
{
  const uint32_t hash = (uint32_t)plane * 2654435761u;
  return p->grid->cells[2] <= ALL_PLANES || (hash >> 16) % ONE_OF_PLANES == 0;
}

/* The values of one coefficient on this rank's part. */
struct values {
  const gmg_array *array;
  const double *data;
  int extent[3], axes; /* bits: those along which it is compared */
};

/* Steps from cells [from, to) of a row to the next ones along an axis. */
static long steps_of(const struct values *values, const double *row, int from, int to, int axis)
{
  const ptrdiff_t *stride = values->array->stride;
  long steps = 0;
  for (int i = from; i < to; i++)
    steps += gmg_is_step(row[i * stride[0]], row[i * stride[0] + stride[axis]]);
  return steps;
}

/* The tiles of cells in a row of the grid are this one and the next ones. */
static int row_tile(const gmg_grid *grid, int j, int k)
{
  return TILES * (tile_at(grid, 1, j) + TILES * tile_at(grid, 2, k));
}

static void look_at_row(const gmg_grid *grid, const struct values *values, int j, int k,
                        struct tally *tally)
{
  const int *extent = values->extent, *lower = grid->part_lower,
            inside[3] = {1, j + 1 < extent[1], k + 1 < extent[2]},
            first = row_tile(grid, lower[1] + j, lower[2] + k);
  const double *row = values->data + j * values->array->stride[1] + k * values->array->stride[2];
  for (int d = 0; d < 3; d++) {
    const int count = values->axes >> d & 1 && inside[d] ? extent[0] - (d == 0) : 0;
    for (int t = 0; t < tiles_of(grid, 0); t++) {
      const int from = gmg_larger(0, begin_of(grid, 0, t) - lower[0]),
                to = t + 1 == tiles_of(grid, 0)
        ? count
        : gmg_smaller(count, begin_of(grid, 0, t + 1) - lower[0]);
      if (to > from)
        tally->in_tile[first + t] += (double)steps_of(values, row, from, to, d);
    }
  }
}

/* Adds the steps of one coefficient. */
static void look_at(const struct gmg_problem *p, const struct values *values, struct tally *sum)
{
  double in_tile[ALL_TILES] = {0};
#pragma omp parallel for num_threads(p->grid->context->threads) reduction(+ : in_tile[:ALL_TILES])
  for (int k = 0; k < values->extent[2]; k++) {
    struct tally tally = {{0}};
    if (!is_looked_at(p, p->grid->part_lower[2] + k))
      continue;
    for (int j = 0; j < values->extent[1]; j++)
      look_at_row(p->grid, values, j, k, &tally);
    for (int t = 0; t < ALL_TILES; t++)
      in_tile[t] += tally.in_tile[t];
  }
  for (int t = 0; t < ALL_TILES; t++)
    sum->in_tile[t] += in_tile[t];
}

/* Adds steps along an axis from cells of this rank's part to those just beyond it, and returns
 * their number, in planes that are not looked at, too. */
static double look_across(const struct gmg_problem *p, int axis, const struct gmg_across *across,
                          struct tally *sum)
{
  const gmg_array *values = &p->given[GMG_BETA].values;
  const int *part = p->grid->part_lower, last = p->grid->part_upper[axis] - 1 - part[axis];
  double steps = 0;
  for (int k = 0; k < across->extent[2]; k++)
    for (int j = 0; j < across->extent[1]; j++) {
      const int at[3] = {axis == 0 ? last : 0, axis == 1 ? last : j, axis == 2 ? last : k};
      const ptrdiff_t size[2] = {across->extent[0], across->extent[1]};
      const double *row = gmg_given_data(&p->given[GMG_BETA]) + at[0] * values->stride[0]
        + at[1] * values->stride[1] + at[2] * values->stride[2],
                   *beyond = across->value + (j + k * size[1]) * size[0];
      const int first = row_tile(p->grid, part[1] + at[1], part[2] + at[2]),
                counts = is_looked_at(p, part[2] + at[2]);
      for (int i = 0; i < across->extent[0]; i++) {
        const int step = gmg_is_step(row[i * values->stride[0]], beyond[i]);
        steps += step;
        sum->in_tile[first + tile_at(p->grid, 0, part[0] + at[0] + i)] += step & counts;
      }
    }
  return steps;
}

static const char looks[] = "looks at them for steps";

/* Adds steps between two ranks' parts: to the tally, and along x, y, z. */
static gmg_status add_across(gmg_solver *s, struct tally *sum, double steps[3])
{
  gmg_status status = gmg_there_bring_all(s, looks);
  for (int d = 0; d < 3 && !status; d++) {
    struct gmg_across across = {.value = NULL};
    status = gmg_across_take(s, GMG_BETA, d, &across);
    if (!status)
      steps[d] += look_across(&s->problem, d, &across, sum);
    gmg_across_drop(&across);
  }
  if (!status && gmg_comm_sum(&s->context->comm, steps, 3))
    return gmg_mpi_failed(s->context);
  return status;
}

/* Adds those in this rank's part. */
static gmg_status add_inside(gmg_solver *s, struct tally *sum)
{
  const struct gmg_problem *p = &s->problem;
  const gmg_status status = gmg_there_bring_all(s, looks);
  for (int c = GMG_BETA; c <= GMG_BETA_Z && !status; c++) {
    struct values values = {.array = &p->given[c].values,
                            .data = gmg_given_data(&p->given[c]),
                            .axes = c == GMG_BETA ? 7 : 1 << (c - GMG_BETA_X)};
    if (p->has[c] && values.data && gmg_given_extent(p, c, values.extent))
      look_at(p, &values, sum);
  }
  return status;
}

/* Pairs of neighbours along an axis in so many cells. */
static double pairs_along(const int cells[3], int d)
{
  return (cells[d] - 1.0) * cells[(d + 1) % 3] * cells[(d + 2) % 3];
}

static double pairs_of(const int cells[3])
{
  return pairs_along(cells, 0) + pairs_along(cells, 1) + pairs_along(cells, 2);
}

/* Fewer steps are few. */
static double few_steps(const int cells[3])
{
  double planes = 0;
  for (int d = 0; d < 3; d++)
    planes += (double)cells[d] * cells[(d + 1) % 3];
  const double few = FEW_STEPS * pairs_of(cells);
  return few > FEW_PLANES * planes ? few : FEW_PLANES * planes;
}

/* Pairs of which two ranks have one cell each. */
static double pairs_between(const gmg_solver *s)
{
  const struct gmg_layout *bricks = s->arrays.bricks;
  double pairs = pairs_of(s->problem.grid->cells);
  if (!s->problem.has[GMG_BETA] || s->context->comm.ranks == 1) /* ranks share faces */
    return 0;
  for (int r = 0; r < bricks->ranks; r++) {
    int cells[3], some = 1;
    for (int d = 0; d < 3; d++) {
      cells[d] = bricks->box[r].upper[d] - bricks->box[r].lower[d];
      some &= cells[d] > 0;
    }
    pairs -= some ? pairs_of(cells) : 0;
  }
  return pairs;
}

/* Whether cells at the high end of an axis pair unevenly, and steps are many there: cycles may be
 * slower there than elsewhere. */
static int ends_unevenly(const gmg_grid *grid, const struct tally *tally, int axis,
                         const int tile[3])
{
  int last[3] = {tile[0], tile[1], tile[2]};
  last[axis] = tiles_of(grid, axis) - 1;
  const double most = tally->in_tile[tile[0] + TILES * (tile[1] + TILES * tile[2])],
               there = tally->in_tile[last[0] + TILES * (last[1] + TILES * last[2])];
  return grid->cells[axis] % PART_UNIT != 0 && 2 * there >= most;
}

/* The part of the grid around the middle of the tile with most steps. */
static void find_part(const gmg_grid *grid, const struct tally *tally,
                      struct gmg_coarsening_look *look)
{
  int most = 0;
  for (int t = 1; t < ALL_TILES; t++)
    most = tally->in_tile[t] > tally->in_tile[most] ? t : most;
  const int tile[3] = {most % TILES, most / TILES % TILES, most / TILES / TILES};
  for (int d = 0; d < 3; d++) {
    const int cells = grid->cells[d], size = gmg_smaller(cells, PART_CELLS),
              middle = (begin_of(grid, d, tile[d]) + begin_of(grid, d, tile[d] + 1)) / 2,
              to_end = ends_unevenly(grid, tally, d, tile),
              last = cells - size, /* that it may begin with */
      from = to_end ? last : gmg_larger(0, gmg_smaller(middle - size / 2, last));
    look->lower[d] = from / PART_UNIT * PART_UNIT;
    look->upper[d] = to_end ? cells : look->lower[d] + size;
  }
}

gmg_status gmg_coarsening_look(gmg_solver *s, int for_trial, struct gmg_coarsening_look *look)
{
  const double between = pairs_between(s), few = few_steps(s->problem.grid->cells);
  struct tally tally = {{0}};
  double steps[3] = {0, 0, 0}, all = 0;
  *look = (struct gmg_coarsening_look){.many = 0};
  for (int d = 0; d < 3; d++)
    all += s->problem.steps[d];
  if (all + between < few) /* so that ranks need not tell others what they have */
    return GMG_OK;
  gmg_status status = between > 0 ? add_across(s, &tally, steps) : GMG_OK;
  for (int d = 0; d < 3; d++) {
    const double pairs = pairs_along(s->problem.grid->cells, d);
    all += steps[d];
    look->part[d] = pairs > 0 ? (s->problem.steps[d] + steps[d]) / pairs : 0;
  }
  look->many = all > 0 && all >= few;
  if (status || !look->many || !for_trial)
    return status;
  status = gmg_agree(s->context, add_inside(s, &tally));
  if (!status && gmg_comm_sum(&s->context->comm, tally.in_tile, ALL_TILES))
    status = gmg_mpi_failed(s->context);
  find_part(s->problem.grid, &tally, look);
  return status;
}
