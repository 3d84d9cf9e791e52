#include "kernel_boxes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static int pick(uint64_t *state, int count)
{
  return (int)(next(state) >> 33) % count;
}

static double between(uint64_t *state, double low, double high)
{
  return low + (high - low) * (double)(next(state) >> 11) * 0x1p-53;
}

static void *allocate(size_t count, size_t size)
{
  void *memory = malloc(count * size + 1);
  if (!memory)
    abort();
  return memory;
}

static uint64_t hash_of(const void *data, size_t bytes)
{
  const unsigned char *byte = data;
  uint64_t hash = 1469598103934665603u, word;
  for (; bytes >= sizeof word; bytes -= sizeof word, byte += sizeof word) {
    memcpy(&word, byte, sizeof word);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  while (bytes-- > 0)
    hash = (hash ^ *byte++) * 0x100000001b3u;
  return hash;
}

static _Thread_local double uniform_alpha = 0.625; /* plans run extents on several threads */

void test_set_alpha(double alpha)
{
  uniform_alpha = alpha;
}

double test_scalar(const char *name)
{
  static const struct {
    const char *name;
    double value; /* exact in float */
  } known[] = {{"b", 1.25},    {"omega", 1.125}, {"c1", 0.375},
               {"c2", 0.6875}, {"s", -1.375},    {"ratio", 1.25}};
  if (strcmp(name, "alpha") == 0)
    return uniform_alpha;
  for (size_t n = 0; n < sizeof known / sizeof *known; n++)
    if (strcmp(known[n].name, name) == 0)
      return known[n].value;
  return 0.8125;
}

static int begins(const char *name, const char *stem)
{
  return strncmp(name, stem, strlen(stem)) == 0;
}

/* Range of the values of an array: coefficients are positive, unknowns of either sign. */
static void range_of(const struct gmg_field_descriptor *field, double *low, double *high)
{
  const int coefficient = begins(field->name, "alpha") || begins(field->name, "beta")
    || begins(field->name, "positive") || begins(field->name, "link_")
    || begins(field->name, "anchor");
  *low = 0.5, *high = 1.5;
  if (begins(field->name, "dinv"))
    *low = 0.02, *high = 0.1;
  else if (strcmp(field->name, "row_rest") == 0)
    *low = 20, *high = 30; /* so that pivots are far from 0 */
  else if (begins(field->name, "fold_"))
    *low = -1, *high = 1;
  else if (field->kind == GMG_FIELD && field->place == GMG_CELL && !coefficient)
    *low = -1, *high = 1;
}

size_t test_box_dense(const struct test_box *box, int level)
{
  const int *n = box->cells[level], more = 2 * box->ghosts;
  return (size_t)(n[0] + more) * (size_t)(n[1] + more) * (size_t)(n[2] + more);
}

size_t test_box_at(const struct test_box *box, int level, int i, int j, int k)
{
  const int *n = box->cells[level], g = box->ghosts;
  return ((size_t)(k + g) * (size_t)(n[1] + 2 * g) + (size_t)(j + g)) * (size_t)(n[0] + 2 * g)
    + (size_t)(i + g);
}

static size_t size_of(const struct gmg_field_descriptor *field)
{
  return field->precision == GMG_F64 ? sizeof(double) : sizeof(float);
}

ptrdiff_t test_box_along(const struct test_box *box, int level, int i)
{
  return box->rows == GMG_SPLIT ? gmg_at(i, box->odd[level]) : i;
}

size_t test_box_offset(const struct test_box *box, const struct gmg_field_descriptor *field, int i,
                       int j, int k)
{
  const ptrdiff_t *stride = box->stride[field->level];
  return size_of(field)
    * (box->origin[field->level]
       + (size_t)(test_box_along(box, field->level, i) + j * stride[0] + k * stride[1]));
}

double test_box_value(const struct test_box *box, const struct gmg_field_descriptor *field,
                      const void *data, int i, int j, int k)
{
  const char *at = (const char *)data + test_box_offset(box, field, i, j, k);
  return field->precision == GMG_F64 ? *(const double *)at : (double)*(const float *)at;
}

static void fill_field(const struct test_box *box, struct test_array *array, uint64_t *state)
{
  const int level = array->field.level, *n = box->cells[level], g = box->ghosts;
  const size_t count = box->elements[level], size = size_of(&array->field);
  double low, high;
  range_of(&array->field, &low, &high);
  array->data = allocate(count, size);
  array->bytes = count * size;
  array->origin = (char *)array->data + test_box_offset(box, &array->field, 0, 0, 0);
  const int code = begins(array->field.name, "owner"); /* one of 8 whole numbers */
  for (size_t e = 0; e < count; e++) {
    const double value = code ? pick(state, 8) : between(state, low, high);
    if (array->field.precision == GMG_F64)
      ((double *)array->data)[e] = value;
    else
      ((float *)array->data)[e] = (float)value;
  }
  double *dense = array->dense = allocate(test_box_dense(box, level), sizeof *dense);
  for (int k = -g; k < n[2] + g; k++)
    for (int j = -g; j < n[1] + g; j++)
      for (int i = -g; i < n[0] + g; i++)
        *dense++ = test_box_value(box, &array->field, array->data, i, j, k);
}

/* A value of a line: random, but 0 where its meaning says so. */
static double line_value(const struct test_box *box, const struct gmg_field_descriptor *field,
                         int i, uint64_t *state)
{
  const int n = box->cells[field->level][field->axis];
  double low, high;
  range_of(field, &low, &high);
  const double value = between(state, low, high);
  if ((begins(field->name, "fold_lo") && i != 0) || (begins(field->name, "fold_hi") && i != n - 1))
    return 0;
  if (begins(field->name, "high_") && i >= 0 && i < n
      && box->lo[field->axis][i] == box->hi[field->axis][i])
    return 0;
  return value;
}

/* Of a line or table: its elements, and where element i lies from element 0. */
static size_t length_along(const struct test_box *box, const struct test_array *array)
{
  const int level = array->field.level, plain = array->field.axis != 0 || box->rows == GMG_PLAIN;
  return plain ? (size_t)(box->cells[level][array->field.axis] + 2 * box->ghosts)
               : 2 * (size_t)box->odd[level] + (size_t)box->ghosts;
}

static ptrdiff_t place_along(const struct test_box *box, const struct test_array *array, int i)
{
  return array->field.axis == 0 ? test_box_along(box, array->field.level, i) : i;
}

static void fill_line(const struct test_box *box, struct test_array *array, uint64_t *state)
{
  const int count = box->cells[array->field.level][array->field.axis] + 2 * box->ghosts;
  double *dense = array->dense = allocate((size_t)count, sizeof *dense);
  const size_t size = size_of(&array->field), length = length_along(box, array);
  array->bytes = length * size;
  array->data = allocate(length, size);
  memset(array->data, 0, array->bytes);
  array->origin = (char *)array->data + (size_t)box->ghosts * size;
  for (int e = 0; e < count; e++) {
    const int i = e - box->ghosts, own = box->uniform_runs && array->field.level == GMG_OWN;
    const int first =
      begins(array->field.name, "h_") ? -box->ghosts : 1; /* widths: of ghosts too */
    const int again = own && i > first && (first < 0 || i < box->cells[GMG_OWN][array->field.axis]);
    const ptrdiff_t at = place_along(box, array, i);
    dense[e] = again ? dense[box->ghosts + first] : line_value(box, &array->field, i, state);
    if (array->field.precision == GMG_F64)
      ((double *)array->origin)[at] = dense[e];
    else
      dense[e] = ((float *)array->origin)[at] = (float)dense[e];
  }
}

/* A value of a table: which cell (or face) of the other level belongs to own index i. */
enum { NO_RULE = -1000 };
static int table_value(const struct test_box *box, const char *name, int axis, int i,
                       uint64_t *state)
{
  const int n = box->cells[GMG_OWN][axis], coarser = box->cells[GMG_COARSER][axis];
  const int inside = i < 0 ? 0 : i >= n ? n - 1 : i;
  if (begins(name, "lo_"))
    return box->lo[axis][inside];
  if (begins(name, "hi_"))
    return box->hi[axis][inside];
  if (begins(name, "before_"))
    return box->lo[axis][inside] - 1;
  if (begins(name, "after_"))
    return box->hi[axis][inside] + 1;
  if (begins(name, "at_"))
    return i < n ? box->lo[axis][inside] : box->cells[GMG_FINER][axis];
  if (begins(name, "first_") || begins(name, "last_") || begins(name, "pivot_"))
    return pick(state, box->cells[GMG_FINER][axis]);
  const int parent = box->parent[axis][inside];
  if (begins(name, "parent_"))
    return parent;
  if (!begins(name, "near_") && !begins(name, "node_"))
    return NO_RULE;
  if (begins(name, "near_") && box->paired && axis == 0)
    return parent + (inside % 2 ? 1 : -1);
  if (begins(name, "near_") && box->paired
      && pick(state, 4)) /* mostly as cells that pair have it */
    return parent + (inside > 0 && box->parent[axis][inside - 1] == parent ? 1 : -1);
  const int near_end = inside < box->paired - 1 || inside > n - box->paired;
  if (begins(name, "node_") && box->paired && axis == 0 && !near_end)
    return (inside + 1) / 2 - 2 + name[strlen("node_")] - '0';
  const int g = box->ghosts, near = parent + pick(state, 2 * g + 1) - g;
  return near < -g ? -g : near > coarser - 1 + g ? coarser - 1 + g : near;
}

static int fill_table(const struct test_box *box, struct test_array *array, uint64_t *state)
{
  const int count = box->cells[GMG_OWN][array->field.axis] + 2 * box->ghosts;
  const size_t length = length_along(box, array);
  int *data = array->data = allocate(length, sizeof *data),
      *dense = array->dense = allocate((size_t)count, sizeof *dense);
  array->bytes = length * sizeof *data;
  memset(data, 0, array->bytes);
  array->origin = data + box->ghosts;
  for (int e = 0; e < count; e++) {
    const int value =
      table_value(box, array->field.name, array->field.axis, e - box->ghosts, state);
    ((int *)array->origin)[place_along(box, array, e - box->ghosts)] = value;
    dense[e] = value + box->ghosts;
    if (value == NO_RULE) {
      fprintf(stderr, "no rule for the values of table '%s'\n", array->field.name);
      return 0;
    }
  }
  return 1;
}

struct test_array *test_box_find(struct test_box *box, const struct gmg_field_descriptor *field)
{
  for (int n = 0; n < box->arrays; n++) {
    const struct gmg_field_descriptor *other = &box->array[n].field;
    if (other->kind == field->kind && other->place == field->place && other->axis == field->axis
        && other->level == field->level && strcmp(other->name, field->name) == 0)
      return &box->array[n];
  }
  return NULL;
}

static int add_arrays(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                      uint64_t *state)
{
  if (kernel->precision != box->precision || kernel->rows_stored != box->rows
      || test_kernel_ghosts(kernel) != box->ghosts)
    return 1;
  for (int f = 0; f < kernel->fields; f++) {
    if (test_box_find(box, &kernel->field[f]))
      continue;
    if (box->arrays == TEST_ARRAYS)
      abort();
    struct test_array *array = &box->array[box->arrays++];
    array->field = kernel->field[f];
    if (array->field.kind == GMG_FIELD)
      fill_field(box, array, state);
    else if (array->field.kind == GMG_LINE)
      fill_line(box, array, state);
    else if (!fill_table(box, array, state))
      return 0;
    array->hash = hash_of(array->data, array->bytes);
  }
  return 1;
}

/* Random pairs and single cells, to the finer and to the coarser level. */
static void make_pairing(struct test_box *box, int axis, uint64_t *state)
{
  const int n = box->cells[GMG_OWN][axis],
            alone = box->paired && (axis == 0 || pick(state, 2)) ? 3 : pick(state, 4);
  box->lo[axis] = allocate((size_t)n, sizeof(int));
  box->hi[axis] = allocate((size_t)n, sizeof(int));
  box->parent[axis] = allocate((size_t)n, sizeof(int));
  int fine = 0, coarse = 0;
  for (int i = 0; i < n; i++) {
    box->lo[axis][i] = fine++;
    box->hi[axis][i] = alone < 3 && pick(state, 4) < alone ? fine - 1 : fine++;
  }
  for (int i = 0; i < n; coarse++) {
    box->parent[axis][i++] = coarse;
    if (i < n && !(alone < 3 && pick(state, 4) < alone))
      box->parent[axis][i++] = coarse;
  }
  box->cells[GMG_FINER][axis] = fine;
  box->cells[GMG_COARSER][axis] = coarse;
}

int test_kernel_ghosts(const struct gmg_kernel_descriptor *kernel)
{
  int most = 1;
  for (int f = 0; f < kernel->fields; f++)
    for (int d = 0; d < 3; d++) {
      const struct gmg_field_descriptor *field = &kernel->field[f];
      most = field->halo_lower[d] > most ? field->halo_lower[d] : most;
      most = field->halo_upper[d] > most ? field->halo_upper[d] : most;
    }
  return most;
}

struct test_box *test_box_make(const struct gmg_kernel_library *library,
                               enum gmg_precision precision, enum gmg_rows rows, int ghosts,
                               const int cells[3], uint64_t seed)
{
  struct test_box *box = calloc(1, sizeof *box);
  if (!box)
    abort();
  box->precision = precision;
  box->rows = rows;
  box->ghosts = ghosts;
  box->paired = pick(&seed, 6);
  box->paired = box->paired > 3 ? 1 : box->paired;
  box->uniform_runs = pick(&seed, 2);
  for (int d = 0; d < 3; d++) {
    box->cells[GMG_OWN][d] = cells[d];
    box->lower[d] = pick(&seed, 1000);
    make_pairing(box, d, &seed);
  }
  for (int level = 0; level < 3; level++) {
    const int *n = box->cells[level], half = (n[0] + 3 * ghosts) / 2 + 2;
    box->stride[level][0] = n[0] + 2 * ghosts + pick(&seed, 9);
    if (rows == GMG_SPLIT) {
      box->odd[level] = half + pick(&seed, 5);
      box->stride[level][0] = box->odd[level] + half + pick(&seed, 5);
    }
    box->stride[level][1] = box->stride[level][0] * (n[1] + 2 * ghosts + pick(&seed, 2));
    box->elements[level] = (size_t)(box->stride[level][1] * (n[2] + 2 * ghosts));
    box->origin[level] =
      (size_t)ghosts * (size_t)(1 + box->stride[level][0] + box->stride[level][1]);
  }
  int known = 1;
  for (int o = 0; o < library->operators; o++)
    for (int k = 0; k < library->operator_[o]->kernels; k++)
      known = known && add_arrays(box, library->operator_[o]->kernel[k], &seed);
  for (int k = 0; k < library->kernels; k++)
    known = known && add_arrays(box, library->kernel[k], &seed);
  if (known)
    return box;
  test_box_destroy(box);
  return NULL;
}

void test_box_destroy(struct test_box *box)
{
  if (!box)
    return;
  for (int n = 0; n < box->arrays; n++) {
    free(box->array[n].data);
    free(box->array[n].dense);
  }
  for (int d = 0; d < 3; d++) {
    free(box->lo[d]);
    free(box->hi[d]);
    free(box->parent[d]);
  }
  free(box);
}

const char *test_box_changed(const struct test_box *box)
{
  for (int n = 0; n < box->arrays; n++)
    if (hash_of(box->array[n].data, box->array[n].bytes) != box->array[n].hash)
      return box->array[n].field.name;
  return NULL;
}

void test_box_level_arguments(struct test_box *box, int level, struct spec_arguments *arguments)
{
  memset(arguments, 0, sizeof *arguments);
  memcpy(arguments->cells, box->cells[level], sizeof arguments->cells);
  for (int n = 0; n < box->arrays; n++)
    if ((int)box->array[n].field.level == level)
      spec_set_array(arguments, box->array[n].field.name, box->array[n].dense);
}

void test_box_kernel_arguments(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                               struct spec_arguments *arguments)
{
  memset(arguments, 0, sizeof *arguments);
  memcpy(arguments->cells, box->cells[GMG_OWN], sizeof arguments->cells);
  for (int f = 0; f < kernel->fields; f++) {
    if (kernel->field[f].level != GMG_OWN)
      memcpy(arguments->other_cells, box->cells[kernel->field[f].level],
             sizeof arguments->other_cells);
    spec_set_array(arguments, kernel->field[f].name, test_box_find(box, &kernel->field[f])->dense);
  }
  for (int s = 0; s < kernel->scalars; s++)
    spec_set_scalar(arguments, kernel->scalar[s], test_scalar(kernel->scalar[s]));
}
