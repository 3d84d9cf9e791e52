#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wisdom_entry.h"
#include "wisdom_text.h"

struct gmg_wisdom {
  struct gmg_wisdom_list list; /* ordered */
  struct gmg_wisdom_key key[GMG_WISDOM_KEYS];
  char generator[GMG_WISDOM_GENERATOR];
  struct gmg_wisdom_rules rules; /* whose keys and generator are those above */
};

const char *gmg_wisdom_status_text(enum gmg_wisdom_status status)
{
#define CASE(name, value, text) \
  case name: \
    return text;
  switch (status) {
    GMG_WISDOM_STATUSES(CASE)
  default:
    return "unknown status";
  }
#undef CASE
}

struct gmg_wisdom *gmg_wisdom_create(const struct gmg_wisdom_rules *rules)
{
  if (rules->key_count < 0 || rules->key_count > GMG_WISDOM_KEYS || !rules->source
      || strlen(rules->generator) >= GMG_WISDOM_GENERATOR)
    return NULL;
  struct gmg_wisdom *wisdom = calloc(1, sizeof *wisdom);
  if (!wisdom)
    return NULL;
  for (int n = 0; n < rules->key_count; n++)
    wisdom->key[n] = rules->keys[n];
  strcpy(wisdom->generator, rules->generator);
  wisdom->rules = *rules;
  wisdom->rules.keys = wisdom->key;
  wisdom->rules.generator = wisdom->generator;
  return wisdom;
}

void gmg_wisdom_destroy(struct gmg_wisdom **wisdom)
{
  if (!*wisdom)
    return;
  gmg_wisdom_list_clear(&(*wisdom)->list);
  free(*wisdom);
  *wisdom = NULL;
}

/* Returns the first choice that the kernels do not allow, or -1. */
static int first_invalid(const struct gmg_wisdom_rules *rules, const struct gmg_wisdom_entry *entry)
{
  for (int n = 0; n < entry->choices && rules->valid; n++)
    if (!rules->valid(rules->context, entry->subject, &entry->choice[n]))
      return n;
  return -1;
}

enum gmg_wisdom_standing gmg_wisdom_standing(const struct gmg_wisdom *wisdom,
                                             const struct gmg_wisdom_entry *entry)
{
  const struct gmg_wisdom_rules *rules = &wisdom->rules;
  int here = 0;
  for (int n = 0; n < rules->key_count && !here; n++)
    here = gmg_wisdom_compare_keys(&rules->keys[n], &entry->key) == 0;
  const char *source = rules->source(rules->context, entry->key.target, entry->subject);
  const int stale = source
    && (strcmp(source, entry->source) != 0 || strcmp(rules->generator, entry->generator) != 0);
  if (!here || !source)
    return stale ? GMG_WISDOM_IS_FOREIGN_STALE : GMG_WISDOM_IS_FOREIGN;
  if (stale)
    return GMG_WISDOM_IS_STALE;
  return first_invalid(rules, entry) < 0 ? GMG_WISDOM_IS_CURRENT : GMG_WISDOM_IS_INVALID;
}

/* Says why an entry of this standing may not be used. `where` names the entry. */
static enum gmg_wisdom_status refuse(const struct gmg_wisdom *wisdom,
                                     const struct gmg_wisdom_entry *entry, const char *where,
                                     char *sentence)
{
  if (gmg_wisdom_standing(wisdom, entry) == GMG_WISDOM_IS_STALE) {
    snprintf(sentence, GMG_WISDOM_SENTENCE,
             "%s: '%s' was measured with kernels %.12s of generator %s, which are not this "
             "program's: tune again",
             where, entry->subject, entry->source, entry->generator);
    return GMG_WISDOM_STALE;
  }
  const struct gmg_wisdom_choice *choice = &entry->choice[first_invalid(&wisdom->rules, entry)];
  char number[16];
  snprintf(number, sizeof number, "%d", choice->number);
  snprintf(sentence, GMG_WISDOM_SENTENCE, "%s: the kernels of '%s' do not allow %s = %s", where,
           entry->subject, choice->name, choice->word[0] ? choice->word : number);
  return GMG_WISDOM_INVALID;
}

static int is_refused(enum gmg_wisdom_standing standing)
{
  return standing == GMG_WISDOM_IS_STALE || standing == GMG_WISDOM_IS_INVALID;
}

enum gmg_wisdom_status gmg_wisdom_add(struct gmg_wisdom *wisdom,
                                      const struct gmg_wisdom_entry *entry, char *sentence)
{
  char own[GMG_WISDOM_SENTENCE];
  sentence = sentence ? sentence : own;
  const char *fault = gmg_wisdom_entry_fault(entry);
  snprintf(sentence, GMG_WISDOM_SENTENCE, "new entry: %s", fault ? fault : "added");
  if (fault)
    return GMG_WISDOM_DAMAGED;
  if (is_refused(gmg_wisdom_standing(wisdom, entry)))
    return refuse(wisdom, entry, "new entry", sentence);
  struct gmg_wisdom_list one = {0};
  struct gmg_wisdom_entry *copy = gmg_wisdom_list_append(&one, entry);
  enum gmg_wisdom_status status = GMG_WISDOM_MEMORY;
  if (copy) {
    copy->added = 1;
    copy->number = 0;
    status = gmg_wisdom_list_merge(&wisdom->list, &one);
  }
  gmg_wisdom_list_clear(&one);
  if (status != GMG_WISDOM_OK)
    snprintf(sentence, GMG_WISDOM_SENTENCE, "new entry: %s", gmg_wisdom_status_text(status));
  return status;
}

/* Returns the sum over the directions of |log2(ratio)|, or -1 if a ratio is above two. */
static double distance(const int a[3], const int b[3])
{
  double sum = 0;
  for (int d = 0; d < 3; d++) {
    if (a[d] > 2.0 * b[d] || b[d] > 2.0 * a[d])
      return -1;
    sum += fabs(log2((double)a[d] / b[d]));
  }
  return sum;
}

const struct gmg_wisdom_entry *gmg_wisdom_find(const struct gmg_wisdom *wisdom,
                                               const struct gmg_wisdom_key *key,
                                               const char *subject, const int cells[3])
{
  const struct gmg_wisdom_entry *best = NULL;
  double least = INFINITY;
  for (int n = 0; n < wisdom->list.count; n++) {
    const struct gmg_wisdom_entry *entry = wisdom->list.entry[n];
    if (strcmp(entry->subject, subject) != 0 || gmg_wisdom_compare_keys(&entry->key, key) != 0)
      continue;
    const double far = distance(entry->cells, cells);
    if (far >= 0 && far < least) {
      least = far;
      best = entry;
    }
  }
  return best;
}

int gmg_wisdom_count(const struct gmg_wisdom *wisdom)
{
  return wisdom->list.count;
}

const struct gmg_wisdom_entry *gmg_wisdom_at(const struct gmg_wisdom *wisdom, int n)
{
  return n >= 0 && n < wisdom->list.count ? wisdom->list.entry[n] : NULL;
}

void gmg_wisdom_saved(struct gmg_wisdom *wisdom)
{
  for (int n = 0; n < wisdom->list.count; n++)
    wisdom->list.entry[n]->added = 0;
}

/* Frees the entries that are foreign, and counts them. Fails where one may not be used. */
static enum gmg_wisdom_status sort_out(const struct gmg_wisdom *wisdom, const char *name,
                                       struct gmg_wisdom_list *list,
                                       struct gmg_wisdom_report *report)
{
  for (int n = 0; n < list->count; n++) {
    if (!is_refused(gmg_wisdom_standing(wisdom, list->entry[n])))
      continue;
    char where[GMG_WISDOM_SENTENCE / 2];
    snprintf(where, sizeof where, "%.100s: entry %d", name, list->entry[n]->number);
    return refuse(wisdom, list->entry[n], where, report->sentence);
  }
  int kept = 0;
  for (int n = 0; n < list->count; n++) {
    const enum gmg_wisdom_standing standing = gmg_wisdom_standing(wisdom, list->entry[n]);
    report->foreign_stale += standing == GMG_WISDOM_IS_FOREIGN_STALE;
    report->foreign += standing != GMG_WISDOM_IS_CURRENT;
    if (standing == GMG_WISDOM_IS_CURRENT)
      list->entry[kept++] = list->entry[n];
    else
      free(list->entry[n]);
  }
  list->count = kept;
  return GMG_WISDOM_OK;
}

enum gmg_wisdom_status gmg_wisdom_load(struct gmg_wisdom *wisdom, const char *name,
                                       const char *text, size_t bytes,
                                       struct gmg_wisdom_report *report)
{
  struct gmg_wisdom_report own = {0};
  report = report ? report : &own;
  *report = (struct gmg_wisdom_report){0};
  struct gmg_wisdom_list list = {0};
  enum gmg_wisdom_status status = gmg_wisdom_read_text(name, text, bytes, &list, report->sentence);
  if (status != GMG_WISDOM_OK)
    return status;
  report->entries = list.count;
  status = sort_out(wisdom, name, &list, report);
  if (status == GMG_WISDOM_OK) {
    report->taken = list.count;
    status = gmg_wisdom_list_merge(&wisdom->list, &list);
    snprintf(report->sentence, GMG_WISDOM_SENTENCE,
             "%s: %d entries, %d of them foreign (%d of which are stale)", name, report->entries,
             report->foreign, report->foreign_stale);
    if (status != GMG_WISDOM_OK)
      snprintf(report->sentence, GMG_WISDOM_SENTENCE, "%s: %s", name,
               gmg_wisdom_status_text(status));
  }
  if (status != GMG_WISDOM_OK)
    report->taken = report->foreign = report->foreign_stale = 0;
  gmg_wisdom_list_clear(&list);
  return status;
}
