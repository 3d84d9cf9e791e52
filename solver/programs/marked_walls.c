#include "marked_walls.h"

#include "system/memory.h"

/* Cells [lower, upper) of the grid and beyond it. */
struct region {
  int lower[3], upper[3];
};

static size_t size_of(const struct region *region)
{
  size_t size = 1;
  for (int d = 0; d < 3; d++)
    size *= (size_t)(region->upper[d] - region->lower[d]);
  return size;
}

/* What lies beyond one side, as deep as ghosts are: along axes before it cells alone, along those
 * after it ghosts as well. */
static struct region beyond(const gmg_program *program, int axis, int high)
{
  struct region region;
  for (int d = 0; d < 3; d++) {
    const int deep = d >= axis ? gmg_program_ghosts(program, d) : 0;
    region.lower[d] = -deep;
    region.upper[d] = program->cells[d] + deep;
  }
  if (high)
    region.lower[axis] = program->cells[axis];
  else
    region.upper[axis] = 0;
  return region;
}

/* Puts the values of a region where a box has elements of it. */
static void put(const gmg_program_box *box, const struct region *region, const double *values)
{
  int lower[3], upper[3];
  ptrdiff_t size[3];
  for (int d = 0; d < 3; d++) {
    lower[d] = box->lower[d] - box->ghosts[d];
    upper[d] = box->upper[d] + box->ghosts[d];
    lower[d] = lower[d] > region->lower[d] ? lower[d] : region->lower[d];
    upper[d] = upper[d] < region->upper[d] ? upper[d] : region->upper[d];
    size[d] = region->upper[d] - region->lower[d];
  }
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++)
        ((double *)
           box->data)[(i - box->lower[0]) * box->stride[0] + (j - box->lower[1]) * box->stride[1]
                      + (k - box->lower[2]) * box->stride[2]] =
          values[i - region->lower[0]
                 + size[0] * (j - region->lower[1] + size[1] * (k - region->lower[2]))];
}

static gmg_status share_region(gmg_program *program, int array, const struct region *region,
                               const double *first, const ptrdiff_t stride[3], gmg_tell *tell)
{
  const size_t size = size_of(region);
  double *values = gmg_malloc((size + 1) * sizeof *values), *at = values;
  gmg_status status = values ? GMG_OK : gmg_no_memory(program->context, "for values beyond walls");
  for (int k = region->lower[2]; first && values && k < region->upper[2]; k++)
    for (int j = region->lower[1]; j < region->upper[1]; j++)
      for (int i = region->lower[0]; i < region->upper[0]; i++)
        *at++ = first[i * stride[0] + j * stride[1] + k * stride[2]];
  status = gmg_agree(program->context, status);
  if (!status)
    tell(values, size * sizeof *values);
  for (int b = 0; !status && b < gmg_program_boxes(program); b++) {
    gmg_program_box box;
    status = gmg_program_view(program, array, b, &box);
    if (!status)
      put(&box, region, values);
  }
  gmg_free(values);
  return status;
}

gmg_status gmg_marked_share(gmg_program *program, int array, const double *first,
                            const ptrdiff_t stride[3], gmg_tell *tell)
{
  gmg_status status = GMG_OK;
  for (int axis = 0; axis < 3; axis++)
    for (int high = 0; high < 2 && gmg_program_ghosts(program, axis) && !status; high++) {
      const struct region region = beyond(program, axis, high);
      status = share_region(program, array, &region, first, stride, tell);
    }
  return status;
}
