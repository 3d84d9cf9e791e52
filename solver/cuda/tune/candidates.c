#include "candidates.h"

#include <stdlib.h>

static struct gmg_candidate *known(struct gmg_candidates *list, const struct gmg_wanted *wanted)
{
  for (int n = 0; n < list->count; n++)
    if (list->candidate[n].wanted.form == wanted->form
        && gmg_shapes_equal(&list->candidate[n].wanted.shape, &wanted->shape))
      return &list->candidate[n];
  return NULL;
}

int gmg_candidates_know(const struct gmg_candidates *list, const struct gmg_wanted *wanted)
{
  return known((struct gmg_candidates *)list, wanted) != NULL;
}

int gmg_candidates_spilled(const struct gmg_candidates *list, const struct gmg_wanted *wanted)
{
  const struct gmg_candidate *candidate = known((struct gmg_candidates *)list, wanted);
  return candidate ? candidate->spilled : 0;
}

/* Whether the function keeps all values in registers, and runs with the threads of its shape. */
static int runs(const struct gmg_driver *driver, struct gmg_candidate *candidate)
{
  const struct gmg_cuda_shape *shape = &candidate->wanted.shape;
  int threads = 0;
  return driver->cuFuncGetAttribute(&candidate->spilled, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                    candidate->function)
    == CUDA_SUCCESS
    && driver->cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                  candidate->function)
    == CUDA_SUCCESS
    && candidate->spilled == 0 && threads >= shape->block_i * shape->block_j;
}

static void unload(struct gmg_candidates *list, struct gmg_candidate *candidate)
{
  if (candidate->module)
    list->device->driver->cuModuleUnload(candidate->module);
  candidate->module = NULL;
  candidate->function = NULL;
}

static void load(struct gmg_candidates *list, struct gmg_candidate *candidate,
                 const struct gmg_cubin *cubin)
{
  const struct gmg_driver *driver = list->device->driver;
  if (!cubin->code || driver->cuModuleLoadData(&candidate->module, cubin->code) != CUDA_SUCCESS) {
    candidate->module = NULL;
    return;
  }
  if (driver->cuModuleGetFunction(&candidate->function, candidate->module,
                                  candidate->wanted.form->symbol)
        != CUDA_SUCCESS
      || !runs(driver, candidate))
    unload(list, candidate);
}

static void forget(struct gmg_candidates *list, int from)
{
  for (int n = from; n < list->count; n++)
    unload(list, &list->candidate[n]);
  list->count = list->count < from ? list->count : from;
}

/* Adds a candidate. Returns its text, which is to be compiled; NULL: the device has it, or memory
 * is short. */
static char *add(struct gmg_candidates *list, const struct gmg_wanted *wanted)
{
  const struct gmg_loaded *own = gmg_modules_find_as(list->device, wanted);
  list->candidate[list->count++] =
    (struct gmg_candidate){.wanted = *wanted, .function = own ? own->function : NULL};
  return own ? NULL : gmg_modules_text(wanted);
}

void gmg_candidates_compile(struct gmg_candidates *list, const struct gmg_wanted *wanted, int count)
{
  struct gmg_cubin cubin[GMG_CANDIDATES] = {{.text = NULL}};
  int place[GMG_CANDIDATES], texts = 0;
  struct gmg_cubin_way way = list->device->way;
  way.cached = 0;
  count = count < GMG_CANDIDATES ? count : GMG_CANDIDATES - 1;
  gmg_device_enter(list->device);
  if (list->count + count > GMG_CANDIDATES)
    forget(list, 1);
  for (int n = 0; n < count; n++) {
    place[texts] = list->count;
    if (!known(list, &wanted[n]) && (cubin[texts].text = add(list, &wanted[n])))
      texts++;
  }
  if (texts > 0)
    gmg_cubin_compile(&way, cubin, texts, list->device->context->threads);
  for (int n = 0; n < texts; n++) {
    load(list, &list->candidate[place[n]], &cubin[n]);
    free(cubin[n].text);
    gmg_cubin_clear(&cubin[n]);
  }
  gmg_device_leave(list->device);
}

const struct gmg_candidate *gmg_candidates_find(struct gmg_candidates *list,
                                                const struct gmg_wanted *wanted)
{
  if (!known(list, wanted))
    gmg_candidates_compile(list, wanted, 1);
  const struct gmg_candidate *candidate = known(list, wanted);
  return candidate && candidate->function ? candidate : NULL;
}

void gmg_candidates_clear(struct gmg_candidates *list)
{
  gmg_device_enter(list->device);
  forget(list, 0);
  gmg_device_leave(list->device);
}
