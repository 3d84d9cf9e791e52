#include "parts.h"

#include <string.h>

int gmg_parts_of(const struct gmg_prepared *prepared)
{
  const int *ends = prepared->ends, parts = (ends[0] > 0) + (ends[1] > 0);
  return parts ? parts + 1 : 0;
}

void gmg_parts_describe(const struct gmg_entry *entry, int n, struct gmg_cuda_args *args,
                        CUDA_KERNEL_NODE_PARAMS *params, void **argument)
{
  struct gmg_prepared part = *entry->prepared;
  const int *ends = part.ends, all = part.args.box.cells[2];
  int from = ends[0], planes = all - ends[0] - ends[1]; /* what is between the ends */
  if (n == 0 && ends[0] > 0)
    from = 0, planes = ends[0];
  else if (n + 1 < gmg_parts_of(&part))
    from = all - ends[1], planes = ends[1];
  gmg_prepared_planes(part.descriptor, &part.args, from, planes);
  if (from > 0) /* no wall is there (programs/images.c) */
    part.args.box.other_lower[2] = 0;
  if (from + planes < all)
    part.args.box.other_cells[2] = 0;
  gmg_prepared_grid(&part, part.kernel->form, part.shape, part.grid, &part.args.each);
  *args = part.args;
  memcpy(args->scalar, entry->scalar, sizeof args->scalar);
  argument[0] = args;
  gmg_prepared_node(&part, argument, params);
}

void gmg_parts_hurry(struct gmg_device *device, CUgraphNode node)
{
  CUkernelNodeAttrValue value;
  memset(&value, 0, sizeof value);
  value.priority = -1; /* before 0, which others have */
  device->driver->cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value);
}
