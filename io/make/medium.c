#include "medium.h"

#include <math.h>
#include <stdlib.h>

#include "coordinates.h"

int medium_start(struct medium *medium, const struct problem *problem, struct failure *failure)
{
  medium->problem = problem;
  for (int d = 0; d < 3; d++) {
    const int n = problem->cells[d];
    medium->centre[d] = malloc((size_t)n * sizeof(double));
    if (!medium->centre[d])
      return failure_memory(failure, n * (double)sizeof(double), "coordinates");
    for (int i = 0; i < n; i++)
      medium->centre[d][i] = coordinate_centre(problem, d, i) * problem_extent(problem, d);
  }
  return medium->kind == MEDIUM_LOGNORMAL
    ? random_field_start((uint64_t)medium->seed, medium->length, problem->cells, medium->centre,
                         &medium->field, failure)
    : 0;
}

void medium_clear(struct medium *medium)
{
  for (int d = 0; d < 3; d++) {
    free(medium->centre[d]);
    medium->centre[d] = NULL;
  }
  random_field_clear(&medium->field);
}

double medium_smooth(const struct medium *medium, const double at[3], double gradient[3])
{
  const struct problem *problem = medium->problem;
  double square = 0, offset[3];
  gradient[0] = gradient[1] = gradient[2] = 0;
  if (medium->kind != MEDIUM_SMOOTH)
    return 1;
  for (int d = 0; d < 3; d++) {
    offset[d] = at[d] - 0.5;
    square += offset[d] * offset[d];
  }
  const double r = sqrt(square), t = tanh(10 * (r - 0.25));
  for (int d = 0; d < 3 && r > 0; d++)
    gradient[d] = 45 * (1 - t * t) * offset[d] / (r * problem_extent(problem, d));
  return 5.5 + 4.5 * t;
}

static double sphere(const struct medium *medium, const int cell[3])
{
  double square = 0;
  for (int d = 0; d < 3; d++) {
    const double offset = medium->centre[d][cell[d]] - 0.5 * problem_extent(medium->problem, d);
    square += offset * offset;
  }
  return sqrt(square) < medium->radius ? medium->ratio : 1;
}

/* A cube of size³ cells in every (2 size)³, at a place that only its index and the seed decide.
 * Along an axis of fewer than 2 size cells it goes through. */
static double inclusions(const struct medium *medium, const int cell[3])
{
  const int size = medium->size;
  int which[3], at[3];
  for (int d = 0; d < 3; d++) {
    which[d] = cell[d] / (2 * size);
    at[d] = cell[d] % (2 * size);
  }
  for (int d = 0; d < 3; d++) {
    if (medium->problem->cells[d] < 2 * size)
      continue;
    const uint64_t hash = random_hash((uint64_t)medium->seed + (uint64_t)d * 0x100000000u, which[0],
                                      which[1], which[2]);
    const int low = (int)(hash % (uint64_t)(size + 1));
    if (at[d] < low || at[d] >= low + size)
      return 1;
  }
  return medium->ratio;
}

static uint64_t draw(const struct medium *medium, int which, const int at[3])
{
  return random_hash((uint64_t)medium->seed + (uint64_t)which * 0x100000000u, at[0], at[1], at[2]);
}

/* In [0, 1). */
static double fraction(uint64_t hash)
{
  return (double)(hash >> 12) / 4503599627370496.0;
}

/* A square rod of size² cells along each axis in every (6 size)² of the other two, at a random
 * place. */
static double rods(const struct medium *medium, const int cell[3])
{
  const int size = medium->size, apart = 6 * size;
  for (int d = 0; d < 3; d++) {
    const int first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2;
    const int which[3] = {cell[first] / apart, cell[second] / apart, d};
    const uint64_t places = (uint64_t)(apart - size + 1);
    const int low[2] = {(int)(draw(medium, 0, which) % places),
                        (int)(draw(medium, 1, which) % places)};
    const int from_first = cell[first] % apart - low[0],
              from_second = cell[second] % apart - low[1];
    if (from_first >= 0 && from_first < size && from_second >= 0 && from_second < size)
      return medium->ratio;
  }
  return 1;
}

/* A ball with its centre anywhere in every (2 size)³ cells, of a radius from 1 to size. */
static double balls(const struct medium *medium, const int cell[3])
{
  const int apart = 2 * medium->size;
  for (int n = 0; n < 27; n++) {
    const int which[3] = {cell[0] / apart + n % 3 - 1, cell[1] / apart + n / 3 % 3 - 1,
                          cell[2] / apart + n / 9 - 1};
    const double radius = 1 + (medium->size - 1) * fraction(draw(medium, 3, which));
    double square = 0;
    for (int d = 0; d < 3; d++) {
      const double centre = apart * (which[d] + fraction(draw(medium, d, which)));
      square += (cell[d] + 0.5 - centre) * (cell[d] + 0.5 - centre);
    }
    if (square < radius * radius)
      return medium->ratio;
  }
  return 1;
}

static double noise(const struct medium *medium, const int cell[3])
{
  const double part = 0.3;
  return fraction(draw(medium, 0, cell)) < part ? medium->ratio : 1;
}

static double value_at(const struct medium *medium, const int cell[3])
{
  const int size = medium->size;
  switch (medium->kind) {
  case MEDIUM_SPHERE:
    return sphere(medium, cell);
  case MEDIUM_INCLUSIONS:
    return inclusions(medium, cell);
  case MEDIUM_LAYERS: {
    const int axis = medium->problem->cells[2] > 1 ? 2 : 1;
    return cell[axis] / size % 2 ? medium->ratio : 1;
  }
  case MEDIUM_CHECKERBOARD:
    return (cell[0] / size + cell[1] / size + cell[2] / size) % 2 ? medium->ratio : 1;
  case MEDIUM_RODS:
    return rods(medium, cell);
  case MEDIUM_BALLS:
    return balls(medium, cell);
  case MEDIUM_NOISE:
    return noise(medium, cell);
  default:
    return 1;
  }
}

void medium_row(const struct medium *medium, int from, int to, int j, int k, double *row)
{
  if (medium->kind == MEDIUM_LOGNORMAL)
    random_field_row(&medium->field, from, to, j, k, row);
  for (int i = from; i < to; i++) {
    const int cell[3] = {i, j, k};
    row[i - from] = medium->kind == MEDIUM_LOGNORMAL ? exp(medium->sigma * row[i - from])
                                                     : value_at(medium, cell);
  }
}
