#include "modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gmg_wanted gmg_modules_form(const struct gmg_cuda_kernel *kernel,
                                   const struct gmg_cuda_form *form)
{
  const struct gmg_cuda_shape none = {0};
  return (struct gmg_wanted){.kernel = kernel, .form = form, .shape = form ? form->shape : none};
}

struct gmg_wanted gmg_modules_default(const struct gmg_cuda_kernel *kernel, int many)
{
  struct gmg_wanted wanted = gmg_modules_form(kernel, kernel->forms ? &kernel->form[0] : NULL);
  wanted.many = many;
  if (many && wanted.form)
    wanted.shape.blocks = wanted.form->many_blocks;
  return wanted;
}

int gmg_shapes_equal(const struct gmg_cuda_shape *a, const struct gmg_cuda_shape *b)
{
  return a->block_i == b->block_i && a->block_j == b->block_j && a->rows == b->rows
    && a->planes == b->planes && a->unroll == b->unroll && a->blocks == b->blocks;
}

const struct gmg_loaded *gmg_modules_find_as(const struct gmg_device *device,
                                             const struct gmg_wanted *wanted)
{
  for (int n = 0; n < device->loadeds; n++)
    if (device->loaded[n]->kernel == wanted->kernel && device->loaded[n]->form == wanted->form
        && device->loaded[n]->many == wanted->many
        && gmg_shapes_equal(&device->loaded[n]->shape, &wanted->shape))
      return device->loaded[n];
  return NULL;
}

const struct gmg_loaded *gmg_modules_find(const struct gmg_device *device,
                                          const struct gmg_cuda_kernel *kernel, int many)
{
  const struct gmg_wanted wanted = gmg_modules_default(kernel, many);
  return gmg_modules_find_as(device, &wanted);
}

/* The prelude, the kernel, the form; before it that it is for many boxes, and its shape, where that
 * is not the form's own. */
char *gmg_modules_text(const struct gmg_wanted *wanted)
{
  const struct gmg_cuda_form *form = wanted->form;
  const struct gmg_cuda_shape *shape = &wanted->shape;
  char macros[200] = "";
  if (form && !gmg_shapes_equal(shape, &form->shape))
    snprintf(macros, sizeof macros,
             "#define BLOCK_I %d\n#define BLOCK_J %d\n#define ROWS %d\n#define PLANES %d\n"
             "#define UNROLL %d\n#define BLOCKS %d\n",
             shape->block_i, shape->block_j, shape->rows, shape->planes, shape->unroll,
             shape->blocks);
  const char *const parts[] = {gmg_cuda_prelude, wanted->kernel->text,
                               wanted->many ? "#define MANY" : "", macros, form ? form->text : ""};
  enum { PARTS = sizeof parts / sizeof *parts };
  size_t length = 0;
  for (int n = 0; n < PARTS; n++)
    length += strlen(parts[n]) + 1;
  char *text = malloc(length + 1), *end = text;
  for (int n = 0; n < PARTS && text; n++)
    end += sprintf(end, "%s\n", parts[n]);
  return text;
}

static void say_failed(struct gmg_device *device, const char *name, const struct gmg_cubin *cubin)
{
  if (device->failed)
    return;
  device->failed = GMG_ERR_DEVICE;
  snprintf(device->message, sizeof device->message, "kernel %s does not compile for %s: %s", name,
           device->way.architecture, cubin->log ? cubin->log : "out of memory");
}

/* Loads the code. Returns the call of the driver that failed, with *result; NULL: none did. */
static const char *load_code(struct gmg_device *device, struct gmg_loaded *loaded,
                             const struct gmg_cubin *cubin, CUresult *result)
{
  const struct gmg_driver *driver = device->driver;
  *result = driver->cuModuleLoadData(&loaded->module, cubin->code);
  if (*result != CUDA_SUCCESS)
    return "cuModuleLoadData";
  if (loaded->form)
    *result = driver->cuModuleGetFunction(&loaded->function, loaded->module, loaded->form->symbol);
  if (*result == CUDA_SUCCESS)
    return NULL;
  driver->cuModuleUnload(loaded->module);
  return "cuModuleGetFunction";
}

static int load(struct gmg_device *device, const struct gmg_wanted *wanted,
                const struct gmg_cubin *cubin)
{
  const struct gmg_cuda_kernel *kernel = wanted->kernel;
  CUresult result;
  struct gmg_loaded *loaded = calloc(1, sizeof *loaded);
  struct gmg_loaded **more =
    loaded ? realloc(device->loaded, ((size_t)device->loadeds + 1) * sizeof *device->loaded) : NULL;
  if (!more) {
    free(loaded);
    return gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", kernel->symbol);
  }
  device->loaded = more;
  *loaded = (struct gmg_loaded){
    .kernel = kernel, .form = wanted->form, .many = wanted->many, .shape = wanted->shape};
  const char *call = load_code(device, loaded, cubin, &result);
  if (!call) {
    device->loaded[device->loadeds++] = loaded;
    return 0;
  }
  free(loaded);
  return wanted->optional ? 0 : gmg_device_failed(device, result, call, kernel->symbol);
}

static int load_program(struct gmg_device *device, struct gmg_program *program,
                        const struct gmg_cubin *cubin)
{
  if (gmg_device_failed(device, device->driver->cuModuleLoadData(&program->module, cubin->code),
                        "cuModuleLoadData", program->entry)) {
    program->module = NULL;
    return -1;
  }
  return gmg_device_failed(
    device,
    device->driver->cuModuleGetFunction(&program->function, program->module, program->entry),
    "cuModuleGetFunction", program->entry);
}

int gmg_modules_load(struct gmg_device *device, const struct gmg_wanted *wanted, int count,
                     struct gmg_program *program, int *compiled, int *cached)
{
  struct gmg_wanted *missing = calloc((size_t)count + 1, sizeof *missing);
  struct gmg_cubin *cubin = calloc((size_t)count + 2, sizeof *cubin);
  int failed =
    missing && cubin ? 0 : gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "kernels");
  int texts = 0;
  if (program->text && !failed) /* the longest of all: first */
    cubin[texts++].text = program->text;
  const int programs = texts;
  for (int n = 0; n < count && !failed; n++) {
    int known = gmg_modules_find_as(device, &wanted[n]) != NULL;
    for (int m = 0; m < texts - programs; m++)
      known |= missing[m].kernel == wanted[n].kernel && missing[m].form == wanted[n].form
        && missing[m].many == wanted[n].many
        && gmg_shapes_equal(&missing[m].shape, &wanted[n].shape);
    if (known)
      continue;
    cubin[texts].text = gmg_modules_text(&wanted[n]);
    failed = !cubin[texts].text;
    missing[texts++ - programs] = wanted[n];
  }
  if (!failed)
    gmg_cubin_compile(&device->way, cubin, texts, device->context->threads);
  for (int n = 0; n < texts; n++) {
    const struct gmg_wanted *own = n < programs ? NULL : &missing[n - programs];
    const int lacks = cubin[n].text && !cubin[n].code, left_out = lacks && own && own->optional;
    if (lacks && !left_out) {
      say_failed(device, own ? own->kernel->symbol : program->entry, &cubin[n]);
      failed = -1;
    }
    if (!failed && !left_out)
      failed = own ? load(device, own, &cubin[n]) : load_program(device, program, &cubin[n]);
    *compiled += cubin[n].code && !cubin[n].from_cache;
    *cached += cubin[n].from_cache;
    if (own)
      free(cubin[n].text);
    gmg_cubin_clear(&cubin[n]);
  }
  free(cubin);
  free(missing);
  return failed ? -1 : 0;
}

void gmg_modules_unload(struct gmg_device *device)
{
  for (int n = 0; n < device->loadeds; n++) {
    device->driver->cuModuleUnload(device->loaded[n]->module);
    free(device->loaded[n]);
  }
  free(device->loaded);
  device->loaded = NULL;
  device->loadeds = 0;
}
