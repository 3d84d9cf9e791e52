/* Preconditions: none. What must vanish: entries of the wisdom that is shipped, tuning/wisdom.json,
 * that were measured with other kernels than this build's, or whose choices its kernels do not
 * allow. They are made anew by `gmg tune --wisdom tuning/wisdom.json` on the machines that it
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

#include "config.h"
#include "runtime/backend.h"
#include "runtime/tuned.h"
#include "tuning/wisdom_disk.h"
#include "tuning/wisdom_text.h"

#define DECLARE(table) extern const struct gmg_backend table;
GMG_BACKENDS(DECLARE)
#undef DECLARE

static const struct gmg_backend *find_backend(void)
{
  const struct gmg_backend *found = NULL;
#define FOUND(table) found = &(table);
  GMG_BACKENDS(FOUND)
#undef FOUND
  return found;
}

/* Returns NULL, or what is wrong with an entry. */
static const char *fault_of(const gmg_context *context, const struct gmg_wisdom_entry *entry)
{
  const struct gmg_backend *backend = find_backend();
  const int cuda = strcmp(entry->key.target, "cuda") == 0;
  char hash[GMG_WISDOM_SOURCE] = "", name[GMG_WISDOM_SUBJECT];
  if (cuda && !backend)
    return NULL; /* this build has no such kernels */
  if (cuda && !backend->source(entry->subject, hash, sizeof hash))
    return "there is no such kernel";
  if (!cuda && sscanf(entry->subject, "levels %95s", name) == 1
      && gmg_context_operator(context, name))
    snprintf(hash, sizeof hash, "%s", gmg_context_operator(context, name)->kernel[0]->source_hash);
  if (strcmp(hash, entry->source) != 0 || strcmp(entry->generator, GMG_VERSION) != 0)
    return "it is stale";
  for (int n = 0; n < entry->choices; n++) {
    const struct gmg_wisdom_choice *c = &entry->choice[n];
    const int known = cuda ? 0 : gmg_choice_find(c->name);
    if (cuda ? !backend->allows(entry->subject, c->name, c->word, c->number)
             : known < 0 || !gmg_choice_allows(known, c->number))
      return "a choice is not allowed";
  }
  return NULL;
}

static void shipped_is_current(void **state)
{
  (void)state;
  char path[4200], sentence[GMG_WISDOM_SENTENCE], *text;
  size_t bytes;
  snprintf(path, sizeof path, "%s", __FILE__);
  for (int up = 0; up < 3; up++) /* tests/tuning/test_shipped.c */
    *strrchr(path, '/') = 0;
  strcat(path, "/tuning/wisdom.json");
  struct gmg_wisdom_list list = {.count = 0};
  gmg_context *context;
  assert_int_equal(gmg_context_create(1, &context), GMG_OK);
  assert_int_equal(gmg_wisdom_read_file(path, &text, &bytes, sentence), GMG_WISDOM_OK);
  assert_int_equal(gmg_wisdom_read_text(path, text, bytes, &list, sentence), GMG_WISDOM_OK);
  int faults = 0, chosen = 0;
  for (int n = 0; n < list.count; n++) {
    const char *fault = fault_of(context, list.entry[n]);
    chosen += list.entry[n]->choices > 0;
    faults += fault != NULL;
    if (fault)
      printf("FAILED %s, %d x %d x %d: %s\n", list.entry[n]->subject, list.entry[n]->cells[0],
             list.entry[n]->cells[1], list.entry[n]->cells[2], fault);
  }
  printf("%d entries, %d with choices, %d faults\n", list.count, chosen, faults);
  assert_true(list.count > 0);
  assert_int_equal(faults, 0);
  gmg_wisdom_list_clear(&list);
  free(text);
  gmg_context_destroy(&context);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_is_current)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
