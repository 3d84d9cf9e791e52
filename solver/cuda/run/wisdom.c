#include "wisdom.h"

#include "cuda/runtime/device.h"
#include "tuning/wisdom.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gmg_cuda_identify(gmg_context *context, struct gmg_wisdom_key *key)
{
  const struct gmg_device *device = context->device;
  snprintf(key->target, sizeof key->target, "cuda");
  snprintf(key->machine, sizeof key->machine, "%.60s, %.30s", device->name,
           device->way.architecture);
  snprintf(key->compiler, sizeof key->compiler, "NVRTC %d.%d", device->way.version[0],
           device->way.version[1]);
  key->threads = 0;
}

static const struct gmg_cuda_kernel *find(const char *subject)
{
  static const char first[] = "kernel ";
  const size_t skip = sizeof first - 1;
  for (int n = 0; strncmp(subject, first, skip) == 0 && gmg_cuda_kernels[n]; n++)
    if (strcmp(gmg_cuda_kernels[n]->symbol, subject + skip) == 0)
      return gmg_cuda_kernels[n];
  return NULL;
}

static uint64_t hash_of(uint64_t hash, const char *text)
{
  for (const char *c = text; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u; /* Fowler, Noll and Vo */
  return hash;
}

int gmg_cuda_source(const char *subject, char *hash, size_t size)
{
  const struct gmg_cuda_kernel *kernel = find(subject);
  if (!kernel)
    return 0;
  uint64_t value = hash_of(hash_of(14695981039346656037u, gmg_cuda_prelude), kernel->text);
  for (int n = 0; n < kernel->forms; n++)
    value = hash_of(value, kernel->form[n].text);
  snprintf(hash, size, "%016" PRIx64, value);
  return 1;
}

int gmg_cuda_allows(const char *subject, const char *name, const char *word, int number)
{
  return find(subject) && name && word && number < 0;
}
