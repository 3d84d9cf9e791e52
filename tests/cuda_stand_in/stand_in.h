/* The stand-in driver's own: work on streams, and memory. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <cuda.h>
#include <stddef.h>

#include "map.h"

enum { STAND_IN_PROCESSORS = 2 };

typedef void stand_in_launcher(const unsigned grid[3], const unsigned block[3], int cooperative,
                               void **params);

struct CUfunc_st {
  stand_in_launcher *launch;
  size_t bytes, second; /* of its one parameter, or of the first of two; and of the second one */
  int signals;          /* 1: it sets words and waits for some (cuda/runtime/signals_text.h) */
};

enum stand_in_kind {
  STAND_IN_KERNEL,
  STAND_IN_COPY,
  STAND_IN_FILL,
  STAND_IN_RECORD,
  STAND_IN_WAIT,
  STAND_IN_SIGNALS,
  STAND_IN_CALL
};
struct stand_in_work {
  enum stand_in_kind kind;
  CUfunction function;
  unsigned grid[3], block[3];
  int cooperative;
  void *params; /* a copy; of signals, CUstreamBatchMemOpParams */
  unsigned signals, signals_done;
  void (*call)(const void *params);
  void *to;
  const void *from;
  void *staged; /* of memory that is not page-locked, as it was */
  size_t bytes;
  unsigned char value;
  CUevent event;
  long record; /* of the event: which */
};

/* Room for one piece of work more on a stream, a kernel's until said otherwise. */
struct stand_in_work *stand_in_append(CUstream stream);
void stand_in_run(struct stand_in_work *work);
void *stand_in_copy_of(const void *bytes, size_t count);
/* The parameters of a launch: the second one where 64 bytes begin. */
void *stand_in_copy_params(CUfunction function, void **params);
void *stand_in_copy_again(const struct stand_in_work *work);
/* Whether an address is of page-locked memory. */
int stand_in_is_locked(const void *at);
/* Waits for words and settings of words as work, which has a copy. */
CUresult stand_in_set_signals(struct stand_in_work *work, unsigned count,
                              const CUstreamBatchMemOpParams *operation);
/* Runs what is on a stream, as far as it waits for nobody; for a while where it does. */
void stand_in_begin(CUstream stream);
/* A launch as work. */
CUresult stand_in_set_kernel(struct stand_in_work *work, CUfunction function,
                             const unsigned grid[3], const unsigned block[3], int cooperative,
                             void **params);

/* For tests: bytes of the device in use, the most so far, and kernels run. */
size_t stand_in_bytes(void);
size_t stand_in_most(void);
int stand_in_launches(void);
/* Bytes copied to the device and back since the program began. */
void stand_in_copied(long long bytes[2]);
/* Bytes of the largest copy from the device since this was last asked. */
size_t stand_in_largest(void);

#endif
