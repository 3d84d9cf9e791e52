/* The kernels that a device has: from the generated texts, compiled when a solver first needs them.
 */
#ifndef GMG_CUDA_MODULES_H
#define GMG_CUDA_MODULES_H

#include "device.h"

/* A text of its own, with the entry of that name. */
struct gmg_program {
  char *text; /* NULL: there is none */
  const char *entry;
  CUmodule module;
  CUfunction function;
};
/* A form of a kernel in a shape. */
struct gmg_wanted {
  const struct gmg_cuda_kernel *kernel;
  const struct gmg_cuda_form *form; /* NULL: the kernel has none */
  struct gmg_cuda_shape shape;
  int many;     /* 1: to cover many boxes in a launch */
  int optional; /* 1: it is no failure where it does not compile or cannot be loaded */
  int refused;  /* 1: it is the default, in place of one that cannot run */
};
/* The default form in its own shape, for one box or for many in a launch; a form in its own shape,
 * for one. */
struct gmg_wanted gmg_modules_default(const struct gmg_cuda_kernel *kernel, int many);
struct gmg_wanted gmg_modules_form(const struct gmg_cuda_kernel *kernel,
                                   const struct gmg_cuda_form *form);
int gmg_shapes_equal(const struct gmg_cuda_shape *a, const struct gmg_cuda_shape *b);
/* The text that is compiled for it. Memory: gives it, for free(); NULL: out of memory. */
char *gmg_modules_text(const struct gmg_wanted *wanted);
/* Compiles and loads those of a list that are not there yet, and a program, in parallel. compiled,
 * cached: counted up. Returns -1 where one failed, with the device's message. */
int gmg_modules_load(struct gmg_device *device, const struct gmg_wanted *wanted, int count,
                     struct gmg_program *program, int *compiled, int *cached);
/* A kernel that was loaded in its default form for one box or for many, or as it was wanted; or
 * NULL. */
const struct gmg_loaded *gmg_modules_find(const struct gmg_device *device,
                                          const struct gmg_cuda_kernel *kernel, int many);
const struct gmg_loaded *gmg_modules_find_as(const struct gmg_device *device,
                                             const struct gmg_wanted *wanted);
void gmg_modules_unload(struct gmg_device *device);

#endif
