/* The stand-in driver: modules, which are shared objects that the stand-in compiler (compiler.c)
 * made, and launches. */
#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/runtime/signals_text.h"
#include "stand_in.h"

struct CUmod_st {
  void *library;
  int functions;
  struct CUfunc_st function[64];
};

/* The sections of a shared object end where its section headers do. */
static size_t image_bytes(const void *image)
{
  const Elf64_Ehdr *head = image;
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  return (size_t)head->e_shoff + (size_t)head->e_shentsize * head->e_shnum;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  /* dlopen knows libraries by their paths, and some stay when they are closed: no two have one
   * path.
   */
  char path[] = P_tmpdir "/gmg-stand-in-XXXXXX";
  const size_t bytes = image_bytes(image);
  const int file = bytes ? mkstemp(path) : -1;
  if (file < 0)
    return CUDA_ERROR_INVALID_IMAGE;
  const int written = write(file, image, bytes) == (ssize_t)bytes;
  *module = calloc(1, sizeof **module);
  (*module)->library = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  close(file);
  unlink(path);
  if (!(*module)->library) {
    fprintf(stderr, "stand-in: %s\n", written ? dlerror() : "no room for a module");
    free(*module);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module)
{
  dlclose(module->library);
  free(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  char text[200];
  struct CUfunc_st *f = &module->function[module->functions];
  snprintf(text, sizeof text, "%s_on_cpu", name);
  *(void **)&f->launch = dlsym(module->library, text);
  snprintf(text, sizeof text, "%s_bytes", name);
  const size_t *size = dlsym(module->library, text);
  if (!f->launch || !size)
    return CUDA_ERROR_NOT_FOUND;
  f->signals = strcmp(name, "gmg_signals") == 0;
  f->bytes = size[0];
  f->second = size[1];
  module->functions++;
  *function = f;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
  (void)function;
  *value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
  (void)which;
  (void)function;
  (void)value;
  return stand_in_entered() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int size,
                                                     size_t shared)
{
  (void)function;
  (void)size;
  (void)shared;
  *blocks = 1;
  return CUDA_SUCCESS;
}

void *stand_in_copy_params(CUfunction function, void **params)
{
  enum { LINE = 64 };
  const size_t first = (function->bytes + LINE - 1) / LINE * LINE,
               second = (function->second + LINE - 1) / LINE * LINE;
  char *copy = aligned_alloc(LINE, first + second);
  memcpy(copy, params[0], function->bytes);
  if (function->second)
    memcpy(copy + first, params[1], function->second);
  return copy;
}

void *stand_in_copy_again(const struct stand_in_work *work)
{
  void *params[] = {work->params, (char *)work->params + (work->function->bytes + 63) / 64 * 64};
  return stand_in_copy_params(work->function, params);
}

/* A process waits by one thread, which must go on meanwhile: not in a kernel, then. */
static CUresult set_signals(struct stand_in_work *work, const void *param)
{
  const struct gmg_signal_args *args = param;
  CUstreamBatchMemOpParams operation[2 * GMG_SIGNAL_WORDS];
  unsigned count = 0;
  memset(operation, 0, sizeof operation);
  for (int n = 0; n < args->sets + args->awaits; n++) {
    CUstreamBatchMemOpParams *o = &operation[count++];
    if (n >= args->sets) {
      o->waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
      o->waitValue.address = args->word[n];
      o->waitValue.value = 1;
      o->waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
      o = &operation[count++];
    }
    o->writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    o->writeValue.address = args->word[n];
    o->writeValue.value = n < args->sets;
  }
  return stand_in_set_signals(work, count, operation);
}

CUresult stand_in_set_kernel(struct stand_in_work *work, CUfunction function,
                             const unsigned grid[3], const unsigned block[3], int cooperative,
                             void **params)
{
  if (!grid[0] || !grid[1] || !grid[2] || !block[0] || !block[1] || !block[2]
      || block[0] * block[1] * block[2] > 1024 || grid[1] > 65535 || grid[2] > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  if (function->signals)
    return set_signals(work, params[0]);
  work->kind = STAND_IN_KERNEL;
  work->function = function;
  memcpy(work->grid, grid, sizeof work->grid);
  memcpy(work->block, block, sizeof work->block);
  work->cooperative = cooperative;
  work->params = stand_in_copy_params(function, params);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params,
                        void **extra)
{
  (void)shared;
  (void)extra;
  const CUresult result =
    stand_in_set_kernel(stand_in_append(stream), function, (unsigned[]){gx, gy, gz},
                        (unsigned[]){bx, by, bz}, 0, params);
  if (result == CUDA_SUCCESS && function->signals)
    stand_in_begin(stream);
  return result;
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   CUstream stream, void **params)
{
  (void)shared;
  if (gx * gy * gz > STAND_IN_PROCESSORS)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return stand_in_set_kernel(stand_in_append(stream), function, (unsigned[]){gx, gy, gz},
                             (unsigned[]){bx, by, bz}, 1, params);
}
