#include "available.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct gmg_limit unlimited = {INT64_MAX, "nothing"};

static void lower(struct gmg_limit *limit, int64_t bytes, const char *what)
{
  if (bytes < limit->bytes)
    *limit = (struct gmg_limit){bytes > 0 ? bytes : 0, what};
}

/* Pages of the process: all of its address space, and data with stacks. Returns 0 where the system
 * says. */
static int pages_of_process(int64_t *space, int64_t *data)
{
  long long value[6];
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file)
    return -1;
  int found = 0;
  while (found < 6 && fscanf(file, "%lld", &value[found]) == 1)
    found++;
  fclose(file);
  if (found < 6)
    return -1;
  *space = value[0];
  *data = value[5];
  return 0;
}

struct gmg_limit gmg_limit_of_process(void)
{
  struct gmg_limit limit = unlimited;
  struct rlimit allowed;
  int64_t space, data;
  const int64_t page = sysconf(_SC_PAGESIZE);
  if (pages_of_process(&space, &data))
    return limit;
  if (getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY)
    lower(&limit, (int64_t)allowed.rlim_cur - space * page,
          "the limit on the address space of a process (ulimit -v)");
  if (getrlimit(RLIMIT_DATA, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY)
    lower(&limit, (int64_t)allowed.rlim_cur - data * page,
          "the limit on the data of a process (ulimit -d)");
  return limit;
}

/* The number in a file; -1: there is none ("max", no such file). */
static int64_t number_in(const char *folder, const char *name)
{
  char path[PATH_MAX + 64];
  int64_t value = -1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  if (fscanf(file, "%" SCNd64, &value) != 1)
    value = -1;
  fclose(file);
  return value;
}

/* The number after a word that begins a line; -1: there is none. */
static int64_t number_after(const char *path, const char *word)
{
  char line[256];
  int64_t value = -1;
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  while (value < 0 && fgets(line, sizeof line, file))
    if (strncmp(line, word, strlen(word)) == 0
        && sscanf(line + strlen(word), "%" SCNd64, &value) != 1)
      value = -1;
  fclose(file);
  return value;
}

/* One control group: its limit, less what it uses beyond file pages that can be given up. */
static void limit_of_group(const char *folder, const char *most, const char *used,
                           const char *reclaimable, struct gmg_limit *limit)
{
  char statistics[PATH_MAX + 64];
  const int64_t allowed = number_in(folder, most), now = number_in(folder, used);
  if (allowed < 0 || now < 0)
    return;
  snprintf(statistics, sizeof statistics, "%s/memory.stat", folder);
  const int64_t spare = number_after(statistics, reclaimable);
  lower(limit, allowed - now + (spare > 0 ? spare : 0), "the memory limit of the control group");
}

/* The groups of a hierarchy that hold this process, from its own up to the root, of which each may
 * limit. */
static void limit_of_groups(const char *root, const char *group, int version,
                            struct gmg_limit *limit)
{
  char folder[PATH_MAX];
  if (snprintf(folder, sizeof folder, "%s%s", root, group) >= (int)sizeof folder)
    return;
  for (;;) {
    if (version == 2)
      limit_of_group(folder, "memory.max", "memory.current", "inactive_file ", limit);
    else
      limit_of_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                     "total_inactive_file ", limit);
    char *slash = strrchr(folder, '/');
    if (strlen(folder) <= strlen(root) || !slash)
      return;
    *slash = 0;
  }
}

struct gmg_limit gmg_limit_of_machine(void)
{
  struct gmg_limit limit = unlimited;
  const int64_t kilobyte = 1024, free_now = number_after("/proc/meminfo", "MemAvailable:");
  const int64_t swap = number_after("/proc/meminfo", "SwapFree:");
  if (free_now >= 0)
    lower(&limit, kilobyte * (free_now + (swap > 0 ? swap : 0)), "what is free on the machine");
  char line[PATH_MAX];
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    const char *memory = strstr(line, ":memory:");
    if (strncmp(line, "0::", 3) == 0)
      limit_of_groups("/sys/fs/cgroup", strcmp(line + 3, "/") == 0 ? "" : line + 3, 2, &limit);
    else if (memory)
      limit_of_groups("/sys/fs/cgroup/memory", strcmp(memory + 8, "/") == 0 ? "" : memory + 8, 1,
                      &limit);
  }
  if (file)
    fclose(file);
  return limit;
}
