#include "follow.h"

#include "system/order.h"

/* Rows of a plane, ends of rows included: what a wall along j or k mirrors. */
struct mirror {
  int j, k;             /* the row that is mirrored */
  int ghost_j, ghost_k; /* and its image */
  double factor;
};

/* For values of a type: the ghosts at both ends of a row, and the image of a row beyond a wall. */
#define GMG_FOLLOW(type) \
  static void wrap_##type(void *data, const struct gmg_kernel_box *box, int j, int k, int depth) \
  { \
    type *field = data; \
    const int n = box->cells[0]; \
    for (int m = 0; m < depth; m++) { \
      field[gmg_offset(box, -1 - m, j, k)] = field[gmg_offset(box, n - 1 - m % n, j, k)]; \
      field[gmg_offset(box, n + m, j, k)] = field[gmg_offset(box, m % n, j, k)]; \
    } \
  } \
  static void ends_##type(void *data, const struct gmg_kernel_box *box, int j, int k, \
                          const double factor[2]) \
  { \
    type *field = data; \
    const int n = box->cells[0]; \
    field[gmg_offset(box, -1, j, k)] = (type)factor[0] * field[gmg_offset(box, 0, j, k)]; \
    field[gmg_offset(box, n, j, k)] = (type)factor[1] * field[gmg_offset(box, n - 1, j, k)]; \
  } \
  static void image_##type(void *data, const struct gmg_kernel_box *box, const struct mirror *at) \
  { \
    type *field = data; \
    for (int i = -1; i <= box->cells[0]; i++) \
      field[gmg_offset(box, i, at->ghost_j, at->ghost_k)] = \
        (type)at->factor * field[gmg_offset(box, i, at->j, at->k)]; \
  }
GMG_FOLLOW(double)
GMG_FOLLOW(float)

/* A field of one box, of whatever type. Its rows along j and k that a stage has written are those
 * of that number in each `modulus`. */
struct target {
  void *field;
  int modulus[2], digit[2];
  int is_double;
  const struct gmg_kernel_box *box;
  const struct gmg_level *level;
};

/* The ghosts of other rows are as they were, and another thread may read them. */
static int is_written(const struct target *t, int d, int at)
{
  return (t->box->lower[d] + at - t->digit[d - 1]) % t->modulus[d - 1] == 0;
}

/* A sweep over one colour of a lattice visits every so many rows. */
static void find_rows(struct target *t, const struct gmg_stage *stage)
{
  const struct gmg_operator_descriptor *op = t->level->op;
  int divisor = op->modulus[0];
  t->modulus[0] = t->modulus[1] = 1;
  t->digit[0] = t->digit[1] = 0;
  const int colour = stage->call->slot[GMG_SCALAR_COLOUR];
  for (int d = 0; d < 2 && !op->parity && colour >= 0; divisor *= t->modulus[d++]) {
    t->modulus[d] = op->modulus[d + 1];
    t->digit[d] = (int)stage->args.scalar[colour] / divisor % t->modulus[d];
  }
}

static int is_periodic(const struct target *t, int d)
{
  return t->level->axis[d].kind[0] == GMG_PERIODIC;
}

static void follow_along_i(const struct target *t, int j, int k)
{
  const struct gmg_axis *axis = &t->level->axis[0];
  const int depth = t->level->op->ghost;
  const double factor[2] = {gmg_axis_ghost_factor(axis, 0), gmg_axis_ghost_factor(axis, 1)};
  if (is_periodic(t, 0))
    (t->is_double ? wrap_double : wrap_float)(t->field, t->box, j, k, depth);
  else
    (t->is_double ? ends_double : ends_float)(t->field, t->box, j, k, factor);
}

static void put_image(const struct target *t, const struct mirror *at)
{
  (t->is_double ? image_double : image_float)(t->field, t->box, at);
}

/* Whether index i of a box is the grid's last before the wall on a side, and its image there is
 * stored. */
static int is_at_wall(const struct target *t, int d, int side, int i)
{
  const int wall = side ? t->level->axis[d].cells - 1 - t->box->lower[d] : -t->box->lower[d];
  const int beyond = side ? wall + 1 - (t->box->cells[d] - 1) : 1 - wall;
  const struct gmg_storage *storage = t->level->storage;
  return i == wall && !is_periodic(t, d) && beyond <= gmg_larger(storage->overlap, storage->ghost);
}

/* The images of row j of plane k beyond walls along j. */
static void follow_along_j(const struct target *t, int j, int k)
{
  for (int side = 0; side < 2; side++)
    if (is_at_wall(t, 1, side, j)) {
      const struct mirror at = {j, k, side ? j + 1 : j - 1, k,
                                gmg_axis_ghost_factor(&t->level->axis[1], side)};
      put_image(t, &at);
    }
}

/* The images of the tile's rows of plane k, and of those beyond walls along j, beyond walls along
 * k. */
static void follow_along_k(const struct target *t, const struct gmg_tile *tile, int k)
{
  const int from = tile->j0 - is_at_wall(t, 1, 0, tile->j0),
            to = tile->j1 + is_at_wall(t, 1, 1, tile->j1 - 1);
  for (int side = 0; side < 2; side++)
    for (int j = from; j < to && is_at_wall(t, 2, side, k); j++) {
      if (!is_written(t, 1, j < tile->j0 ? tile->j0 : j < tile->j1 ? j : tile->j1 - 1))
        continue;
      const struct mirror at = {j, k, j, side ? k + 1 : k - 1,
                                gmg_axis_ghost_factor(&t->level->axis[2], side)};
      put_image(t, &at);
    }
}

void gmg_follow(const struct gmg_stage *stage, const struct gmg_level *level,
                const struct gmg_tile *tile)
{
  const int formulas = level->op->boundary == GMG_GHOST_FORMULAS;
  for (int f = 0; stage->followed >> f; f++) {
    if (!(stage->followed >> f & 1))
      continue;
    struct target target = {.field = stage->args.field[f][tile->box],
                            .is_double = stage->call->kernel->field[f].precision == GMG_F64,
                            .box = &level->box[tile->box],
                            .level = level};
    find_rows(&target, stage);
    for (int k = tile->k0; k < tile->k1; k++) {
      if (!is_written(&target, 2, k))
        continue;
      for (int j = tile->j0; j < tile->j1; j++) {
        if (!is_written(&target, 1, j))
          continue;
        follow_along_i(&target, j, k);
        if (formulas)
          follow_along_j(&target, j, k);
      }
      if (formulas)
        follow_along_k(&target, tile, k);
    }
  }
}
