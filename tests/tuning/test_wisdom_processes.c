/* threads: 1
 * sanitizers: no
 * Preconditions: none. A process that saves is killed again and again, at any moment; ten processes
 * save at once. What must vanish: files that are neither the old one nor the new one, entries that
 * are lost, files that are left behind, processes that wait for one that was killed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tuning/wisdom_file.h"
#include "wisdom_samples.h"

#define MOST_SECONDS 0.5 /* of a process before it is killed */
enum { ENTRIES = 400, KILLS = 60, MOST_KILLS = 400, PROCESSES = 10, EACH = 8 };

static char path[4200];

static struct gmg_wisdom *table_of(int rows)
{
  struct gmg_wisdom *wisdom = sample_wisdom();
  for (int n = 0; n < ENTRIES; n++) {
    const struct gmg_wisdom_entry entry = sample_entry("pass a", n + 1, 1, 1, rows);
    assert_int_equal(gmg_wisdom_add(wisdom, &entry, NULL), GMG_WISDOM_OK);
  }
  return wisdom;
}

/* Returns the rows that all entries of the file choose, or 0 if there is no file. */
static int rows_of_file(void)
{
  struct gmg_wisdom *wisdom = sample_wisdom();
  struct gmg_wisdom_report report;
  const enum gmg_wisdom_status status = gmg_wisdom_load_file(wisdom, path, &report);
  int rows = 0;
  if (status != GMG_WISDOM_ABSENT) {
    if (status != GMG_WISDOM_OK)
      fail_msg("%s", report.sentence);
    assert_int_equal(gmg_wisdom_count(wisdom), ENTRIES);
    rows = gmg_wisdom_at(wisdom, 0)->choice[0].number;
    for (int n = 0; n < ENTRIES; n++)
      assert_int_equal(gmg_wisdom_at(wisdom, n)->choice[0].number, rows);
  }
  gmg_wisdom_destroy(&wisdom);
  return rows;
}

static int files_in(const char *folder)
{
  int count = 0;
  DIR *open = opendir(folder);
  assert_non_null(open);
  for (struct dirent *entry; (entry = readdir(open));)
    count += entry->d_name[0] != '.';
  closedir(open);
  return count;
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void wait_seconds(double seconds)
{
  nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}, NULL);
}

/* Returns how long a process needs to begin and to save, on the mean of five. */
static double seconds_of_a_save(struct gmg_wisdom *wisdom)
{
  const double begin = now();
  for (int n = 0; n < 5; n++) {
    const pid_t child = fork();
    if (child == 0)
      _exit(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, NULL) != GMG_WISDOM_OK);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
  return (now() - begin) / 5;
}

static void killed(void **state)
{
  const char *folder = *state;
  snprintf(path, sizeof path, "%s/killed.json", folder);
  struct gmg_wisdom *table[2] = {table_of(1), table_of(2)};
  const double one_save = seconds_of_a_save(table[0]);
  assert_int_equal(unlink(path), 0);
  unsigned random = 7;
  double longest = 4 * one_save; /* on a busy machine it grows until files are saved */
  int kills = 0, in_the_middle = 0, seen[3] = {0};
  for (; kills < KILLS || (in_the_middle < 3 && kills < MOST_KILLS); kills++) {
    const pid_t child = fork();
    if (child == 0)
      for (int n = kills;; n++)
        if (gmg_wisdom_save(table[n % 2], GMG_WISDOM_ALL, path, NULL) != GMG_WISDOM_OK)
          _exit(1);
    assert_true(child > 0);
    random = random * 1664525u + 1013904223u;
    wait_seconds(longest * (random >> 8) / (1 << 24));
    int status;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); /* none has failed to save before */
    const int rows = rows_of_file();
    seen[rows]++;
    longest = rows == 0 && longest < MOST_SECONDS ? 1.2 * longest : longest;
    in_the_middle += files_in(folder) == 3; /* with what was written, and not renamed yet */
  }
  printf("%d kills, %d while a file was being written; afterwards no file %d times, one of the "
         "two %d and %d times\n",
         kills, in_the_middle, seen[0], seen[1], seen[2]);
  assert_true(in_the_middle > 0 && seen[1] > 0 && seen[2] > 0);
  const time_t begin = time(NULL);
  assert_int_equal(gmg_wisdom_save(table[0], GMG_WISDOM_ALL, path, NULL), GMG_WISDOM_OK);
  assert_true(time(NULL) - begin < 15); /* it waits for nobody */
  assert_int_equal(rows_of_file(), 1);
  assert_int_equal(files_in(folder), 2); /* the file and its lock */
  gmg_wisdom_destroy(&table[0]);
  gmg_wisdom_destroy(&table[1]);
}

/* What one of ten processes does once the pipe is closed: adds entries of its own, one at a time.
 */
static int add_own(int process, int pipe_end)
{
  char byte;
  if (read(pipe_end, &byte, 1) != 0)
    return 1;
  struct gmg_wisdom *wisdom = sample_wisdom();
  int failed = 0;
  for (int n = 0; n < EACH && !failed; n++) {
    char sentence[GMG_WISDOM_SENTENCE];
    const struct gmg_wisdom_entry entry = sample_entry("pass b", process + 1, n + 1, 1, n + 1);
    failed = gmg_wisdom_add(wisdom, &entry, sentence) != GMG_WISDOM_OK
      || gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, sentence) != GMG_WISDOM_OK;
    if (failed)
      fprintf(stderr, "process %d: %s\n", process, sentence);
  }
  gmg_wisdom_destroy(&wisdom);
  return failed;
}

static void at_once(void **state)
{
  const char *folder = *state;
  pid_t child[PROCESSES];
  int pipe_end[2];
  snprintf(path, sizeof path, "%s/at/once.json", folder);
  assert_int_equal(pipe(pipe_end), 0);
  for (int n = 0; n < PROCESSES; n++) {
    child[n] = fork();
    if (child[n] == 0) {
      close(pipe_end[1]);
      _exit(add_own(n, pipe_end[0]));
    }
    assert_true(child[n] > 0);
  }
  close(pipe_end[0]);
  close(pipe_end[1]); /* all begin */
  for (int n = 0; n < PROCESSES; n++) {
    int status;
    assert_int_equal(waitpid(child[n], &status, 0), child[n]);
    assert_int_equal(status, 0);
  }
  struct gmg_wisdom *wisdom = sample_wisdom();
  assert_int_equal(gmg_wisdom_load_file(wisdom, path, NULL), GMG_WISDOM_OK);
  printf("%d entries of %d\n", gmg_wisdom_count(wisdom), PROCESSES * EACH);
  assert_int_equal(gmg_wisdom_count(wisdom), PROCESSES * EACH);
  gmg_wisdom_destroy(&wisdom);
}

int main(void)
{
  struct CMUnitTest tests[] = {cmocka_unit_test(killed), cmocka_unit_test(at_once)};
  const char *folder = sample_folder();
  for (size_t n = 0; n < sizeof tests / sizeof *tests; n++)
    tests[n].initial_state = (void *)folder;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sample_remove(folder);
  return failed;
}
