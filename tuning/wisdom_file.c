#include "wisdom_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wisdom_disk.h"
#include "wisdom_entry.h"
#include "wisdom_text.h"

enum gmg_wisdom_status gmg_wisdom_load_file(struct gmg_wisdom *wisdom, const char *path,
                                            struct gmg_wisdom_report *report)
{
  struct gmg_wisdom_report own = {0};
  char *text;
  size_t bytes;
  report = report ? report : &own;
  *report = (struct gmg_wisdom_report){0};
  enum gmg_wisdom_status status = gmg_wisdom_read_file(path, &text, &bytes, report->sentence);
  if (status != GMG_WISDOM_OK)
    return status;
  status = gmg_wisdom_load(wisdom, path, text, bytes, report);
  free(text);
  return status;
}

static int is_json(const struct dirent *entry)
{
  const size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

enum gmg_wisdom_status gmg_wisdom_load_folder(struct gmg_wisdom *wisdom, const char *folder,
                                              struct gmg_wisdom_report *report)
{
  struct gmg_wisdom_report own = {0}, one;
  struct dirent **names;
  report = report ? report : &own;
  *report = (struct gmg_wisdom_report){0};
  snprintf(report->sentence, GMG_WISDOM_SENTENCE, "%.200s: there is no file *.json", folder);
  const int count = scandir(folder, &names, is_json, alphasort);
  enum gmg_wisdom_status status = count > 0 ? GMG_WISDOM_OK : GMG_WISDOM_ABSENT;
  for (int n = 0; n < count; n++) {
    char *path = NULL;
    enum gmg_wisdom_status here = GMG_WISDOM_MEMORY;
    one = (struct gmg_wisdom_report){.sentence = "out of memory"};
    if (asprintf(&path, "%s/%s", folder, names[n]->d_name) >= 0) {
      here = gmg_wisdom_load_file(wisdom, path, &one);
      free(path);
    }
    report->entries += one.entries;
    report->taken += one.taken;
    report->foreign += one.foreign;
    report->foreign_stale += one.foreign_stale;
    if (status == GMG_WISDOM_OK)
      memcpy(report->sentence, one.sentence, sizeof one.sentence);
    if (status == GMG_WISDOM_OK)
      status = here;
    free(names[n]);
  }
  if (count >= 0)
    free(names);
  if (count > 0 && status == GMG_WISDOM_OK)
    snprintf(report->sentence, GMG_WISDOM_SENTENCE, "%.200s: %d files, %d entries, %d foreign",
             folder, count, report->entries, report->foreign);
  return status;
}

/* Drops the entries of this machine that may not be used. Returns how many. */
static int drop_refused(const struct gmg_wisdom *wisdom, struct gmg_wisdom_list *list)
{
  int kept = 0;
  const int count = list->count;
  for (int n = 0; n < count; n++) {
    const enum gmg_wisdom_standing standing = gmg_wisdom_standing(wisdom, list->entry[n]);
    if (standing == GMG_WISDOM_IS_STALE || standing == GMG_WISDOM_IS_INVALID)
      free(list->entry[n]);
    else
      list->entry[kept++] = list->entry[n];
  }
  list->count = kept;
  return count - kept;
}

/* Reads what the file has. *refused: it can never be loaded. */
static enum gmg_wisdom_status read_old(const char *path, struct gmg_wisdom_list *list, int *refused,
                                       char *sentence)
{
  char *text;
  size_t bytes;
  enum gmg_wisdom_status status = gmg_wisdom_read_file(path, &text, &bytes, sentence);
  *refused = 0;
  if (status != GMG_WISDOM_OK)
    return status == GMG_WISDOM_ABSENT ? GMG_WISDOM_OK : status;
  status = gmg_wisdom_read_text(path, text, bytes, list, sentence);
  free(text);
  *refused = status == GMG_WISDOM_DAMAGED || status == GMG_WISDOM_OLDER
    || status == GMG_WISDOM_CONTRADICTORY;
  return *refused ? GMG_WISDOM_OK : status;
}

static enum gmg_wisdom_status save_locked(struct gmg_wisdom *wisdom, enum gmg_wisdom_part part,
                                          const char *path, struct gmg_wisdom_list *old,
                                          struct gmg_wisdom_list *fresh, char *sentence)
{
  int refused, well = 1;
  size_t bytes = 0;
  enum gmg_wisdom_status status = read_old(path, old, &refused, sentence);
  if (status != GMG_WISDOM_OK)
    return status;
  const int dropped = drop_refused(wisdom, old);
  for (int n = 0; n < gmg_wisdom_count(wisdom) && well; n++)
    if (part == GMG_WISDOM_ALL || gmg_wisdom_at(wisdom, n)->added)
      well = gmg_wisdom_list_append(fresh, gmg_wisdom_at(wisdom, n)) != NULL;
  const int saved = fresh->count;
  status = well ? gmg_wisdom_list_merge(old, fresh) : GMG_WISDOM_MEMORY;
  char *text = status == GMG_WISDOM_OK ? gmg_wisdom_write_text(old, &bytes) : NULL;
  if (status == GMG_WISDOM_OK && (!text || bytes > GMG_WISDOM_BYTES))
    status = text ? GMG_WISDOM_FULL : GMG_WISDOM_MEMORY;
  if (status != GMG_WISDOM_OK)
    snprintf(sentence, GMG_WISDOM_SENTENCE, "%.200s: %s", path, gmg_wisdom_status_text(status));
  if (status == GMG_WISDOM_OK && refused)
    status = gmg_wisdom_keep_aside(path, sentence);
  if (status == GMG_WISDOM_OK)
    status = gmg_wisdom_replace_file(path, text, bytes, sentence);
  free(text);
  if (status == GMG_WISDOM_OK)
    snprintf(sentence, GMG_WISDOM_SENTENCE,
             "%.150s: saved %d entries, %d now; dropped %d that were stale%s", path, saved,
             old->count, dropped,
             refused ? "; what was there could not be read, and is kept as .refused" : "");
  return status;
}

enum gmg_wisdom_status gmg_wisdom_save(struct gmg_wisdom *wisdom, enum gmg_wisdom_part part,
                                       const char *path, char *sentence)
{
  char own[GMG_WISDOM_SENTENCE];
  struct gmg_wisdom_list old = {0}, fresh = {0};
  int lock;
  sentence = sentence ? sentence : own;
  enum gmg_wisdom_status status = gmg_wisdom_make_folders(path, sentence);
  if (status == GMG_WISDOM_OK)
    status = gmg_wisdom_lock(path, &lock, sentence);
  if (status != GMG_WISDOM_OK)
    return status;
  status = save_locked(wisdom, part, path, &old, &fresh, sentence);
  gmg_wisdom_unlock(lock);
  gmg_wisdom_list_clear(&old);
  gmg_wisdom_list_clear(&fresh);
  if (status == GMG_WISDOM_OK)
    gmg_wisdom_saved(wisdom);
  return status;
}
