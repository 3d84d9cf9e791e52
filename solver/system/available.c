#include "available.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What version 1 of control groups writes where there is no limit is a little below 2^63. */
#define NO_LIMIT (INT64_MAX / 2)

/* Where a version of control groups says what. */
static const struct group_files {
  const char *root, *most, *used, *reclaimable;
} version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
               "total_inactive_file "},
  version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

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

/* The numbers after words that begin lines; -1: there is none. */
static void numbers_after(const char *path, const char *const *word, int words, int64_t *value)
{
  char line[256];
  int missing = words;
  for (int n = 0; n < words; n++)
    value[n] = -1;
  FILE *file = fopen(path, "r");
  while (file && missing && fgets(line, sizeof line, file))
    for (int n = 0; n < words; n++)
      if (value[n] < 0 && strncmp(line, word[n], strlen(word[n])) == 0)
        missing -= sscanf(line + strlen(word[n]), "%" SCNd64, &value[n]) == 1;
  if (file)
    fclose(file);
}

/* One control group: its limit, less what it uses beyond file pages that can be given up. Those are
 * counted only where they decide: the kernel takes long to add them up. */
static void limit_of_group(const char *folder, const struct group_files *files, int64_t need,
                           struct gmg_limit *limit)
{
  char statistics[PATH_MAX + 64];
  int64_t spare = 0;
  const int64_t allowed = number_in(folder, files->most);
  if (allowed < 0 || allowed >= NO_LIMIT)
    return;
  const int64_t now = number_in(folder, files->used);
  if (now < 0)
    return;
  snprintf(statistics, sizeof statistics, "%s/memory.stat", folder);
  if (allowed - now < need)
    numbers_after(statistics, &files->reclaimable, 1, &spare);
  lower(limit, allowed - now + (spare > 0 ? spare : 0), "the memory limit of the control group");
}

/* The groups of a hierarchy that hold this process, from its own up to the root, of which each may
 * limit. */
static void limit_of_groups(const struct group_files *files, const char *group, int64_t need,
                            struct gmg_limit *limit)
{
  char folder[PATH_MAX];
  if (strcmp(group, "/") == 0)
    group = "";
  if (snprintf(folder, sizeof folder, "%s%s", files->root, group) >= (int)sizeof folder)
    return;
  for (;;) {
    limit_of_group(folder, files, need, limit);
    char *slash = strrchr(folder, '/');
    if (strlen(folder) <= strlen(files->root) || !slash)
      return;
    *slash = 0;
  }
}

struct gmg_limit gmg_limit_of_machine(int64_t need)
{
  static const char *const words[] = {"MemAvailable:", "SwapFree:"};
  struct gmg_limit limit = unlimited;
  const int64_t kilobyte = 1024;
  int64_t room[2];
  numbers_after("/proc/meminfo", words, 2, room);
  if (room[0] >= 0)
    lower(&limit, kilobyte * (room[0] + (room[1] > 0 ? room[1] : 0)),
          "what is free on the machine");
  char line[PATH_MAX];
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    const char *memory = strstr(line, ":memory:");
    if (strncmp(line, "0::", 3) == 0)
      limit_of_groups(&version_2, line + 3, need, &limit);
    else if (memory)
      limit_of_groups(&version_1, memory + 8, need, &limit);
  }
  if (file)
    fclose(file);
  return limit;
}
