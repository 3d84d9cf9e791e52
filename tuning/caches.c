#include "caches.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line of a file that says something of a cache of a core. Returns 0 where there is none.
 */
static int read_line(int core, int index, const char *name, char *line, int size)
{
  char path[120];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", core, index, name);
  FILE *stream = fopen(path, "r");
  const int found = stream && fgets(line, size, stream);
  if (stream)
    fclose(stream);
  return found;
}

/* How many cores a list such as "0-3,8-11" names, and the first of them. */
static int count_list(const char *list, int *first)
{
  int count = 0;
  *first = -1;
  for (const char *at = list; *at >= '0' && *at <= '9';) {
    char *end;
    const long from = strtol(at, &end, 10), to = *end == '-' ? strtol(end + 1, &end, 10) : from;
    *first = *first < 0 ? (int)from : *first;
    count += (int)(to - from) + 1;
    at = *end == ',' ? end + 1 : end;
  }
  return count;
}

static double bytes_of(const char *text)
{
  char *end;
  const double value = strtod(text, &end);
  return value * (*end == 'K' ? 1024 : *end == 'M' ? 1 << 20 : *end == 'G' ? 1 << 30 : 1);
}

/* Adds what a core sees of its caches. Each of the cores that share a cache adds its part, the
 * first of them that this process may run on the whole. */
static void add_core(struct gmg_caches *caches, int core, const cpu_set_t *own)
{
  enum { MOST_INDICES = 10 };
  char line[400];
  for (int index = 0; index < MOST_INDICES; index++) {
    int first;
    if (!read_line(core, index, "level", line, sizeof line))
      break;
    const int level = atoi(line);
    if (level < 1 || level > GMG_CACHES || !read_line(core, index, "type", line, sizeof line)
        || strncmp(line, "Instruction", 11) == 0
        || !read_line(core, index, "size", line, sizeof line))
      continue;
    const double bytes = bytes_of(line);
    const int sharers =
      read_line(core, index, "shared_cpu_list", line, sizeof line) ? count_list(line, &first) : 1;
    if (sharers < 1)
      continue;
    caches->all[level - 1] += bytes / sharers;
    while (sharers > 1 && first < core && !CPU_ISSET(first, own))
      first++; /* close enough: lists have gaps, but begin with one of their own */
    if (sharers == 1 || first == core)
      caches->machine[level - 1] += bytes;
  }
}

static double free_memory(void)
{
  char line[200];
  double bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  FILE *stream = fopen("/proc/meminfo", "r");
  while (stream && fgets(line, sizeof line, stream))
    if (strncmp(line, "MemAvailable:", 13) == 0)
      bytes = 1024 * strtod(line + 13, NULL);
  if (stream)
    fclose(stream);
  return bytes;
}

void gmg_caches_find(struct gmg_caches *caches)
{
  static const int names[GMG_CACHES] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                        _SC_LEVEL3_CACHE_SIZE};
  cpu_set_t own;
  *caches = (struct gmg_caches){.free_memory = free_memory()};
  if (sched_getaffinity(0, sizeof own, &own))
    CPU_ZERO(&own);
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &own)) {
      caches->cores++;
      add_core(caches, core, &own);
    }
  if (caches->cores == 0)
    caches->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int n = 0; n < GMG_CACHES; n++) {
    const long bytes = sysconf(names[n]);
    if (caches->all[n] > 0 || bytes <= 0)
      continue;
    caches->all[n] = (double)bytes * (n < 2 ? caches->cores : 1);
    caches->machine[n] = caches->all[n];
  }
}
