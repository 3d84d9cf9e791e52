/* Which device each rank of a machine takes.
 * Preconditions: folders that list the cores near each device, as Linux does; ranks that may run on
 * some cores. Must vanish: ranks that get another device than the table says; differences above one
 * between the ranks of two devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/runtime/locality.h"

enum { MOST = 8 };

/* Cores from the first to the last one, by rank; lists of cores by device, NULL where the system
 * knows none. */
static const struct machine {
  const char *what;
  int ranks, devices;
  int cores[MOST][2];
  const char *list[MOST];
  int device[MOST], near;
} machines[] = {
  {"no rank is bound",
   4,
   2,
   {{0, 15}, {0, 15}, {0, 15}, {0, 15}},
   {"0-7", "8-15"},
   {0, 1, 0, 1},
   0},
  {"bound by turns",
   4,
   4,
   {{0, 7}, {8, 15}, {0, 7}, {8, 15}},
   {"0-7", "0-7", "8-15", "8-15"},
   {0, 2, 1, 3},
   1},
  {"bound in blocks, devices the other way round",
   2,
   2,
   {{0, 7}, {8, 15}},
   {"8-15", "0-7"},
   {1, 0},
   1},
  {"two threads a core", 2, 2, {{44, 45}, {3, 3}}, {"0-3,40-43\n", "4-7,44-47\n"}, {1, 0}, 1},
  {"one bound, one not", 2, 2, {{0, 15}, {0, 1}}, {"0-7", "8-15"}, {1, 0}, 1},
  {"all on one side: no device is idle",
   4,
   4,
   {{0, 1}, {2, 3}, {4, 5}, {6, 7}},
   {"0-7", "0-7", "8-15", "8-15"},
   {0, 1, 2, 3},
   1},
  {"the last comes first", 3, 3, {{0, 3}, {0, 3}, {8, 9}}, {"0-7", "8-15", "16-23"}, {0, 2, 1}, 1},
  {"more ranks than devices",
   5,
   2,
   {{8, 9}, {10, 11}, {12, 13}, {0, 1}, {2, 3}},
   {"0-7", "8-15"},
   {1, 1, 1, 0, 0},
   1},
  {"the system says nothing", 3, 2, {{0, 1}, {2, 3}, {4, 5}}, {NULL, NULL}, {0, 1, 0}, 0},
  {"near none", 2, 2, {{30, 31}, {32, 33}}, {"0-7", "8-15"}, {0, 1}, 0},
  {"one device", 3, 1, {{0, 1}, {2, 3}, {4, 5}}, {"8-15"}, {0, 0, 0}, 0},
  {"one rank, on the far side", 1, 2, {{9, 9}}, {"0-7", "8-15"}, {1}, 1},
};

static void write_list(const char *folder, const char *id, const char *list)
{
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, id);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/%s/local_cpulist", folder, id);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(list, stream);
  fclose(stream);
}

static void remove_list(const char *folder, const char *id)
{
  char path[300];
  snprintf(path, sizeof path, "%s/%s/local_cpulist", folder, id);
  unlink(path);
  snprintf(path, sizeof path, "%s/%s", folder, id);
  rmdir(path);
}

static void run(const struct machine *machine)
{
  struct gmg_locality locality = {.devices = machine->devices};
  struct gmg_cores cores[MOST];
  char folder[] = "gmg-locality-XXXXXX", id[MOST][GMG_LOCALITY_ID];
  int wrong = 0, ranks_of[MOST] = {0}, near = -1;
  memset(cores, 0, sizeof cores);
  assert_non_null(mkdtemp(folder));
  for (int d = 0; d < machine->devices; d++) {
    snprintf(id[d], sizeof id[d], "0000:%xb:00.0", (unsigned)d + 10);
    snprintf(locality.id[d], sizeof locality.id[d], "0000:%XB:00.0", (unsigned)d + 10);
    if (machine->list[d])
      write_list(folder, id[d], machine->list[d]);
  }
  for (int r = 0; r < machine->ranks; r++)
    for (int core = machine->cores[r][0]; core <= machine->cores[r][1]; core++)
      cores[r].mask[core / 8] |= (unsigned char)(1 << core % 8);
  for (int r = 0; r < machine->ranks; r++) {
    const struct gmg_comm comm = {.rank_here = r, .here = machine->ranks, .cores = cores};
    int this_near;
    const int device = gmg_locality_choose(&locality, &comm, folder, &this_near);
    near = r ? near : this_near;
    wrong += device != machine->device[r];
    ranks_of[device]++;
  }
  int most = 0, fewest = machine->ranks;
  for (int d = 0; d < machine->devices; d++) {
    most = ranks_of[d] > most ? ranks_of[d] : most;
    fewest = ranks_of[d] < fewest ? ranks_of[d] : fewest;
    remove_list(folder, id[d]);
  }
  rmdir(folder);
  printf("%s: %d of %d ranks on another device, at most %d and at least %d ranks a device, the "
         "first %s\n",
         machine->what, wrong, machine->ranks, most, fewest, near ? "near its own" : "in turn");
  assert_int_equal(wrong, 0);
  assert_true(most - fewest <= 1);
  assert_int_equal(near, machine->near);
}

static void test_devices(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof machines / sizeof *machines; n++)
    run(&machines[n]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
