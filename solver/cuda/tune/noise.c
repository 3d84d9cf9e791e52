#include "noise.h"

#include "cuda/memory/mirror.h"

#include <stdlib.h>

/* A prime, so that values a row or a plane apart differ. */
enum { VALUES = 1048583 };

int gmg_noise_has(const struct gmg_placement *p, const struct gmg_level_array *array)
{
  return array->share == GMG_APART || array->share == p->memory->uses;
}

static int changes(const struct gmg_placement *p, const struct gmg_level_array *array)
{
  return array->mirror.at && array->kind == GMG_FIELD && !array->coefficient
    && gmg_noise_has(p, array);
}

/* Does something with every field that cycles change. */
static void visit(struct gmg_placement *p,
                  void (*field)(struct gmg_placement *placement, struct gmg_level_array *array,
                                int single, void *user),
                  void *user)
{
  for (int n = 0; n < p->levels; n++)
    for (int a = 0; a < p->level[n]->arrays; a++)
      if (changes(p, p->level[n]->array[a]))
        field(p, p->level[n]->array[a], p->level[n]->precision == GMG_F32, user);
}

/* Noise in the device's memory, in double and in single precision. */
struct noise {
  CUdeviceptr at[2];
  size_t bytes[2];
};

static void fill_field(struct gmg_placement *p, struct gmg_level_array *array, int single,
                       void *user)
{
  const struct noise *noise = user;
  const size_t piece = noise->bytes[single];
  for (size_t done = 0; done < array->bytes && !p->device->failed; done += piece)
    GMG_DEVICE_TRY(p->device, cuMemcpyDtoDAsync, array->mirror.at + done, noise->at[single],
                   array->bytes - done < piece ? array->bytes - done : piece, p->device->stream);
  array->mirror.newer = GMG_NEWER_DEVICE;
}

static double next_value(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u; /* after Knuth */
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void *make_values(int single)
{
  uint64_t state = 1;
  double *values = malloc(VALUES * sizeof *values);
  float *floats = (float *)(void *)values;
  for (int n = 0; n < VALUES && values; n++) {
    const double value = next_value(&state);
    if (single)
      floats[n] = (float)value;
    else
      values[n] = value;
  }
  return values;
}

static int open_noise(struct gmg_device *device, struct noise *noise)
{
  int failed = 0;
  for (int single = 0; single < 2 && !failed; single++) {
    void *values = make_values(single);
    noise->bytes[single] = VALUES * (single ? sizeof(float) : sizeof(double));
    failed = !values
      || device->driver->cuMemAlloc(&noise->at[single], noise->bytes[single]) != CUDA_SUCCESS;
    if (!failed)
      GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, noise->at[single], values, noise->bytes[single],
                     device->stream);
    gmg_device_synchronize(device);
    free(values);
  }
  return failed || device->failed;
}

int gmg_noise_fill(struct gmg_placement *p)
{
  struct noise noise = {.at = {0, 0}};
  gmg_call_wait(p->context);
  gmg_device_enter(p->device);
  const int failed = open_noise(p->device, &noise);
  if (!failed)
    visit(p, fill_field, &noise);
  gmg_device_synchronize(p->device);
  for (int single = 0; single < 2; single++)
    if (noise.at[single])
      p->device->driver->cuMemFree(noise.at[single]);
  gmg_device_leave(p->device);
  return failed || p->device->failed ? -1 : 0;
}

static void clear_field(struct gmg_placement *p, struct gmg_level_array *array, int single,
                        void *user)
{
  (void)single;
  (void)user;
  gmg_mirror_clear(p->device, array->mirror.at, (int64_t)array->bytes);
  array->mirror.newer = GMG_NEWER_DEVICE;
}

void gmg_noise_clear(struct gmg_placement *p)
{
  visit(p, clear_field, NULL);
}
