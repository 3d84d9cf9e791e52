#include "wisdom_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 30, MOST_THREADS = 1 << 16, FIRST_ROOM = 64 };

/* Printable ASCII, not empty, and with its end inside the array. */
static int is_text(const char *text, size_t room)
{
  const size_t length = strnlen(text, room);
  if (length == 0 || length == room)
    return 0;
  for (size_t n = 0; n < length; n++)
    if (text[n] < ' ' || text[n] > '~')
      return 0;
  return 1;
}

static int is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* A letter, then letters, digits, and the marks of names. */
static int is_word(const char *text)
{
  if (!is_text(text, GMG_WISDOM_WORD) || !is_letter(text[0]))
    return 0;
  for (const char *c = text; *c; c++)
    if (!is_letter(*c) && !is_digit(*c) && !strchr("_-.+", *c))
      return 0;
  return 1;
}

static int is_hash(const char *text)
{
  if (!is_text(text, GMG_WISDOM_SOURCE))
    return 0;
  for (const char *c = text; *c; c++)
    if (!is_digit(*c) && !(*c >= 'a' && *c <= 'f'))
      return 0;
  return 1;
}

static int is_time(double seconds)
{
  return isfinite(seconds) && seconds > 0 && seconds < 1e9;
}

const char *gmg_wisdom_key_fault(const struct gmg_wisdom_key *key)
{
  if (!is_text(key->target, GMG_WISDOM_TARGET)
      || (strcmp(key->target, "cpu") != 0 && strcmp(key->target, "cuda") != 0))
    return "'target' must be \"cpu\" or \"cuda\"";
  if (!is_text(key->machine, GMG_WISDOM_MACHINE))
    return "'machine' must be 1 to 95 printable ASCII characters";
  if (!is_text(key->compiler, GMG_WISDOM_COMPILER))
    return "'compiler' must be 1 to 95 printable ASCII characters";
  if (strcmp(key->target, "cuda") == 0 && key->threads != 0)
    return "'threads' must be 0 where the target is cuda";
  if (strcmp(key->target, "cpu") == 0 && (key->threads < 1 || key->threads > MOST_THREADS))
    return "'threads' must be 1 to 65536 where the target is cpu";
  return NULL;
}

static const char *choices_fault(const struct gmg_wisdom_entry *entry)
{
  if (entry->choices < 0 || entry->choices > GMG_WISDOM_CHOICES)
    return "'choice' must have at most 16 members";
  for (int n = 0; n < entry->choices; n++) {
    const struct gmg_wisdom_choice *choice = &entry->choice[n];
    if (!is_word(choice->name))
      return "names in 'choice' must be a letter and up to 22 letters, digits, _ - . +";
    if (choice->word[0] && (!is_word(choice->word) || choice->number != 0))
      return "values in 'choice' must be integers, or words of a letter and up to 22 letters, "
             "digits, _ - . +";
    for (int m = 0; m < n; m++)
      if (strcmp(entry->choice[m].name, choice->name) == 0)
        return "names in 'choice' must differ from each other";
  }
  return NULL;
}

const char *gmg_wisdom_entry_fault(const struct gmg_wisdom_entry *entry)
{
  const char *fault = gmg_wisdom_key_fault(&entry->key);
  if (fault)
    return fault;
  if (!is_hash(entry->source))
    return "'source' must be 1 to 71 hexadecimal digits in small letters";
  if (!is_text(entry->generator, GMG_WISDOM_GENERATOR))
    return "'generator' must be 1 to 31 printable ASCII characters";
  if (!is_text(entry->subject, GMG_WISDOM_SUBJECT))
    return "'subject' must be 1 to 95 printable ASCII characters";
  for (int d = 0; d < 3; d++)
    if (entry->cells[d] < 1 || entry->cells[d] > MOST_CELLS)
      return "'cells' must be three integers from 1 to 2^30";
  if (!is_time(entry->seconds))
    return "'seconds' must be above 0 and below 1e9";
  if (!is_time(entry->default_seconds))
    return "'default_seconds' must be above 0 and below 1e9";
  return choices_fault(entry);
}

int gmg_wisdom_compare_keys(const struct gmg_wisdom_key *a, const struct gmg_wisdom_key *b)
{
  int order = strcmp(a->target, b->target);
  if (order == 0)
    order = strcmp(a->machine, b->machine);
  if (order == 0)
    order = strcmp(a->compiler, b->compiler);
  return order ? order : (a->threads > b->threads) - (a->threads < b->threads);
}

int gmg_wisdom_compare_places(const struct gmg_wisdom_entry *a, const struct gmg_wisdom_entry *b)
{
  int order = gmg_wisdom_compare_keys(&a->key, &b->key);
  if (order == 0)
    order = strcmp(a->subject, b->subject);
  for (int d = 0; d < 3 && order == 0; d++)
    order = (a->cells[d] > b->cells[d]) - (a->cells[d] < b->cells[d]);
  return order;
}

int gmg_wisdom_same_choice(const struct gmg_wisdom_entry *a, const struct gmg_wisdom_entry *b)
{
  int same = a->choices == b->choices && strcmp(a->source, b->source) == 0
    && strcmp(a->generator, b->generator) == 0;
  for (int n = 0; n < a->choices && same; n++)
    same = strcmp(a->choice[n].name, b->choice[n].name) == 0
      && strcmp(a->choice[n].word, b->choice[n].word) == 0
      && a->choice[n].number == b->choice[n].number;
  return same;
}

struct gmg_wisdom_entry *gmg_wisdom_list_append(struct gmg_wisdom_list *list,
                                                const struct gmg_wisdom_entry *entry)
{
  if (list->count == list->room) {
    const int room = list->room ? 2 * list->room : FIRST_ROOM;
    struct gmg_wisdom_entry **grown = realloc(list->entry, (size_t)room * sizeof *grown);
    if (!grown)
      return NULL;
    list->entry = grown;
    list->room = room;
  }
  struct gmg_wisdom_entry *copy = calloc(1, sizeof *copy);
  if (!copy)
    return NULL;
  if (entry)
    *copy = *entry;
  list->entry[list->count++] = copy;
  return copy;
}

void gmg_wisdom_list_clear(struct gmg_wisdom_list *list)
{
  for (int n = 0; n < list->count; n++)
    free(list->entry[n]);
  free(list->entry);
  *list = (struct gmg_wisdom_list){0};
}

static int compare_items(const void *a, const void *b)
{
  const struct gmg_wisdom_entry *x = *(struct gmg_wisdom_entry *const *)a;
  const struct gmg_wisdom_entry *y = *(struct gmg_wisdom_entry *const *)b;
  const int order = gmg_wisdom_compare_places(x, y);
  return order ? order : (x->number > y->number) - (x->number < y->number);
}

int gmg_wisdom_list_order(struct gmg_wisdom_list *list, int fault[2])
{
  if (list->count > 1)
    qsort(list->entry, (size_t)list->count, sizeof *list->entry, compare_items);
  int kept = 0;
  for (int n = 0; n < list->count; n++) {
    struct gmg_wisdom_entry *last = kept ? list->entry[kept - 1] : NULL;
    struct gmg_wisdom_entry *entry = list->entry[n];
    if (!last || gmg_wisdom_compare_places(last, entry) != 0) {
      list->entry[kept++] = entry;
      continue;
    }
    if (!gmg_wisdom_same_choice(last, entry)) {
      fault[0] = last->number;
      fault[1] = entry->number;
      for (; n < list->count; n++) /* none is lost, so that the list can be cleared */
        list->entry[kept++] = list->entry[n];
      list->count = kept;
      return 0;
    }
    free(last);
    list->entry[kept - 1] = entry;
  }
  list->count = kept;
  return 1;
}

enum gmg_wisdom_status gmg_wisdom_list_merge(struct gmg_wisdom_list *to,
                                             struct gmg_wisdom_list *from)
{
  int a = 0, b = 0, count = 0, same = 0;
  while (a < to->count && b < from->count) { /* how many entries have the same place */
    const int order = gmg_wisdom_compare_places(to->entry[a], from->entry[b]);
    same += order == 0;
    a += order <= 0;
    b += order >= 0;
  }
  const int room = to->count + from->count - same;
  if (room > GMG_WISDOM_ENTRIES)
    return GMG_WISDOM_FULL;
  struct gmg_wisdom_entry **merged = malloc(((size_t)room + 1) * sizeof *merged);
  if (!merged)
    return GMG_WISDOM_MEMORY;
  for (a = b = 0; a < to->count || b < from->count;) {
    const int order = a == to->count ? 1
      : b == from->count             ? -1
                                     : gmg_wisdom_compare_places(to->entry[a], from->entry[b]);
    if (order == 0)
      free(to->entry[a]);
    merged[count++] = order < 0 ? to->entry[a] : from->entry[b];
    a += order <= 0;
    b += order >= 0;
  }
  free(to->entry);
  free(from->entry);
  *to = (struct gmg_wisdom_list){merged, count, room + 1};
  *from = (struct gmg_wisdom_list){0};
  return GMG_WISDOM_OK;
}
