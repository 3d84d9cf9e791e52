#include "traffic.h"

double gmg_traffic(const struct gmg_call *const *list, int calls)
{
  enum { MOST = 3 * GMG_MAX_FIELDS };
  const struct gmg_level_array *seen[MOST];
  int written[MOST], fields = 0;
  double bytes = 0;
  for (int c = 0; c < calls; c++) {
    const struct gmg_call *call = list[c];
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
      }
      if (field->written && !written[n])
        bytes += values;
      written[n] |= field->written;
    }
  }
  return bytes;
}
