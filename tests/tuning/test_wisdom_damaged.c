/* threads: 1
 * Preconditions: none. Texts are made from a good one: cut, with bytes flipped, with other types,
 * doubled, contradictory, foreign, stale, of other versions, with huge numbers, nested deeply, in
 * other encodings. What must vanish: crashes, entries of a text that is refused, texts that are
 * refused without a sentence, and the difference between the status of a text and what it should
 * be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/wisdom_file.h"
#include "wisdom_samples.h"

enum { ENTRIES = 4, ROOM = 1 << 16 };

static char good[ROOM];
static int texts, refusals;
static char said[GMG_WISDOM_SENTENCE]; /* the last sentence */

/* Fills `good` with what a table of ENTRIES entries saves. */
static void make_good(void)
{
  const char *folder = sample_folder();
  char path[4200];
  snprintf(path, sizeof path, "%s/good.json", folder);
  struct gmg_wisdom *wisdom = sample_wisdom();
  for (int n = 0; n < ENTRIES; n++) {
    const struct gmg_wisdom_entry entry = sample_entry("pass a", 8 << n, 16, 32, n + 3);
    assert_int_equal(gmg_wisdom_add(wisdom, &entry, NULL), GMG_WISDOM_OK);
  }
  assert_int_equal(gmg_wisdom_save(wisdom, GMG_WISDOM_ALL, path, NULL), GMG_WISDOM_OK);
  FILE *file = fopen(path, "r");
  good[fread(good, 1, ROOM - 1, file)] = 0;
  fclose(file);
  gmg_wisdom_destroy(&wisdom);
  sample_remove(folder);
}

/* Loads a text into a table that has an entry. Returns the status; a text that is refused must
 * leave the table as it was, and one that is not must have been taken. The copy of the text ends
 * where the memory does. */
static enum gmg_wisdom_status load(const char *text, size_t bytes)
{
  struct gmg_wisdom *wisdom = sample_wisdom();
  const struct gmg_wisdom_entry own = sample_entry("pass a", 16, 16, 32, 999);
  const int cells[3] = {8, 16, 32};
  assert_int_equal(gmg_wisdom_add(wisdom, &own, NULL), GMG_WISDOM_OK);
  char *copy = malloc(bytes + (bytes == 0));
  memcpy(copy, text, bytes);
  struct gmg_wisdom_report report;
  const enum gmg_wisdom_status status = gmg_wisdom_load(wisdom, "text", copy, bytes, &report);
  free(copy);
  texts++;
  strcpy(said, report.sentence);
  refusals += status != GMG_WISDOM_OK;
  assert_true(strlen(report.sentence) > 6);
  for (const char *c = report.sentence; *c; c++)
    assert_true((unsigned char)*c >= ' ');
  if (status == GMG_WISDOM_OK) {
    assert_int_equal(report.taken + report.foreign, report.entries);
  } else {
    assert_int_equal(report.taken, 0);
    assert_int_equal(gmg_wisdom_count(wisdom), 1);
    const struct gmg_wisdom_entry *found = gmg_wisdom_find(wisdom, &sample_cpu, "pass a", cells);
    assert_non_null(found);
    assert_int_equal(found->choice[0].number, 999);
  }
  for (int n = 0; n < gmg_wisdom_count(wisdom); n++) /* whatever was taken, kernels allow */
    for (int c = 0; c < gmg_wisdom_at(wisdom, n)->choices; c++) {
      const struct gmg_wisdom_choice *choice = &gmg_wisdom_at(wisdom, n)->choice[c];
      assert_true(choice->word[0] || (choice->number >= 1 && choice->number <= 1024));
    }
  gmg_wisdom_destroy(&wisdom);
  return status;
}

static enum gmg_wisdom_status load_text(const char *text)
{
  return load(text, strlen(text));
}

/* Loads the good text with the n-th `from` (counted from 0; -1: all) replaced by `to`. */
static enum gmg_wisdom_status edited(const char *from, const char *to, int n)
{
  char *text = calloc(1, 4 * ROOM), *end = text;
  const char *at = good;
  int found = 0;
  for (const char *next; (next = strstr(at, from)); at = next + strlen(from), found++) {
    end += sprintf(end, "%.*s%s", (int)(next - at), at, n < 0 || found == n ? to : from);
  }
  sprintf(end, "%s", at);
  if (found <= n || !found)
    fail_msg("'%s' is not in the good text", from);
  const enum gmg_wisdom_status status = load_text(text);
  free(text);
  return status;
}

static void expect(const char *from, const char *to, int n, enum gmg_wisdom_status expected)
{
  const enum gmg_wisdom_status status = edited(from, to, n);
  if (status != expected)
    fail_msg("'%.60s' instead of '%s' (%d): %s, not %s", to, from, n,
             gmg_wisdom_status_text(status), gmg_wisdom_status_text(expected));
}

static void the_good_one(void **state)
{
  (void)state;
  assert_int_equal(load_text(good), GMG_WISDOM_OK);
  expect("\n", "\r\n", -1, GMG_WISDOM_OK);
  expect("pass a", "p\\u0061ss a", -1, GMG_WISDOM_OK);
}

static void cut(void **state)
{
  (void)state;
  const size_t length = strlen(good) - 1; /* without the last line end */
  for (size_t n = 0; n < length; n++)
    assert_int_equal(load(good, n), GMG_WISDOM_DAMAGED);
  for (size_t n = 1; n < length; n += 7)
    assert_int_equal(load(good + n, length - n), GMG_WISDOM_DAMAGED);
}

/* Texts with a byte changed may still be wisdom: of a foreign machine, or with another time. */
static void flipped(void **state)
{
  (void)state;
  const size_t length = strlen(good);
  char *text = malloc(length + 1);
  int taken = 0, count = 0;
  for (size_t n = 0; n < length; n++)
    for (int bit = 0; bit < 8; bit += 1 + (n % 3)) {
      memcpy(text, good, length + 1);
      text[n] = (char)(text[n] ^ (1 << bit));
      taken += load(text, length) == GMG_WISDOM_OK;
      count++;
    }
  unsigned random = 1;
  for (int n = 0; n < 500; n++) { /* a few bytes at once, any values */
    memcpy(text, good, length + 1);
    for (int byte = 0; byte < 5; byte++) {
      random = random * 1664525u + 1013904223u;
      text[random / 65536 * 7919 % length] = (char)(random >> 24);
    }
    load(text, length);
  }
  printf("%d of %d texts with one bit flipped are wisdom of some kind\n", taken, count);
  assert_true(taken > 0 && taken < count / 2);
  free(text);
}

/* Every value in turn is replaced by values of all types. */
static void other_types(void **state)
{
  (void)state;
  static const char *const values[] = {"\"threads\": 2",
                                       "\"cells\": [8, 16, 32]",
                                       "\"rows\": 3",
                                       "\"planes\": 8",
                                       "\"form\": \"queue\"",
                                       "\"version\": 1",
                                       "\"seconds\": 0.0123456789",
                                       "\"format\": \"gmg-wisdom\"",
                                       "\"generator\": \"0.2.0\"",
                                       "\"subject\": \"pass a\"",
                                       "\"source\": \"0123456789abcdef\"",
                                       "\"compiler\": \"gcc 12.2.0\"",
                                       "\"default_seconds\": 0.015"};
  static const char *const others[] = {"null",
                                       "true",
                                       "false",
                                       "[]",
                                       "{}",
                                       "[[1]]",
                                       "{\"a\": 1}",
                                       "1.5",
                                       "-1",
                                       "1e99",
                                       "1e999",
                                       "-1e999",
                                       "NaN",
                                       "Infinity",
                                       "-0.0",
                                       "99999999999",
                                       "99999999999999999999",
                                       "0x10",
                                       "\"\"",
                                       "\"\\u0000\"",
                                       "\"a\\u001b[31mb\"",
                                       "01",
                                       "'a'"};
  for (size_t v = 0; v < sizeof values / sizeof *values; v++)
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
      char text[200];
      const int name = (int)(strchr(values[v], ':') - values[v]);
      snprintf(text, sizeof text, "%.*s: %s", name, values[v], others[o]);
      const enum gmg_wisdom_status status = edited(values[v], text, 0);
      const int allowed = strstr(values[v], "seconds") && strcmp(others[o], "1.5") == 0;
      if ((status == GMG_WISDOM_OK) != allowed)
        fail_msg("%s: %s", text, gmg_wisdom_status_text(status));
    }
}

static void said_by_name(void **state)
{
  (void)state;
  /* contradictory, doubled, with names that are not known or are missing */
  expect("[16, 16, 32]", "[8, 16, 32]", 0, GMG_WISDOM_CONTRADICTORY);
  expect("\"rows\": 4", "\"rows\": 3", 0, GMG_WISDOM_OK);
  expect("\"rows\"", "\"planes\"", 0, GMG_WISDOM_DAMAGED);
  expect("\"version\": 1", "\"version\": 1, \"version\": 1", 0, GMG_WISDOM_DAMAGED);
  expect("\"version\": 1", "\"version\": 1, \"more\": 1", 0, GMG_WISDOM_DAMAGED);
  expect("\"threads\": 2", "\"threads\": 2, \"more\": 1", 1, GMG_WISDOM_DAMAGED);
  expect("\"threads\": 2", "\"thread\": 2", 1, GMG_WISDOM_DAMAGED);
  expect(", \"threads\": 2", "", 1, GMG_WISDOM_DAMAGED);
  /* other versions of the format */
  expect("\"version\": 1", "\"version\": 0", 0, GMG_WISDOM_OLDER);
  expect("\"version\": 1", "\"version\": -7", 0, GMG_WISDOM_OLDER);
  expect("\"version\": 1", "\"version\": 2", 0, GMG_WISDOM_NEWER);
  /* other kernels, machines and programs */
  expect("0123456789abcdef", "0123456789abcdee", 2, GMG_WISDOM_STALE);
  expect("\"0.2.0\"", "\"0.1.0\"", 3, GMG_WISDOM_STALE);
  expect("Sample CPU", "Other CPU", -1, GMG_WISDOM_OK);
  expect("Sample CPU", "Other CPU", 1, GMG_WISDOM_OK);
  expect("gcc 12.2.0", "gcc 13", 1, GMG_WISDOM_OK);
  expect("pass a", "unknown operator", 1, GMG_WISDOM_OK);
  /* numbers and words that no kernel allows */
  expect("\"rows\": 3", "\"rows\": 0", 0, GMG_WISDOM_INVALID);
  expect("\"rows\": 3", "\"rows\": -3", 0, GMG_WISDOM_INVALID);
  expect("\"rows\": 3", "\"rows\": 2147483647", 0, GMG_WISDOM_INVALID);
  expect("\"rows\": 3", "\"rows\": 2147483648", 0, GMG_WISDOM_DAMAGED);
  expect("\"rows\": 3", "\"rows\": 4294967299", 0, GMG_WISDOM_DAMAGED); /* 3 modulo 2^32 */
  expect("\"queue\"", "\"cube\"", 1, GMG_WISDOM_INVALID);
  expect("\"queue\"", "\"queue; rm\"", 1, GMG_WISDOM_DAMAGED);
  expect("[8, 16, 32]", "[8, 16]", 0, GMG_WISDOM_DAMAGED);
  expect("[8, 16, 32]", "[8, 16, 32, 64]", 0, GMG_WISDOM_DAMAGED);
  expect("[8, 16, 32]", "[8, 0, 32]", 0, GMG_WISDOM_DAMAGED);
  expect("[8, 16, 32]", "[8, 16, 2147483647]", 0, GMG_WISDOM_DAMAGED);
  expect("0.015", "0", 0, GMG_WISDOM_DAMAGED);
  expect("0.015", "-1", 0, GMG_WISDOM_DAMAGED);
  expect("0.015", "1e300", 0, GMG_WISDOM_DAMAGED);
  expect("\"rows\": 3, \"planes\": 8, \"form\": \"queue\"", "", 0, GMG_WISDOM_OK); /* the default */
  /* target and threads that do not fit each other */
  expect("\"cpu\"", "\"cuda\"", 0, GMG_WISDOM_DAMAGED);
  expect("\"cpu\"", "\"tpu\"", 0, GMG_WISDOM_DAMAGED);
  expect("\"threads\": 2", "\"threads\": 0", 0, GMG_WISDOM_DAMAGED);
}

/* Encodings: marks in front, UTF-16, Latin-1, bytes that are no UTF-8, letters of other scripts. */
static void encodings(void **state)
{
  (void)state;
  char wide[2 * 600];
  for (int n = 0; n < 600; n++) {
    wide[2 * n] = good[n];
    wide[2 * n + 1] = 0;
  }
  assert_int_equal(load(wide, sizeof wide), GMG_WISDOM_DAMAGED);
  expect("{\"format\"", "\xef\xbb\xbf{\"format\"", 0, GMG_WISDOM_DAMAGED);
  static const char *const bytes[] = {
    "\xfc",     "\xc0\x80", "\xff\xfe", "\xed\xa0\x80", "\xf5\x80\x80\x80",
    "\xe2\x82", "\x80",     "\\ud800",  "\\u12",        "\\x41",
    "\t"};
  for (size_t n = 0; n < sizeof bytes / sizeof *bytes; n++) {
    expect("Sample", bytes[n], 0, GMG_WISDOM_DAMAGED);
    expect("\"rows\"", bytes[n], 0, GMG_WISDOM_DAMAGED);
  }
  expect("Sample", "\xc3\xbc", 0, GMG_WISDOM_DAMAGED);
  assert_int_equal(load("\0\0\0\0", 4), GMG_WISDOM_DAMAGED);
}

/* Loads so many bytes: `before`, then `unit` again and again. */
static enum gmg_wisdom_status filled(const char *before, const char *unit, size_t bytes)
{
  char *text = malloc(bytes);
  size_t n = strlen(before);
  memcpy(text, before, n);
  for (const size_t length = strlen(unit); n < bytes; n++)
    text[n] = unit[(n - strlen(before)) % length];
  const enum gmg_wisdom_status status = load(text, bytes);
  free(text);
  return status;
}

static void large(void **state)
{
  (void)state;
  static const char head[] = "{\"format\": \"gmg-wisdom\", \"version\": 1, \"entries\": [";
  assert_int_equal(filled("", "[", 1 << 20), GMG_WISDOM_DAMAGED);
  assert_non_null(strstr(said, "nested too deeply"));
  assert_int_equal(filled("", "{\"a\":", 1 << 20), GMG_WISDOM_DAMAGED);
  assert_int_equal(filled(head, "[[[[[[[[[[[[[[", 4000), GMG_WISDOM_DAMAGED);
  assert_int_equal(filled(head, "[],", GMG_WISDOM_BYTES), GMG_WISDOM_DAMAGED);
  assert_non_null(strstr(said, "more values"));
  assert_int_equal(filled(head, "0,", GMG_WISDOM_BYTES), GMG_WISDOM_DAMAGED);
  assert_non_null(strstr(said, "more values"));
  assert_int_equal(filled(head, "9", 1 << 20), GMG_WISDOM_DAMAGED);
  assert_int_equal(filled(head, "\"", 1 << 16), GMG_WISDOM_DAMAGED);
  assert_int_equal(filled(good, " ", GMG_WISDOM_BYTES), GMG_WISDOM_OK);
  assert_int_equal(filled(good, " ", GMG_WISDOM_BYTES + 1), GMG_WISDOM_DAMAGED);
  char name[300], more[4000] = "\"rows\": 3";
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = 0;
  expect("\"rows\"", "\"a23456789012345678901234\"", 0, GMG_WISDOM_DAMAGED);
  expect("Sample", name, 0, GMG_WISDOM_DAMAGED);
  expect("pass a", name, 1, GMG_WISDOM_DAMAGED);
  expect("0123456789abcdef", name, 1, GMG_WISDOM_DAMAGED);
  for (int n = 0; n < GMG_WISDOM_CHOICES; n++)
    sprintf(more + strlen(more), ", \"c%d\": 1", n);
  expect("\"rows\": 3", more, 0, GMG_WISDOM_DAMAGED);
  /* more entries than a table holds */
  const size_t room = 6 * GMG_WISDOM_ENTRIES;
  char *text = calloc(1, room), *end = text + sprintf(text, "%s0", head);
  for (int n = 0; n < GMG_WISDOM_ENTRIES; n++)
    end += sprintf(end, ",0");
  sprintf(end, "]}");
  assert_int_equal(load_text(text), GMG_WISDOM_FULL);
  free(text);
}

static void count(void **state)
{
  (void)state;
  printf("%d texts, %d refused\n", texts, refusals);
  assert_true(refusals > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_good_one), cmocka_unit_test(cut),
                                     cmocka_unit_test(flipped),      cmocka_unit_test(other_types),
                                     cmocka_unit_test(said_by_name), cmocka_unit_test(encodings),
                                     cmocka_unit_test(large),        cmocka_unit_test(count)};
  make_good();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
