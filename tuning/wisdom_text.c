#include "wisdom_text.h"

#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a text may have at most; a table of GMG_WISDOM_ENTRIES full entries stays below. */
enum {
  MOST_DEPTH = 6,
  MOST_OPENED = 4 * GMG_WISDOM_ENTRIES,
  MOST_COMMAS = 32 * GMG_WISDOM_ENTRIES
};

static enum gmg_wisdom_status say(enum gmg_wisdom_status status, char *sentence, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
static enum gmg_wisdom_status say(enum gmg_wisdom_status status, char *sentence, const char *format,
                                  ...)
{
  va_list values;
  va_start(values, format);
  vsnprintf(sentence, GMG_WISDOM_SENTENCE, format, values);
  va_end(values);
  for (char *c = sentence; *c; c++) /* the parser quotes what it could not read */
    if ((*c > 0 && *c < ' ') || *c == 127)
      *c = '?';
  return status;
}

/* Looks at brackets and commas outside strings, so that the parser recurses and allocates within
 * bounds. Returns NULL, or what is wrong in the line *line. */
static const char *look_over(const char *text, size_t bytes, int *line)
{
  int depth = 0, opened = 0, commas = 0, in_string = 0;
  *line = 1;
  for (size_t n = 0; n < bytes; n++) {
    const char c = text[n];
    *line += c == '\n';
    if (in_string) {
      n += c == '\\';
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    commas += c == ',';
    if (c == '[' || c == '{') {
      opened++;
      depth++;
    }
    depth -= c == ']' || c == '}';
    if (depth > MOST_DEPTH)
      return "brackets are nested too deeply";
    if (opened > MOST_OPENED || commas > MOST_COMMAS)
      return "there are more values than wisdom can have";
  }
  return NULL;
}

/* Copies a string member into an array. Returns 0 if it is none or too long. */
static int take_text(const json_t *object, const char *name, char *to, size_t room)
{
  const json_t *value = json_object_get(object, name);
  const char *text = json_string_value(value);
  if (!text || json_string_length(value) >= room || strlen(text) != json_string_length(value))
    return 0;
  memcpy(to, text, json_string_length(value) + 1);
  return 1;
}

static int take_integer(const json_t *value, int *to)
{
  const json_int_t integer = json_integer_value(value);
  if (!json_is_integer(value) || integer > INT_MAX || integer < INT_MIN)
    return 0;
  *to = (int)integer;
  return 1;
}

static const char *take_choices(const json_t *object, struct gmg_wisdom_entry *entry)
{
  json_t *choices = json_object_get(object, "choice");
  if (!json_is_object(choices) || json_object_size(choices) > GMG_WISDOM_CHOICES)
    return "'choice' must be an object with at most 16 members";
  const char *name;
  json_t *value;
  json_object_foreach(choices, name, value)
  {
    struct gmg_wisdom_choice *choice = &entry->choice[entry->choices++];
    if (strlen(name) >= sizeof choice->name)
      return "a name in 'choice' is too long";
    strcpy(choice->name, name);
    const char *word = json_string_value(value);
    if (word && (json_string_length(value) >= sizeof choice->word || !word[0]))
      return "a word in 'choice' is empty or too long";
    if (word)
      strcpy(choice->word, word);
    else if (!take_integer(value, &choice->number))
      return "a value in 'choice' is neither a word nor an integer of 32 bits";
  }
  return NULL;
}

/* Returns NULL, or what is wrong with the entry. */
static const char *take_entry(const json_t *object, struct gmg_wisdom_entry *entry)
{
  if (!json_is_object(object))
    return "it must be an object";
  if (json_object_size(object) != 11)
    return "it must have the members target, machine, compiler, threads, source, generator, "
           "subject, cells, choice, seconds, default_seconds and no others";
  const struct {
    const char *name;
    char *to;
    size_t room;
  } texts[] = {{"target", entry->key.target, sizeof entry->key.target},
               {"machine", entry->key.machine, sizeof entry->key.machine},
               {"compiler", entry->key.compiler, sizeof entry->key.compiler},
               {"source", entry->source, sizeof entry->source},
               {"generator", entry->generator, sizeof entry->generator},
               {"subject", entry->subject, sizeof entry->subject}};
  for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
    if (!take_text(object, texts[n].name, texts[n].to, texts[n].room))
      return "a string is missing, is too long, or is something else";
  if (!take_integer(json_object_get(object, "threads"), &entry->key.threads))
    return "'threads' must be an integer";
  const json_t *cells = json_object_get(object, "cells");
  int well = json_array_size(cells) == 3;
  for (int d = 0; d < 3 && well; d++)
    well = take_integer(json_array_get(cells, (size_t)d), &entry->cells[d]);
  if (!well)
    return "'cells' must be three integers";
  if (!json_is_number(json_object_get(object, "seconds"))
      || !json_is_number(json_object_get(object, "default_seconds")))
    return "'seconds' and 'default_seconds' must be numbers";
  entry->seconds = json_number_value(json_object_get(object, "seconds"));
  entry->default_seconds = json_number_value(json_object_get(object, "default_seconds"));
  const char *fault = take_choices(object, entry);
  return fault ? fault : gmg_wisdom_entry_fault(entry);
}

/* Looks at what stands around the entries. */
static enum gmg_wisdom_status look_at_head(const char *name, const json_t *root, char *sentence)
{
  const char *format = json_string_value(json_object_get(root, "format"));
  const json_t *version = json_object_get(root, "version");
  if (!format || strcmp(format, "gmg-wisdom") != 0)
    return say(GMG_WISDOM_DAMAGED, sentence, "%s: there is no \"format\": \"gmg-wisdom\"", name);
  if (!json_is_integer(version))
    return say(GMG_WISDOM_DAMAGED, sentence, "%s: 'version' must be an integer", name);
  const json_int_t number = json_integer_value(version);
  if (number < GMG_WISDOM_VERSION)
    return say(GMG_WISDOM_OLDER, sentence, "%s: version %lld of the format is older than %d", name,
               (long long)number, GMG_WISDOM_VERSION);
  if (number > GMG_WISDOM_VERSION)
    return say(GMG_WISDOM_NEWER, sentence, "%s: version %lld of the format is newer than %d", name,
               (long long)number, GMG_WISDOM_VERSION);
  if (!json_is_array(json_object_get(root, "entries")) || json_object_size(root) != 3)
    return say(GMG_WISDOM_DAMAGED, sentence,
               "%s: it must have the members format, version and entries, a list, and no others",
               name);
  return GMG_WISDOM_OK;
}

static enum gmg_wisdom_status take_entries(const char *name, const json_t *entries,
                                           struct gmg_wisdom_list *list, char *sentence)
{
  const size_t count = json_array_size(entries);
  if (count > GMG_WISDOM_ENTRIES)
    return say(GMG_WISDOM_FULL, sentence, "%s: %zu entries are more than %d", name, count,
               GMG_WISDOM_ENTRIES);
  for (size_t n = 0; n < count; n++) {
    struct gmg_wisdom_entry *entry = gmg_wisdom_list_append(list, NULL);
    if (!entry)
      return say(GMG_WISDOM_MEMORY, sentence, "%s: out of memory", name);
    entry->number = (int)n + 1;
    const char *fault = take_entry(json_array_get(entries, n), entry);
    if (fault)
      return say(GMG_WISDOM_DAMAGED, sentence, "%s: entry %zu: %s", name, n + 1, fault);
  }
  int fault[2];
  if (!gmg_wisdom_list_order(list, fault))
    return say(GMG_WISDOM_CONTRADICTORY, sentence,
               "%s: entries %d and %d are of the same machine, subject and cells, and differ", name,
               fault[0], fault[1]);
  return GMG_WISDOM_OK;
}

enum gmg_wisdom_status gmg_wisdom_read_text(const char *name, const char *text, size_t bytes,
                                            struct gmg_wisdom_list *list, char *sentence)
{
  int line;
  if (bytes > GMG_WISDOM_BYTES)
    return say(GMG_WISDOM_DAMAGED, sentence, "%s: it is larger than %d MiB", name,
               GMG_WISDOM_BYTES >> 20);
  const char *fault = look_over(text, bytes, &line);
  if (fault)
    return say(GMG_WISDOM_DAMAGED, sentence, "%s:%d: %s", name, line, fault);
  json_error_t error;
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
  if (!root && json_error_code(&error) == json_error_out_of_memory)
    return say(GMG_WISDOM_MEMORY, sentence, "%s: out of memory", name);
  if (!root)
    return say(GMG_WISDOM_DAMAGED, sentence, "%s:%d: %s", name, error.line, error.text);
  enum gmg_wisdom_status status = look_at_head(name, root, sentence);
  if (status == GMG_WISDOM_OK)
    status = take_entries(name, json_object_get(root, "entries"), list, sentence);
  json_decref(root);
  if (status != GMG_WISDOM_OK)
    gmg_wisdom_list_clear(list);
  return status;
}

static json_t *choices_of(const struct gmg_wisdom_entry *entry)
{
  json_t *choices = json_object();
  for (int n = 0; n < entry->choices && choices; n++) {
    const struct gmg_wisdom_choice *choice = &entry->choice[n];
    json_t *value = choice->word[0] ? json_string(choice->word) : json_integer(choice->number);
    if (json_object_set_new(choices, choice->name, value) != 0) {
      json_decref(choices);
      return NULL;
    }
  }
  return choices;
}

/* Writes the members of an object without the brackets around them. Returns 0 if memory is short.
 * Memory: takes the object. */
static int write_members(FILE *file, const char *before, json_t *object, const char *after)
{
  char *text = object ? json_dumps(object, JSON_REAL_PRECISION(9)) : NULL;
  json_decref(object);
  if (!text)
    return 0;
  text[strlen(text) - 1] = 0;
  fprintf(file, "%s%s%s", before, text + 1, after);
  free(text);
  return 1;
}

/* Three lines: the machine; the kernels; what was chosen and measured. */
static int write_entry(FILE *file, const struct gmg_wisdom_entry *entry, int last)
{
  const struct gmg_wisdom_key *key = &entry->key;
  const int *cells = entry->cells;
  return write_members(file, "  {",
                       json_pack("{s:s, s:s, s:s, s:i}", "target", key->target, "machine",
                                 key->machine, "compiler", key->compiler, "threads", key->threads),
                       ",\n")
    && write_members(file, "   ",
                     json_pack("{s:s, s:s, s:s, s:[i, i, i]}", "source", entry->source, "generator",
                               entry->generator, "subject", entry->subject, "cells", cells[0],
                               cells[1], cells[2]),
                     ",\n")
    && write_members(file, "   ",
                     json_pack("{s:o, s:f, s:f}", "choice", choices_of(entry), "seconds",
                               entry->seconds, "default_seconds", entry->default_seconds),
                     last ? "}\n" : "},\n");
}

char *gmg_wisdom_write_text(const struct gmg_wisdom_list *list, size_t *bytes)
{
  char *text = NULL;
  FILE *file = open_memstream(&text, bytes);
  if (!file)
    return NULL;
  fprintf(file, "{\"format\": \"gmg-wisdom\", \"version\": %d, \"entries\": [\n",
          GMG_WISDOM_VERSION);
  int well = 1;
  for (int n = 0; n < list->count && well; n++)
    well = write_entry(file, list->entry[n], n == list->count - 1);
  fprintf(file, "]}\n");
  well = !ferror(file) && well;
  if (fclose(file) != 0 || !well) {
    free(text);
    return NULL;
  }
  return text;
}
