/* threads: 1
 * Preconditions: none. What must vanish: the difference between entries that are saved and those
 * that are loaded again; entries that are found and are not the nearest within a factor of two;
 * failures that are not said: a folder that cannot be written, no home, stale and invalid entries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuning/wisdom_file.h"
#include "wisdom_samples.h"

static const char pass[] = "pass variable7 double split";

static void add(struct gmg_wisdom *wisdom, struct gmg_wisdom_entry entry)
{
  char sentence[GMG_WISDOM_SENTENCE];
  if (gmg_wisdom_add(wisdom, &entry, sentence) != GMG_WISDOM_OK)
    fail_msg("%s", sentence);
}

static char *text_of(const char *path)
{
  char *text = calloc(1, 1 << 20);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static void assert_same(const struct gmg_wisdom_entry *a, const struct gmg_wisdom_entry *b)
{
  assert_memory_equal(&a->key, &b->key, sizeof a->key);
  assert_string_equal(a->source, b->source);
  assert_string_equal(a->generator, b->generator);
  assert_string_equal(a->subject, b->subject);
  assert_memory_equal(a->cells, b->cells, sizeof a->cells);
  assert_int_equal(a->choices, b->choices);
  assert_memory_equal(a->choice, b->choice, sizeof a->choice);
  assert_true(fabs(a->seconds / b->seconds - 1) < 1e-8);
  assert_true(fabs(a->default_seconds / b->default_seconds - 1) < 1e-8);
}

/* What is saved is what is loaded, in whatever order it was added and in whatever language. */
static void round_trip(void **state)
{
  const char *folder = *state;
  char path[4200], again[4200];
  snprintf(path, sizeof path, "%s/deep/down/wisdom.json", folder);
  snprintf(again, sizeof again, "%s/again.json", folder);
  setlocale(LC_ALL, "");
  struct gmg_wisdom *wisdom = sample_wisdom(), *other = sample_wisdom();
  add(wisdom, sample_entry("pass b", 64, 64, 64, 3));
  add(wisdom, sample_entry("pass a", 256, 128, 64, 24));
  add(wisdom, sample_entry("pass a", 256, 64, 64, 23));
  struct gmg_wisdom_entry gpu = sample_entry("kernel c", 1, 1, 1, 32);
  gpu.key = sample_gpu;
  add(wisdom, gpu);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, NULL), GMG_WISDOM_OK);
  struct gmg_wisdom_report report;
  assert_int_equal(gmg_wisdom_load_file(other, path, &report), GMG_WISDOM_OK);
  printf("%s\n", report.sentence);
  assert_int_equal(report.taken, 4);
  assert_int_equal(gmg_wisdom_count(other), 4);
  for (int n = 0; n < 4; n++)
    assert_same(gmg_wisdom_at(wisdom, n), gmg_wisdom_at(other, n));
  assert_null(gmg_wisdom_at(other, 4));
  assert_null(gmg_wisdom_at(other, -1));
  /* The same entries are the same text. */
  assert_int_equal(gmg_wisdom_save(other, GMG_WISDOM_ALL, again, NULL), GMG_WISDOM_OK);
  char *a = text_of(path), *b = text_of(again);
  printf("%.700s", a);
  assert_string_equal(a, b);
  free(a);
  free(b);
  gmg_wisdom_destroy(&wisdom);
  gmg_wisdom_destroy(&other);
  assert_null(wisdom);
}

static int rows_at(const struct gmg_wisdom *wisdom, const char *subject, int nx, int ny, int nz)
{
  const int cells[3] = {nx, ny, nz};
  const struct gmg_wisdom_entry *entry = gmg_wisdom_find(wisdom, &sample_cpu, subject, cells);
  return entry ? entry->choice[0].number : 0;
}

/* The exact extents, or else the nearest within a factor of two in each direction. */
static void find_rules(void **state)
{
  (void)state;
  struct gmg_wisdom *wisdom = sample_wisdom();
  add(wisdom, sample_entry(pass, 64, 64, 64, 1));
  add(wisdom, sample_entry(pass, 100, 100, 100, 2));
  add(wisdom, sample_entry(pass, 256, 256, 256, 3));
  add(wisdom, sample_entry("pass other", 128, 128, 128, 4));
  assert_int_equal(rows_at(wisdom, pass, 64, 64, 64), 1);
  assert_int_equal(rows_at(wisdom, pass, 100, 100, 100), 2);
  assert_int_equal(rows_at(wisdom, pass, 79, 80, 80), 1);
  assert_int_equal(rows_at(wisdom, pass, 81, 80, 80), 2);
  assert_int_equal(rows_at(wisdom, pass, 170, 170, 170), 3);
  assert_int_equal(rows_at(wisdom, pass, 32, 32, 32), 1);
  assert_int_equal(rows_at(wisdom, pass, 31, 32, 32), 0); /* beyond a factor of two in x */
  assert_int_equal(rows_at(wisdom, pass, 32, 32, 31), 0);
  assert_int_equal(rows_at(wisdom, pass, 512, 512, 512), 3);
  assert_int_equal(rows_at(wisdom, pass, 513, 512, 512), 0);
  assert_int_equal(rows_at(wisdom, "pass none", 64, 64, 64), 0);
  const int cells[3] = {64, 64, 64};
  struct gmg_wisdom_key key = sample_cpu;
  key.threads = 3;
  assert_null(gmg_wisdom_find(wisdom, &key, pass, cells));
  key = sample_cpu;
  strcpy(key.compiler, "gcc 13.1.0");
  assert_null(gmg_wisdom_find(wisdom, &key, pass, cells));
  add(wisdom, sample_entry(pass, 64, 64, 64, 9)); /* in place of the first */
  assert_int_equal(rows_at(wisdom, pass, 64, 64, 64), 9);
  assert_int_equal(gmg_wisdom_count(wisdom), 4);
  gmg_wisdom_destroy(&wisdom);
}

static void expect_add(struct gmg_wisdom_entry entry, enum gmg_wisdom_status status,
                       const char *said)
{
  struct gmg_wisdom *wisdom = sample_wisdom();
  char sentence[GMG_WISDOM_SENTENCE] = "";
  assert_int_equal(gmg_wisdom_add(wisdom, &entry, sentence), status);
  printf("%s\n", sentence);
  assert_non_null(strstr(sentence, said));
  assert_int_equal(gmg_wisdom_count(wisdom), status == GMG_WISDOM_OK);
  gmg_wisdom_destroy(&wisdom);
}

/* Entries that are not well formed, stale or invalid are not added. */
static void refused(void **state)
{
  (void)state;
  const struct gmg_wisdom_entry good = sample_entry(pass, 8, 8, 8, 8);
  struct gmg_wisdom_entry bad = good;
  expect_add(good, GMG_WISDOM_OK, "added");
  bad.choice[0].number = 1025;
  expect_add(bad, GMG_WISDOM_INVALID, "rows = 1025");
  bad = good;
  strcpy(bad.choice[2].word, "cube");
  expect_add(bad, GMG_WISDOM_INVALID, "form = cube");
  bad = good;
  strcpy(bad.source, "0123");
  expect_add(bad, GMG_WISDOM_STALE, "0123");
  bad = good;
  strcpy(bad.generator, "0.1.9");
  expect_add(bad, GMG_WISDOM_STALE, "0.1.9");
  bad = good;
  strcpy(bad.source, "xyz");
  expect_add(bad, GMG_WISDOM_DAMAGED, "source");
  bad = good;
  bad.seconds = NAN;
  expect_add(bad, GMG_WISDOM_DAMAGED, "'seconds'");
  bad = good;
  bad.default_seconds = INFINITY;
  expect_add(bad, GMG_WISDOM_DAMAGED, "'default_seconds'");
  bad = good;
  bad.cells[1] = 0;
  expect_add(bad, GMG_WISDOM_DAMAGED, "cells");
  bad = good;
  strcpy(bad.choice[1].name, "rows");
  expect_add(bad, GMG_WISDOM_DAMAGED, "differ");
  bad = good;
  memset(bad.subject, 'a', sizeof bad.subject); /* without an end */
  expect_add(bad, GMG_WISDOM_DAMAGED, "subject");
  bad = good;
  strcpy(bad.key.machine, "\033[31mred");
  expect_add(bad, GMG_WISDOM_DAMAGED, "machine");
  bad = good;
  bad.key.threads = 0;
  expect_add(bad, GMG_WISDOM_DAMAGED, "threads");
  bad = good;
  bad.choices = GMG_WISDOM_CHOICES + 1;
  expect_add(bad, GMG_WISDOM_DAMAGED, "choice");
}

/* What other machines saved stays in the file and is not taken; what is stale here goes. */
static void merging(void **state)
{
  const char *folder = *state;
  char path[4200], sentence[GMG_WISDOM_SENTENCE];
  snprintf(path, sizeof path, "%s/merged.json", folder);
  struct gmg_wisdom *wisdom = sample_wisdom(), *other = sample_wisdom();
  struct gmg_wisdom_entry foreign = sample_entry(pass, 8, 8, 8, 5);
  strcpy(foreign.key.machine, "Other CPU");
  strcpy(foreign.source, "feed"); /* which is its own business there */
  struct gmg_wisdom_entry unknown = sample_entry("unknown operator", 8, 8, 8, 5);
  add(wisdom, foreign);
  add(wisdom, unknown);
  add(wisdom, sample_entry(pass, 8, 8, 8, 6));
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, sentence), GMG_WISDOM_OK);
  printf("%s\n", sentence);
  /* Nothing is new: entries that were saved, or loaded, are not saved again. */
  add(other, sample_entry(pass, 8, 8, 8, 7));
  assert_int_equal(gmg_wisdom_save(other, GMG_WISDOM_ADDED, path, sentence), GMG_WISDOM_OK);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, sentence), GMG_WISDOM_OK);
  struct gmg_wisdom_report report;
  assert_int_equal(gmg_wisdom_load_file(wisdom, path, &report), GMG_WISDOM_OK);
  printf("%s\n", report.sentence);
  assert_int_equal(report.entries, 3);
  assert_int_equal(report.foreign, 2);
  assert_int_equal(report.foreign_stale, 1);
  assert_int_equal(report.taken, 1);
  assert_int_equal(rows_at(wisdom, pass, 8, 8, 8), 7);

  char *text = text_of(path), *at = strstr(text, "\"" SAMPLE_SOURCE "\"");
  assert_non_null(at);
  for (; at; at = strstr(at + 1, "\"" SAMPLE_SOURCE "\""))
    at[1] = 'f';
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  free(text);
  gmg_wisdom_destroy(&other);
  other = sample_wisdom();
  assert_int_equal(gmg_wisdom_load_file(other, path, &report), GMG_WISDOM_STALE);
  printf("%s\n", report.sentence);
  assert_int_equal(gmg_wisdom_count(other), 0);
  add(other, sample_entry("pass new", 8, 8, 8, 1));
  assert_int_equal(gmg_wisdom_save(other, GMG_WISDOM_ADDED, path, sentence), GMG_WISDOM_OK);
  printf("%s\n", sentence);
  assert_int_equal(gmg_wisdom_load_file(other, path, &report), GMG_WISDOM_OK);
  assert_int_equal(report.entries, 3);
  assert_int_equal(report.taken, 1);
  gmg_wisdom_destroy(&wisdom);
  gmg_wisdom_destroy(&other);
}

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* A file that is not wisdom is kept aside; one of a later version is left alone. */
static void not_ours(void **state)
{
  const char *folder = *state;
  char path[4200], aside[4300], sentence[GMG_WISDOM_SENTENCE];
  snprintf(path, sizeof path, "%s/other.json", folder);
  snprintf(aside, sizeof aside, "%s.refused", path);
  struct gmg_wisdom *wisdom = sample_wisdom();
  add(wisdom, sample_entry(pass, 8, 8, 8, 6));
  write_file(path, "half of a li");
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, sentence), GMG_WISDOM_OK);
  assert_non_null(strstr(sentence, ".refused"));
  char *text = text_of(aside);
  assert_string_equal(text, "half of a li");
  free(text);
  assert_int_equal(gmg_wisdom_load_file(wisdom, path, NULL), GMG_WISDOM_OK);
  static const char later[] = "{\"format\": \"gmg-wisdom\", \"version\": 2, \"things\": []}";
  write_file(path, later);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, sentence), GMG_WISDOM_NEWER);
  text = text_of(path);
  assert_string_equal(text, later);
  free(text);
  gmg_wisdom_destroy(&wisdom);
}

/* A folder that may only be read, in a process of a user whom modes stop. */
static void read_only(const char *folder, struct gmg_wisdom *wisdom)
{
  char locked[4150], path[4200], sentence[GMG_WISDOM_SENTENCE];
  snprintf(locked, sizeof locked, "%s/locked", folder);
  snprintf(path, sizeof path, "%s/wisdom.json", locked);
  assert_int_equal(mkdir(locked, 0777), 0);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, NULL), GMG_WISDOM_OK);
  add(wisdom, sample_entry(pass, 8, 8, 8, 6));
  assert_int_equal(chmod(folder, 0755), 0);
  assert_int_equal(chmod(locked, 0555), 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int dropped = geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
    const int loaded = gmg_wisdom_load_file(wisdom, path, NULL) == GMG_WISDOM_OK;
    add(wisdom, sample_entry(pass, 8, 8, 8, 6));
    const int refused =
      gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, sentence) == GMG_WISDOM_UNWRITABLE;
    printf("%s\n", sentence);
    fflush(stdout);
    _exit(dropped ? 4 * loaded + 2 * refused : 77);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 6);
  assert_int_equal(chmod(locked, 0755), 0); /* so that it can be removed */
}

/* Folders that nobody can write, not even root. */
static void unwritable(void **state)
{
  const char *folder = *state;
  char path[4200], sentence[GMG_WISDOM_SENTENCE];
  struct gmg_wisdom *wisdom = sample_wisdom();
  add(wisdom, sample_entry(pass, 8, 8, 8, 6));
  static const char *const where[] = {"/proc/wisdom.json", "/dev/null/gmg/wisdom.json"};
  for (int n = 0; n < 2; n++) {
    assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, where[n], sentence),
                     GMG_WISDOM_UNWRITABLE);
    printf("%s\n", sentence);
    assert_true(strlen(sentence) > strlen(where[n]));
  }
  read_only(folder, wisdom);
  assert_int_equal(gmg_wisdom_at(wisdom, 0)->added, 1); /* to be saved elsewhere */
  assert_int_equal(gmg_wisdom_load_file(wisdom, folder, NULL), GMG_WISDOM_UNREADABLE);
  snprintf(path, sizeof path, "%s/is_a_folder", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ADDED, path, sentence),
                   GMG_WISDOM_UNREADABLE);
  snprintf(path, sizeof path, "%s/none.json", folder);
  assert_int_equal(gmg_wisdom_load_file(wisdom, path, NULL), GMG_WISDOM_ABSENT);
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(gmg_wisdom_load_file(wisdom, path, NULL), GMG_WISDOM_UNREADABLE);
  gmg_wisdom_destroy(&wisdom);
}

static void expect_path(const char *cache, const char *home, const char *expected)
{
  char path[64] = "before";
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  if (cache)
    setenv("XDG_CACHE_HOME", cache, 1);
  if (home)
    setenv("HOME", home, 1);
  assert_int_equal(gmg_wisdom_user_path(path, sizeof path),
                   expected[0] ? GMG_WISDOM_OK : GMG_WISDOM_ABSENT);
  assert_string_equal(path, expected);
}

static void paths(void **state)
{
  const char *folder = *state;
  char shipped[4200], path[4300];
  expect_path("/c", "/h", "/c/gmg/wisdom.json");
  expect_path(NULL, "/h", "/h/.cache/gmg/wisdom.json");
  expect_path("", "/h", "/h/.cache/gmg/wisdom.json");
  expect_path("relative", "/h", "/h/.cache/gmg/wisdom.json");
  expect_path(NULL, NULL, "");
  expect_path("", "", "");
  expect_path(NULL, "/a/very/long/path/that/does/not/fit/into/the/array/that/is/there", "");
  const enum gmg_wisdom_status status = gmg_wisdom_shipped_folder(shipped, sizeof shipped);
  assert_true(status == GMG_WISDOM_OK || (status == GMG_WISDOM_ABSENT && !shipped[0]));

  /* A folder of files, each by itself: the damaged one of two is said. */
  struct gmg_wisdom *wisdom = sample_wisdom();
  struct gmg_wisdom_report report;
  snprintf(shipped, sizeof shipped, "%s/shipped", folder);
  assert_int_equal(gmg_wisdom_load_folder(wisdom, shipped, &report), GMG_WISDOM_ABSENT);
  add(wisdom, sample_entry(pass, 8, 8, 8, 6));
  snprintf(path, sizeof path, "%s/b.json", shipped);
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, NULL), GMG_WISDOM_OK);
  snprintf(path, sizeof path, "%s/a.json", shipped);
  write_file(path, "[]");
  gmg_wisdom_destroy(&wisdom);
  wisdom = sample_wisdom();
  assert_int_equal(gmg_wisdom_load_folder(wisdom, shipped, &report), GMG_WISDOM_DAMAGED);
  printf("%s\n", report.sentence);
  assert_non_null(strstr(report.sentence, "a.json"));
  assert_int_equal(report.taken, 1);
  assert_int_equal(gmg_wisdom_count(wisdom), 1);
  gmg_wisdom_destroy(&wisdom);
}

int main(void)
{
  struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(find_rules),
                               cmocka_unit_test(refused),    cmocka_unit_test(merging),
                               cmocka_unit_test(not_ours),   cmocka_unit_test(unwritable),
                               cmocka_unit_test(paths)};
  const char *folder = sample_folder();
  for (size_t n = 0; n < sizeof tests / sizeof *tests; n++)
    tests[n].initial_state = (void *)folder;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sample_remove(folder);
  return failed;
}
