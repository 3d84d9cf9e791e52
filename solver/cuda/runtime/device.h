/* The device of a rank: context, stream, loaded kernels, errors. */
#ifndef GMG_CUDA_DEVICE_H
#define GMG_CUDA_DEVICE_H

#include "runtime/context.h"
#include "cubin.h"
#include "cuda_kernel.h"

/* A form of a kernel whose code is on the device. */
struct gmg_loaded {
  const struct gmg_cuda_kernel *kernel;
  const struct gmg_cuda_form *form; /* NULL: the kernel has none, it is for the coarse tail alone */
  struct gmg_cuda_shape shape;
  int many; /* 1: it covers many boxes in a launch */
  CUmodule module;
  CUfunction function;
};

struct gmg_queue;
struct gmg_tail;
struct gmg_rooms;
struct gmg_bounce_buffers;
struct gmg_signals;
struct cublasContext;

enum { GMG_TIMED_WAITS = 32 };

struct gmg_device {
  gmg_context *context;
  const struct gmg_driver *driver;
  struct gmg_cubin_way way;
  CUdevice id;
  CUcontext cuda;
  CUstream stream;
  CUevent moment; /* in this stream or a caller's, for the other to wait for */
  CUstream aside; /* for what cannot wait until the stream is done; NULL: not needed yet */
  struct gmg_signals *signals; /* that its stream may wait for; NULL: none */
  CUmodule signal_module;      /* the kernel for them; NULL: operations on memory are taken */
  CUfunction signal_kernel;
  int signals_chosen;
  unsigned exchanges, counted;      /* with such signals, so far; those whose waits are counted */
  CUevent wait[GMG_TIMED_WAITS][2]; /* before and after waits that were timed since, */
  int timed;                        /* so many */
  int listed, untimed;              /* exchanges in the list that is collected; lists since a wait
                                       was timed */
  int index, count, multiprocessors, capability, cooperative;
  int near; /* 1: taken because it is near this rank's cores */
  size_t memory;
  char name[100];
  struct gmg_loaded **loaded; /* stay where they are */
  int loadeds;
  struct gmg_tail *tail, *planned_tail;
  struct gmg_queue *queue;
  struct gmg_rooms *rooms; /* of the queue's lists; NULL: not taken yet */
  struct gmg_bounce_buffers *bounce;
  struct cublasContext *blas; /* NULL: not asked for yet (blas.h) */
  struct gmg_reduction *sums; /* in page-locked memory of the host */
  CUdeviceptr d_sums;
  gmg_status failed; /* of the first call that failed since it was asked */
  char message[400];
};

/* Notes that a call of the driver failed, with its name. Returns whether it did. */
int gmg_device_failed(struct gmg_device *device, CUresult result, const char *call,
                      const char *about);
#define GMG_DEVICE_TRY(device, call, ...) \
  gmg_device_failed(device, (device)->driver->call(__VA_ARGS__), #call, "")
/* Makes the device's context the thread's, and back. */
void gmg_device_enter(struct gmg_device *device);
void gmg_device_leave(struct gmg_device *device);
/* Waits for all that was launched. */
void gmg_device_synchronize(struct gmg_device *device);
/* Of the table of functions (runtime/backend.h). */
gmg_status gmg_cuda_status(gmg_context *context);

#endif
