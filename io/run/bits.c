#include "bits.h"

#include <math.h>
#include <string.h>

#include "common/parallel.h"

/* One box of an array, cell by cell. */
typedef void visit_cell(void *user, const int cell[3], void *at, int single);

static gmg_status visit(gmg_program *program, int array, int box, visit_cell *each, void *user)
{
  gmg_program_box view;
  const gmg_status status = gmg_program_view(program, array, box, &view);
  const size_t bytes = view.single ? sizeof(float) : sizeof(double);
  if (status)
    return status;
  for (int k = view.lower[2]; k < view.upper[2]; k++)
    for (int j = view.lower[1]; j < view.upper[1]; j++)
      for (int i = view.lower[0]; i < view.upper[0]; i++) {
        const int cell[3] = {i, j, k};
        const ptrdiff_t place = (i - view.lower[0]) * view.stride[0]
          + (j - view.lower[1]) * view.stride[1] + (k - view.lower[2]) * view.stride[2];
        each(user, cell, (char *)view.data + place * (ptrdiff_t)bytes, view.single);
      }
  return GMG_OK;
}

static gmg_status visit_all(gmg_program *program, int array, visit_cell *each, void *user)
{
  gmg_status status = GMG_OK;
  for (int b = 0; b < gmg_program_boxes(program) && !status; b++)
    status = visit(program, array, b, each, user);
  return status;
}

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t mix_place(const int cell[3], int array)
{
  const uint64_t row = ((uint64_t)(uint32_t)cell[2] << 32) | (uint32_t)cell[1];
  return mix(mix(row + 0x9e3779b97f4a7c15u) + (uint32_t)cell[0] + ((uint64_t)array << 40));
}

static void fill(void *user, const int cell[3], void *at, int single)
{
  const double value = 0.5 + (double)(mix_place(cell, *(int *)user) >> 40) * 0x1p-25;
  if (single)
    *(float *)at = (float)value;
  else
    *(double *)at = value;
}

gmg_status bits_begin(gmg_program *program, const struct gmg_program_descriptor *made)
{
  gmg_status status = gmg_program_begin(program);
  for (int a = 0; a < made->arrays && !status; a++)
    if (made->array[a].age != GMG_AGE_NEXT && !made->array[a].initial) {
      int of = made->array[a].of; /* past values begin like the array itself */
      status = visit_all(program, a, fill, &of);
    }
  return status;
}

struct hashing {
  int array;
  uint64_t sum;
};

static void add(void *user, const int cell[3], void *at, int single)
{
  struct hashing *hashing = user;
  uint64_t bits = 0;
  memcpy(&bits, at, single ? sizeof(float) : sizeof(double));
  hashing->sum += mix(bits ^ mix_place(cell, hashing->array));
}

gmg_status bits_hash(gmg_program *program, const struct gmg_program_descriptor *made,
                     uint64_t *hash)
{
  struct hashing hashing = {0};
  gmg_status status = GMG_OK;
  for (int a = 0; a < made->arrays && !status; a++) {
    hashing.array = a;
    if (made->array[a].age != GMG_AGE_NEXT)
      status = visit_all(program, a, add, &hashing);
  }
  /* Sums of halves are whole numbers below 2^53. */
  double half[2] = {(double)(hashing.sum & UINT32_MAX), (double)(hashing.sum >> 32)};
  parallel_sum(half, 2);
  *hash = (uint64_t)half[0] + ((uint64_t)half[1] << 32);
  return status;
}

/* The largest difference, and the largest size. */
struct differing {
  gmg_program_box other;
  double most[2];
};

static void compare(void *user, const int cell[3], void *at, int single)
{
  struct differing *differing = user;
  const gmg_program_box *box = &differing->other;
  ptrdiff_t place = 0;
  for (int d = 0; d < 3; d++)
    place += (cell[d] - box->lower[d]) * box->stride[d];
  const double here = single ? (double)*(float *)at : *(double *)at,
               there = single ? (double)((float *)box->data)[place] : ((double *)box->data)[place],
               apart = isfinite(here) && isfinite(there) ? fabs(here - there) : INFINITY;
  differing->most[0] = fmax(differing->most[0], apart);
  differing->most[1] = fmax(differing->most[1], fabs(here));
}

static int find_array(const gmg_program *program, const char *name)
{
  int n = 0;
  for (const char *at; (at = gmg_program_array_name(program, n)); n++)
    if (strcmp(at, name) == 0)
      return n;
  return -1;
}

/* One array of both programs; differing->most is the result on this rank. */
static gmg_status compare_array(gmg_program *program, int a, gmg_program *other,
                                struct differing *differing)
{
  const int same = find_array(other, gmg_program_array_name(program, a));
  gmg_status status = GMG_OK;
  if (same < 0 || gmg_program_boxes(program) != gmg_program_boxes(other))
    differing->most[0] = INFINITY;
  for (int b = 0; b < gmg_program_boxes(program) && !status && isfinite(differing->most[0]); b++) {
    gmg_program_box own;
    status = gmg_program_view(program, a, b, &own);
    if (!status)
      status = gmg_program_view(other, same, b, &differing->other);
    const int alike = !status && own.single == differing->other.single
      && memcmp(own.lower, differing->other.lower, sizeof own.lower) == 0
      && memcmp(own.upper, differing->other.upper, sizeof own.upper) == 0;
    if (alike)
      status = visit(program, a, b, compare, differing);
    else
      differing->most[0] = INFINITY;
  }
  return status;
}

gmg_status bits_difference(gmg_program *program, const struct gmg_program_descriptor *made,
                           gmg_program *other, double *difference)
{
  gmg_status status = GMG_OK;
  *difference = 0;
  for (int a = 0; a < made->arrays; a++) {
    struct differing differing = {.most = {0, 0}};
    if (made->array[a].age == GMG_AGE_NEXT)
      continue;
    if (!status)
      status = compare_array(program, a, other, &differing);
    parallel_max_values(differing.most, 2);
    if (differing.most[0] > 0)
      *difference = fmax(*difference, differing.most[0] / fmax(differing.most[1], 1e-300));
  }
  return status;
}
