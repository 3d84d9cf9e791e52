#include "tune_record.h"

#include <string.h>

#include "common/parallel.h"
#include "config.h"
#include "report/json.h"

enum { DIGITS = 9 };

static json_t *values_of(const gmg_tuning_candidate *candidate)
{
  json_t *values = json_array();
  for (int n = 0; n < candidate->choices; n++)
    json_array_append_new(values, json_integer(candidate->value[n]));
  return values;
}

static void put_candidate(json_t *search, const char *name, const gmg_tuning_candidate *candidate)
{
  json_t *one = json_object();
  put(one, "values", values_of(candidate));
  put_number(one, "seconds", candidate->seconds);
  put(search, name, one);
}

static int is_of(const json_t *search, const char *problem, const char *subject)
{
  return search && strcmp(json_string_value(json_object_get(search, "problem")), problem) == 0
    && strcmp(json_string_value(json_object_get(search, "subject")), subject) == 0;
}

/* Begins another search with the candidate. */
static void begin(struct tune_record *record, const char *problem,
                  const gmg_tuning_candidate *candidate)
{
  json_t *search = json_object(), *names = json_array();
  for (int n = 0; n < candidate->choices; n++)
    json_array_append_new(names, json_string(candidate->name[n]));
  put_text(search, "problem", problem);
  put_text(search, "subject", candidate->subject);
  put(search, "choices", names);
  put_candidate(search, "begin", candidate);
  put(search, "candidates", json_array());
  if (!record->searches)
    record->searches = json_array();
  json_array_append_new(record->searches, search);
  record->running = search;
}

void tune_record_take(struct tune_record *record, const char *problem,
                      const gmg_tuning_candidate *candidate)
{
  if (!is_of(record->running, problem, candidate->subject))
    begin(record, problem, candidate);
  if (candidate->chosen) {
    put_candidate(record->running, "chosen", candidate);
    record->running = NULL;
    return;
  }
  json_t *row = values_of(candidate);
  json_array_append_new(row, json_number(candidate->seconds));
  json_array_append_new(json_object_get(record->running, "candidates"), row);
}

static void write_value(const json_t *value, FILE *stream)
{
  json_dumpf(value, stream, JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)DIGITS));
}

/* A candidate has a line of its own. */
static void write_search(json_t *search, FILE *stream)
{
  const char *name, *separator = "{";
  json_t *value, *row;
  size_t n;
  json_object_foreach(search, name, value)
  {
    fprintf(stream, "%s\"%s\": ", separator, name);
    separator = ",\n  ";
    if (strcmp(name, "candidates") != 0) {
      write_value(value, stream);
      continue;
    }
    json_array_foreach(value, n, row)
    {
      fputs(n ? ",\n    " : "[\n    ", stream);
      write_value(row, stream);
    }
    fputs(n ? "]" : "[]", stream);
  }
  fputs("}", stream);
}

static void write_all(const void *user, FILE *stream)
{
  const struct tune_record *record = user;
  json_t *search;
  size_t n;
  fprintf(stream, "{\"format\": \"gmg-tune\", \"version\": 1, \"gmg\": \"%s\", \"searches\": [",
          GMG_VERSION);
  json_array_foreach(record->searches, n, search)
  {
    fputs(n ? ",\n " : "\n ", stream);
    write_search(search, stream);
  }
  fputs("\n]}\n", stream);
}

int tune_record_write(const struct tune_record *record, const struct output *output,
                      struct failure *failure)
{
  if (parallel_rank() == 0)
    output_text(output, write_all, record, failure);
  return parallel_agree(failure);
}

void tune_record_clear(struct tune_record *record)
{
  json_decref(record->searches);
  *record = (struct tune_record){NULL, NULL};
}
