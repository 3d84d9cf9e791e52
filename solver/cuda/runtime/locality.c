#include "locality.h"

#include "system/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The cores near a device, "0-15,32-47". Returns 0, or -1 where the system does not say. */
static int read_cores(const char *folder, const char *id, struct gmg_cores *cores)
{
  char path[300], address[GMG_LOCALITY_ID];
  int first, last, found = 0;
  memset(cores, 0, sizeof *cores);
  snprintf(address, sizeof address, "%s", id);
  for (char *c = address; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  snprintf(path, sizeof path, "%s/%s/local_cpulist", folder, address);
  FILE *stream = fopen(path, "r");
  if (!stream)
    return -1;
  while (fscanf(stream, "%d", &first) == 1) {
    int next = getc(stream);
    last = first;
    if (next == '-' && fscanf(stream, "%d", &last) == 1)
      next = getc(stream);
    for (int core = first; core <= last && core >= 0 && core < GMG_CORES; core++, found++)
      cores->mask[core / 8] |= (unsigned char)(1 << core % 8);
    if (next != ',')
      break;
  }
  fclose(stream);
  return found ? 0 : -1;
}

static int meet(const struct gmg_cores *a, const struct gmg_cores *b)
{
  int common = 0;
  for (size_t n = 0; n < sizeof a->mask; n++)
    common |= a->mask[n] & b->mask[n];
  return common != 0;
}

/* By rank: a bit for every device that is near it; all of them where none is known to be. */
static void find_near(const struct gmg_locality *locality, const struct gmg_comm *comm,
                      const char *folder, uint64_t *near)
{
  const uint64_t all =
    locality->devices < 64 ? ((uint64_t)1 << locality->devices) - 1 : ~(uint64_t)0;
  for (int r = 0; r < comm->here; r++)
    near[r] = 0;
  for (int d = 0; d < locality->devices; d++) {
    struct gmg_cores cores;
    const int unknown = read_cores(folder, locality->id[d], &cores);
    for (int r = 0; r < comm->here; r++)
      if (unknown || meet(&cores, &comm->cores[r]))
        near[r] |= (uint64_t)1 << d;
  }
  for (int r = 0; r < comm->here; r++)
    near[r] = near[r] ? near[r] : all;
}

static int count(uint64_t bits)
{
  int bit = 0;
  for (; bits; bits &= bits - 1)
    bit++;
  return bit;
}

/* The one with the fewest ranks among some devices. */
static int least(const int *taken, int devices, uint64_t among)
{
  int best = -1;
  for (int d = 0; d < devices; d++)
    if (among >> d & 1 && (best < 0 || taken[d] < taken[best]))
      best = d;
  return best;
}

/* First those ranks that have few devices near take one, as long as there are places there; then
 * all others, anywhere. */
static void assign(const uint64_t *near, int ranks, int devices, int *device)
{
  const int places = (ranks + devices - 1) / devices;
  int taken[GMG_LOCALITY_DEVICES] = {0};
  for (int r = 0; r < ranks; r++)
    device[r] = -1;
  for (int few = 1; few <= devices; few++)
    for (int r = 0; r < ranks; r++) {
      const int d = count(near[r]) == few ? least(taken, devices, near[r]) : -1;
      if (d >= 0 && taken[d] < places)
        taken[device[r] = d]++;
    }
  for (int r = 0; r < ranks; r++)
    if (device[r] < 0)
      taken[device[r] = least(taken, devices, ~(uint64_t)0)]++;
}

int gmg_locality_choose(const struct gmg_locality *locality, const struct gmg_comm *comm,
                        const char *folder, int *near)
{
  const int devices = locality->devices, in_turn = comm->rank_here % devices;
  if (near)
    *near = 0;
  if (devices == 1 || devices > GMG_LOCALITY_DEVICES || !comm->cores)
    return in_turn;
  uint64_t *bits = gmg_malloc((size_t)comm->here * (sizeof *bits + sizeof(int)));
  if (!bits)
    return in_turn;
  int *device = (int *)(bits + comm->here), all_alike = 1;
  find_near(locality, comm, folder, bits);
  assign(bits, comm->here, devices, device);
  for (int r = 0; r < comm->here; r++)
    all_alike &= count(bits[r]) == devices;
  const int mine = device[comm->rank_here];
  if (near)
    *near = !all_alike && (bits[comm->rank_here] >> mine & 1);
  gmg_free(bits);
  return mine;
}
