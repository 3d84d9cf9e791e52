/* What the stand-in driver keeps in a tensor map, and cuda_on_cpu.h copies by. */
#ifndef STAND_IN_MAP_H
#define STAND_IN_MAP_H

#include <stddef.h>
#include <stdint.h>

struct stand_in_map {
  void *address;
  int64_t extent[4], stride[4]; /* elements, bytes */
  int box[4], real;
};

/* Whether some context is the thread's. */
int stand_in_entered(void);
/* Whether bytes lie in one block of the device. */
int stand_in_is_there(const void *at, size_t bytes);

#endif
