/* A GPU by the driver API, which is opened at run time. */
#ifndef GMG_BENCH_CUDA_DEVICE_H
#define GMG_BENCH_CUDA_DEVICE_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long cuda_memory;
typedef struct cuda_function *cuda_function;
typedef struct cuda_module *cuda_module;

struct cuda_device {
  char name[128];
  char architecture[16]; /* "sm_90" */
  int processors;
  size_t memory;
};

/* 0, and a reason, if there is no driver or no device. */
int cuda_open(struct cuda_device *device, char *why, size_t size);
/* The calls below print what went wrong and end the program. */
cuda_memory cuda_allocate(size_t bytes);
void cuda_release(cuda_memory memory);
void cuda_upload(cuda_memory to, const void *from, size_t bytes);
void cuda_download(void *to, cuda_memory from, size_t bytes);
void cuda_copy(cuda_memory to, cuda_memory from, size_t bytes);
cuda_module cuda_load(const void *cubin);
void cuda_unload(cuda_module module);
/* NULL if the module has no such function. */
cuda_function cuda_find(cuda_module module, const char *name);
int cuda_blocks_per_processor(cuda_function function, int threads);
/* args: of the kernel's one parameter. Does not wait. Returns the driver's status, 0 good. */
int cuda_launch(cuda_function function, const unsigned grid[3], const unsigned block[3],
                void *args);
/* Launches with dynamic shared memory and several parameters. */
int cuda_launch_shared(cuda_function function, const unsigned grid[3], const unsigned block[3],
                       int shared_bytes, void **parameters);
int cuda_processors(void);
/* Whether the device, from architecture 9.0 on, and the driver have a copy engine for boxes;
 * describes them (cuda/staged.h). */
int cuda_copies_boxes(void);
int cuda_encode_tensor(void *tensor, int type, unsigned rank, void *first, const uint64_t *extent,
                       const uint64_t *stride, const unsigned *box, const unsigned *step,
                       int interleave, int swizzle, int promotion, int fill);
void cuda_wait(void);
/* Milliseconds between two calls on the device: begin, launches, end. */
void cuda_clock_begin(void);
double cuda_clock_end(void);

#endif
