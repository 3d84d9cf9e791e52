#include "bottom_fft.h"

#include "fourier/lines.h"
#include "fourier/suits.h"
#include "problem/kernels.h"

#include <string.h>

/* The level's values, in double and in plain rows, where lines along every axis are whole. */
struct gmg_bottom_fft {
  struct gmg_lines lines;
  struct gmg_storage *storage;
  struct gmg_pencil along[3];
  double *values;
  size_t bytes;
};

static gmg_status check(struct gmg_hierarchy *h)
{
  const struct gmg_level *level = gmg_coarsest(h);
  struct gmg_lacking lacking;
  if (!gmg_line_fft_available())
    return gmg_fail(h->context, GMG_ERR_UNSUPPORTED,
                    "bottom: 'fft' needs KissFFT, which this build was configured without");
  if (!gmg_transforms_suit(h->problem, level->op, level->axis, &lacking))
    return gmg_fail(h->context, GMG_ERR_UNSUPPORTED,
                    "bottom: 'fft' needs %s, on the coarsest level too; found %s there: take "
                    "another bottom solver, or bottom-cells",
                    lacking.needs, lacking.found);
  return GMG_OK;
}

static int make(struct gmg_hierarchy *h, struct gmg_bottom_fft *fft)
{
  struct gmg_level *level = gmg_coarsest(h);
  enum gmg_basis_kind kind[3];
  for (int d = 0; d < 3; d++)
    kind[d] = gmg_basis_kind_of(&level->axis[d]);
  const int cells[3] = {level->axis[0].cells, level->axis[1].cells, level->axis[2].cells};
  fft->storage = gmg_storage_create(level->layout, 0, 0, NULL, sizeof(double), GMG_PLAIN);
  if (!fft->storage || gmg_lines_create(kind, cells, h->context->threads, h->memory, &fft->lines))
    return -1;
  for (int d = 0; d < 3; d++) {
    const int pair = d == 0 ? 1 : 0;
    fft->along[d] = (struct gmg_pencil){.axis = d,
                                        .pair = pair,
                                        .other = 3 - d - pair,
                                        .layout = level->layout,
                                        .storage = fft->storage};
  }
  fft->bytes = (size_t)fft->storage->elements * sizeof(double) + 1; /* of a rank without it: 1 */
  fft->values = gmg_allocate(h->memory, fft->bytes);
  return fft->values ? 0 : -1;
}

gmg_status gmg_bottom_fft_bind(struct gmg_hierarchy *h)
{
  const gmg_status status = check(h);
  if (status)
    return status;
  h->bottom.fft = gmg_calloc(1, sizeof *h->bottom.fft);
  return !h->bottom.fft || make(h, h->bottom.fft)
    ? gmg_no_memory(h->context, "for the transforms of the coarsest level")
    : GMG_OK;
}

void gmg_bottom_fft_destroy(struct gmg_hierarchy *h)
{
  struct gmg_bottom_fft *fft = h->bottom.fft;
  if (!fft)
    return;
  gmg_release(h->memory, fft->values, fft->bytes);
  gmg_lines_clear(h->memory, &fft->lines);
  gmg_storage_destroy(&fft->storage);
  gmg_free(fft);
  h->bottom.fft = NULL;
}

/* From a field of the one box to the values, or back. */
static void copy(struct gmg_level *level, const struct gmg_bottom_fft *fft, enum gmg_name name,
                 int back)
{
  const struct gmg_kernel_box *box = &level->box[0];
  void *field = gmg_level_open(level, name, back ? GMG_CHANGE : GMG_READ)->box[0];
  for (int k = 0; k < box->cells[2]; k++)
    for (int j = 0; j < box->cells[1]; j++) {
      double *value = fft->values + fft->storage->origin[0] + j * fft->storage->stride[0][0]
        + k * fft->storage->stride[0][1];
      for (int i = 0; i < box->cells[0]; i++, value++) {
        const ptrdiff_t at = gmg_offset(box, i, j, k);
        if (back)
          gmg_level_put(level, field, at, *value);
        else
          *value = gmg_level_value(level, field, at);
      }
    }
}

void gmg_bottom_fft_solve(struct gmg_hierarchy *h)
{
  static const struct {
    int axis;
    enum gmg_lines_task task;
  } step[] = {{0, GMG_LINES_FORWARD},
              {1, GMG_LINES_FORWARD},
              {2, GMG_LINES_SOLVE},
              {1, GMG_LINES_BACKWARD},
              {0, GMG_LINES_BACKWARD}};
  struct gmg_level *level = gmg_coarsest(h);
  struct gmg_bottom_fft *fft = h->bottom.fft;
  gmg_call_wait(h->context);
  if (level->local_cells == 0)
    return;
  double width[3];
  for (int d = 0; d < 3; d++)
    width[d] = level->axis[d].width[0] / level->unit;
  const struct gmg_symbol symbol = gmg_lines_symbol(&fft->lines, width, level->alpha, level->b,
                                                    strcmp(level->op->name, "constant27") == 0);
  copy(level, fft, GMG_NAME_F, 0);
  for (size_t n = 0; n < GMG_LENGTH(step); n++)
    gmg_lines_run(&fft->lines, h->context->team, &fft->along[step[n].axis], step[n].task, &symbol,
                  fft->values);
  copy(level, fft, GMG_NAME_U, 1);
}
