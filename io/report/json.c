#include "json.h"

#include <math.h>

#include "problem/options.h"

void put(json_t *object, const char *name, json_t *value)
{
  json_object_set_new(object, name, value);
}

void put_text(json_t *object, const char *name, const char *text)
{
  put(object, name, json_string(text));
}

void put_whole(json_t *object, const char *name, json_int_t value)
{
  put(object, name, json_integer(value));
}

void put_flag(json_t *object, const char *name, int value)
{
  put(object, name, json_boolean(value));
}

void put_number(json_t *object, const char *name, double value)
{
  put(object, name, json_number(value));
}

json_t *json_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_three(const int *values)
{
  return json_pack("[i, i, i]", values[0], values[1], values[2]);
}

json_t *json_options(const gmg_solver *solver)
{
  json_t *options = json_object();
  for (int n = 0; n < gmg_option_count; n++) {
    const char *value = gmg_solver_option(solver, gmg_option_table[n].name);
    if (value)
      put_text(options, gmg_option_table[n].name, value);
  }
  return options;
}

json_t *json_fallbacks(const gmg_solver *solver)
{
  json_t *fallbacks = json_array();
  const char *sentence;
  for (int n = 0; (sentence = gmg_solver_fallback(solver, n)); n++)
    json_array_append_new(fallbacks, json_string(sentence));
  return fallbacks;
}

struct document {
  json_t *root;
  int digits;
};

static void write_text(const void *user, FILE *stream)
{
  const struct document *document = user;
  json_dumpf(document->root, stream,
             JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)document->digits));
  fputc('\n', stream);
}

void json_write(const struct output *output, json_t *root, int digits, struct failure *failure)
{
  output_text(output, write_text, &(struct document){root, digits}, failure);
  json_decref(root);
}
