#include "array.h"

#include "system/memory.h"

#include <string.h>

enum {
  SMALL_FIELD = 8 << 10, /* all that a kernel touches lies in the first-level cache */
  STAGGER = 9 * 64,
  LARGE_FIELD = 8 << 20,
  LARGE_STAGGER = 418 * 64,
  ROOM = 32
};

static void destroy(struct gmg_level *level, struct gmg_level_array *array)
{
  if (!array->allocation && array->box && array->kind == GMG_FIELD && array->share == GMG_APART)
    level->memory->planned -= (int64_t)array->bytes;
  if (array->reserved && !array->uncounted)
    gmg_memory_count(level->memory, -(int64_t)array->bytes);
  if (array->share == GMG_APART && array->reserved)
    gmg_unreserve(array->allocation, array->bytes);
  else if (array->share == GMG_APART && !array->lent)
    gmg_release(level->memory, array->allocation, array->bytes);
  if (!array->lent)
    gmg_free(array->reach);
  gmg_free(array);
}

void gmg_arrays_destroy(struct gmg_level *level)
{
  for (int n = 0; n < level->arrays; n++)
    destroy(level, level->array[n]);
  gmg_free(level->array);
  level->array = NULL;
  level->arrays = 0;
}

void gmg_array_remove(struct gmg_level *level, struct gmg_level_array *array)
{
  int n = 0;
  while (level->array[n] != array)
    n++;
  level->named[array->number] = 0;
  level->arrays--;
  for (; n < level->arrays; n++) {
    level->array[n] = level->array[n + 1];
    level->named[level->array[n]->number] = (short)(n + 1);
  }
  destroy(level, array);
}

size_t gmg_array_stagger(const struct gmg_level *level, const struct gmg_level_array *array)
{
  const size_t bytes = gmg_level_field_bytes(level);
  const size_t step = bytes <= SMALL_FIELD ? 0 : bytes < LARGE_FIELD ? STAGGER : LARGE_STAGGER;
  return array->kind == GMG_FIELD ? (size_t)(array->place % 16) * step : 0;
}

/* A number that no other field of the level has. */
static short free_place(const struct gmg_level *level)
{
  char taken[2 * GMG_MOST_NAMES] = {0};
  short place = 0;
  for (int n = 0; n < level->arrays; n++)
    if (level->array[n]->kind == GMG_FIELD)
      taken[level->array[n]->place] = 1, place++;
  while (taken[place])
    place++;
  return place;
}

/* An entry, with the pointers of its boxes after it, in the level's list. NULL: out of memory. */
static struct gmg_level_array *append(struct gmg_level *level, int name, enum gmg_field_kind kind)
{
  if (name < 0 || level->named[name] != 0)
    return NULL;
  if (level->arrays % ROOM == 0) {
    struct gmg_level_array **more =
      gmg_realloc(level->array, (size_t)(level->arrays + ROOM) * sizeof *more);
    if (!more)
      return NULL;
    level->array = more;
  }
  struct gmg_level_array *array =
    gmg_calloc(1, sizeof *array + (size_t)level->layout->local_count * sizeof *array->box);
  if (!array)
    return NULL;
  array->box = (void **)(array + 1);
  array->number = (short)name;
  array->kind = kind;
  array->place = kind == GMG_FIELD ? free_place(level) : 0;
  array->memory = level->memory;
  array->name = level->context->names.text[name];
  level->array[level->arrays++] = array;
  level->named[name] = (short)level->arrays;
  return array;
}

/* What setup fills once for all cycles. */
static int is_coefficient(int name)
{
  return name >= GMG_NAME_DINV && name <= GMG_NAME_INVERSE_7;
}

/* Whose memory a field is in. Those that the same levels in double are filled from stay. */
static enum gmg_share share_of(const struct gmg_level *level, int name)
{
  const int is_kept = name >= GMG_NAME_LINK_0 && name <= GMG_NAME_OWNER;
  if (level->share == GMG_FIRST && is_kept)
    return GMG_APART;
  return level->share ? level->share : level->memory->plans;
}

static void plan_field(struct gmg_level *level, struct gmg_level_array *array)
{
  if (level->memory->planning)
    array->share = share_of(level, array->number);
  if (array->share != GMG_APART)
    array->at = gmg_memory_share(level->memory, array->share, (int64_t)array->bytes);
  else
    level->memory->planned += (int64_t)array->bytes;
}

struct gmg_level_array *gmg_array_add(struct gmg_level *level, int name, enum gmg_field_kind kind,
                                      size_t bytes)
{
  struct gmg_level_array *array = append(level, name, kind);
  if (!array)
    return NULL;
  array->coefficient = is_coefficient(name);
  array->bytes = bytes + gmg_array_stagger(level, array);
  if (kind == GMG_FIELD) {
    if (array->bytes == 0) /* a rank without boxes has something that a device can copy, too */
      array->bytes = sizeof(double);
    plan_field(level, array);
    return array;
  }
  array->allocation = gmg_allocate(level->memory, bytes);
  if (array->allocation) {
    memset(array->allocation, 0, bytes);
    return array;
  }
  gmg_array_remove(level, array);
  return NULL;
}

const struct gmg_level_array *gmg_array_lender(const struct gmg_level *level, int name)
{
  return level->lender ? gmg_level_find(level->lender, name) : NULL;
}

struct gmg_level_array *gmg_array_add_lent(struct gmg_level *level,
                                           const struct gmg_level_array *lender, size_t bytes)
{
  struct gmg_level_array *array = append(level, lender->number, GMG_LINE);
  if (!array)
    return NULL;
  array->bytes = bytes;
  array->lent = 1;
  array->allocation = lender->allocation;
  return array;
}

int gmg_array_borrow(struct gmg_level *level, struct gmg_level_array *table)
{
  const struct gmg_level_array *lender = gmg_array_lender(level, table->number);
  if (!lender || lender->kind != GMG_TABLE || lender->bytes != table->bytes
      || memcmp(lender->allocation, table->allocation, table->bytes) != 0)
    return 0;
  memcpy(table->box, lender->box, (size_t)level->layout->local_count * sizeof *table->box);
  gmg_release(level->memory, table->allocation, table->bytes);
  table->allocation = lender->allocation;
  table->reach = lender->reach;
  table->lent = 1;
  return 1;
}
