/* The stand-in driver: tensor maps. Without cuda.h, whose declaration differs and which has none
 * before CUDA 12. */
#include <string.h>

#include "map.h"

enum { INVALID_VALUE = 1, INVALID_CONTEXT = 201 }; /* of cuda.h */

/* Boxes for the copy engine: what the driver would refuse; the map is what cuda_on_cpu.h takes it
 * for. */
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                           const uint64_t *extent, const uint64_t *stride, const unsigned *box,
                           const unsigned *step, int interleave, int swizzle, int promotion,
                           int fill)
{
  enum { UNIT = 16, MOST = 256, FLOAT64 = 8, BYTES = 128 };
  (void)interleave, (void)swizzle, (void)promotion, (void)fill;
  const size_t real = type == FLOAT64 ? sizeof(double) : sizeof(float);
  if (!stand_in_entered())
    return INVALID_CONTEXT;
  if ((uintptr_t)map % 64 || (uintptr_t)address % UNIT || rank != 4 || box[0] * real % UNIT)
    return INVALID_VALUE;
  size_t last = (extent[0] - 1) * real;
  for (unsigned n = 0; n < rank; n++) {
    if (extent[n] == 0 || box[n] == 0 || box[n] > MOST || step[n] != 1
        || (n > 0 && stride[n - 1] % UNIT))
      return INVALID_VALUE;
    last += n > 0 ? (extent[n] - 1) * stride[n - 1] : 0;
  }
  memset(map, 0, BYTES);
  struct stand_in_map *known = map;
  *known = (struct stand_in_map){.address = address, .real = (int)real};
  for (int n = 0; n < 4; n++) {
    known->extent[n] = (int64_t)extent[n];
    known->box[n] = (int)box[n];
    known->stride[n] = n > 0 ? (int64_t)stride[n - 1] : (int64_t)real;
  }
  return stand_in_is_there(address, last + real) ? 0 : INVALID_VALUE;
}
