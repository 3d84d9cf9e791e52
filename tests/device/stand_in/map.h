/* What the stand-in driver keeps in a tensor map, and cuda_on_cpu.h copies by. */
#ifndef STAND_IN_MAP_H
#define STAND_IN_MAP_H

#include <stdint.h>

struct stand_in_map {
  void *address;
  int64_t extent[4], stride[4]; /* elements, bytes */
  int box[4], real;
};

#endif
