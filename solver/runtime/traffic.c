#include "traffic.h"

double gmg_traffic(const struct gmg_call *const *list, int calls, double *share, double *touched)
{
  enum { MOST = 3 * GMG_MAX_FIELDS };
  const struct gmg_level_array *seen[MOST];
  int written[MOST], fields = 0;
  double bytes = 0, all = 0;
  for (int c = 0; c < calls; c++) {
    const struct gmg_call *call = list[c];
    const double before = bytes;
    for (int f = 0; f < call->kernel->fields; f++) {
      const struct gmg_field_descriptor *field = &call->kernel->field[f];
      if (field->kind != GMG_FIELD)
        continue;
      const struct gmg_level *level = field->level == GMG_OWN ? call->level : call->other;
      const double values = (double)level->local_cells * (field->precision == GMG_F64 ? 8 : 4);
      int n = 0;
      while (n < fields && seen[n] != call->array[f])
        n++;
      if (n == MOST)
        continue;
      if (n == fields) {
        seen[n] = call->array[f];
        written[n] = 0;
        fields++;
        bytes += field->read ? values : 0;
        all += values;
      }
      if (field->written && !written[n])
        bytes += values;
      written[n] |= field->written;
    }
    if (share)
      share[c] = bytes - before;
  }
  if (touched)
    *touched = all;
  return bytes;
}

static int is_read_beside(const struct gmg_field_descriptor *field)
{
  int reach = field->place != GMG_CELL;
  for (int d = 0; d < 3; d++)
    reach |= field->halo_lower[d] || field->halo_upper[d];
  return field->read && reach;
}

/* Compulsory bytes per cell. A sweep over one of two colours leaves the other colour's values where
 * they are, if rows keep them apart: what it writes, and what it reads in its own cells alone, is
 * half a field. */
static double needed_bytes(const struct gmg_kernel_descriptor *kernel)
{
  double bytes = kernel->bytes;
  if (!gmg_sweeps_one_colour(kernel) || kernel->rows_stored != GMG_SPLIT)
    return bytes;
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    const double half = field->precision == GMG_F64 ? 4 : 2;
    if (field->kind != GMG_FIELD || field->level != GMG_OWN)
      continue;
    bytes -= field->written ? half : 0;
    bytes -= field->read && !is_read_beside(field) ? half : 0;
  }
  return bytes;
}

void gmg_traffic_note(struct gmg_call *call)
{
  const struct gmg_kernel_descriptor *kernel = call->kernel;
  const double cells = (double)call->level->local_cells;
  const int swept = gmg_colours_swept(kernel), colours = swept ? call->level->op->colours : 1;
  call->traffic = gmg_traffic(&(const struct gmg_call *){call}, 1, NULL, &call->touched);
  call->needed = needed_bytes(kernel) * cells;
  call->flops = kernel->flops * cells * (swept > 1 ? swept : 1) / (colours > 1 ? colours : 1);
}
