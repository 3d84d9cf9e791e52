#include "options.h"

#include "system/order.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gmg_option gmg_option_table[] = {
#define OPTION_ROW(name, field, type, initial, allowed, help) \
  {name, GMG_OPTION_##type, offsetof(struct gmg_options, field), initial, allowed, help},
  GMG_OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};
const int gmg_option_count = (int)(sizeof gmg_option_table / sizeof *gmg_option_table);

const struct gmg_withdrawn_option gmg_withdrawn_options[] = {
  {"together", "every rank computes its own cells"},
};
const int gmg_withdrawn_option_count =
  (int)(sizeof gmg_withdrawn_options / sizeof *gmg_withdrawn_options);

const char *gmg_option_withdrawn(const char *name)
{
  for (int n = 0; n < gmg_withdrawn_option_count; n++)
    if (strcmp(gmg_withdrawn_options[n].name, name) == 0)
      return gmg_withdrawn_options[n].why;
  return NULL;
}

void gmg_options_default(struct gmg_options *options)
{
  char message[200];
  memset(options, 0, sizeof *options);
  for (int n = 0; n < gmg_option_count; n++)
    gmg_options_set(options, gmg_option_table[n].name, gmg_option_table[n].initial, message,
                    sizeof message);
}

/* How many letters must be added, taken out or replaced to get from a to b; long words count as
 * far. */
static int edit_distance(const char *a, const char *b)
{
  enum { MOST = 64 };
  const int n = (int)strlen(a), m = (int)strlen(b);
  if (n >= MOST || m >= MOST)
    return MOST;
  int row[MOST + 1];
  for (int j = 0; j <= m; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = gmg_smaller(replaced, 1 + gmg_smaller(row[j], row[j - 1]));
    }
  }
  return row[m];
}

int gmg_nearest_name(const char *name, const char *const *names, int count, size_t step)
{
  int nearest = -1, least = (int)strlen(name) / 2 + 2;
  for (int n = 0; n < count; n++) {
    const char *known = *(const char *const *)((const char *)names + (size_t)n * step);
    const int distance = edit_distance(name, known);
    if (distance < least) {
      least = distance;
      nearest = n;
    }
  }
  return nearest;
}

static const struct gmg_option *find(const char *name)
{
  for (int n = 0; n < gmg_option_count; n++)
    if (strcmp(gmg_option_table[n].name, name) == 0)
      return &gmg_option_table[n];
  return NULL;
}

/* Place of a word in a list separated by |, or -1. */
static int word_place(const char *list, const char *word)
{
  const size_t length = strlen(word);
  for (int place = 0; *list; place++) {
    const size_t end = strcspn(list, "|");
    if (end == length && strncmp(list, word, length) == 0)
      return place;
    list += end + (list[end] == '|');
  }
  return -1;
}

static gmg_status set_choice(const struct gmg_option *option, int *field, const char *value,
                             char *message, size_t size)
{
  const int place = word_place(option->allowed, value);
  if (place >= 0) {
    *field = place;
    return GMG_OK;
  }
  int used = snprintf(message, size, "%s: '%s' is not one of: ", option->name, value);
  for (const char *c = option->allowed; *c && used >= 0 && (size_t)used < size; c++)
    used += *c == '|' ? snprintf(message + used, size - (size_t)used, ", ")
                      : snprintf(message + used, size - (size_t)used, "%c", *c);
  return GMG_ERR_OPTION;
}

static gmg_status set_number(const struct gmg_option *option, double *number, const char *value,
                             char *message, size_t size)
{
  const int may_be_auto = strcmp(option->initial, "auto") == 0;
  if (may_be_auto && strcmp(value, "auto") == 0) {
    *number = GMG_OPTION_AUTO;
    return GMG_OK;
  }
  char *end;
  double least = 0, most = 0;
  sscanf(option->allowed, "%lf %lf", &least, &most);
  const double parsed = strtod(value, &end);
  const int whole = option->type == GMG_OPTION_INTEGER;
  if (end == value || *end || !(parsed >= least && parsed <= most)
      || (whole && parsed != floor(parsed))) {
    snprintf(message, size, "%s: '%s' is not %s from %g to %g%s", option->name, value,
             whole ? "a whole number" : "a number", least, most, may_be_auto ? ", or auto" : "");
    return GMG_ERR_OPTION;
  }
  *number = parsed;
  return GMG_OK;
}

static gmg_status set_triple(const struct gmg_option *option, double triple[3], const char *value,
                             char *message, size_t size)
{
  double least = 0, most = 0, parsed[3] = {GMG_OPTION_AUTO, GMG_OPTION_AUTO, GMG_OPTION_AUTO};
  int used = 0;
  sscanf(option->allowed, "%lf %lf", &least, &most);
  const int is_auto = strcmp(option->initial, "auto") == 0 && strcmp(value, "auto") == 0;
  int good = is_auto
    || (sscanf(value, "%lf,%lf,%lf%n", &parsed[0], &parsed[1], &parsed[2], &used) == 3
        && !value[used]);
  for (int d = 0; d < 3 && !is_auto; d++)
    good = good && parsed[d] >= least && parsed[d] <= most;
  if (!good) {
    snprintf(message, size,
             "%s: '%s' is not three numbers from %g to %g, separated by commas, or auto",
             option->name, value, least, most);
    return GMG_ERR_OPTION;
  }
  memcpy(triple, parsed, sizeof parsed);
  return GMG_OK;
}

static gmg_status set(struct gmg_options *options, const char *name, const char *value,
                      char *message, size_t message_size)
{
  const struct gmg_option *option = find(name);
  if (!option) {
    const int nearest =
      gmg_nearest_name(name, &gmg_option_table[0].name, gmg_option_count, sizeof *gmg_option_table);
    if (nearest < 0)
      snprintf(message, message_size, "there is no option '%s'", name);
    else
      snprintf(message, message_size, "there is no option '%s'; the nearest is '%s'", name,
               gmg_option_table[nearest].name);
    return GMG_ERR_OPTION;
  }
  void *field = (char *)options + option->offset;
  double number = 0;
  gmg_status status;
  switch (option->type) {
  case GMG_OPTION_CHOICE:
    return set_choice(option, field, value, message, message_size);
  case GMG_OPTION_INTEGER:
    status = set_number(option, &number, value, message, message_size);
    if (!status)
      *(int *)field = (int)number;
    return status;
  case GMG_OPTION_REAL:
    return set_number(option, field, value, message, message_size);
  case GMG_OPTION_TRIPLE:
    return set_triple(option, field, value, message, message_size);
  case GMG_OPTION_NAME:
    break;
  }
  if (!*value || strlen(value) >= sizeof(gmg_option_name)) {
    snprintf(message, message_size, "%s: expected a name of 1 to %zu letters", name,
             sizeof(gmg_option_name) - 1);
    return GMG_ERR_OPTION;
  }
  strcpy(field, value);
  return GMG_OK;
}

/* Numbers have a decimal point, whatever the application's locale is. */
static locale_t begin_plain_numbers(locale_t *before)
{
  const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  *before = plain ? uselocale(plain) : (locale_t)0;
  return plain;
}

static void end_plain_numbers(locale_t plain, locale_t before)
{
  if (!plain)
    return;
  uselocale(before);
  freelocale(plain);
}

gmg_status gmg_options_set(struct gmg_options *options, const char *name, const char *value,
                           char *message, size_t message_size)
{
  locale_t before;
  const locale_t plain = begin_plain_numbers(&before);
  const gmg_status status = set(options, name, value, message, message_size);
  end_plain_numbers(plain, before);
  return status;
}

void gmg_number_text(double number, char *text, size_t size)
{
  snprintf(text, size, "%g", number);
  if (strtod(text, NULL) != number)
    snprintf(text, size, "%.17g", number);
}

static int text_of(const struct gmg_options *options, const char *name, char *text, size_t size)
{
  const struct gmg_option *option = find(name);
  if (!option)
    return -1;
  const void *field = (const char *)options + option->offset;
  const int *whole = field, may_be_auto = strcmp(option->initial, "auto") == 0;
  const double *real = field;
  if (option->type == GMG_OPTION_NAME) {
    snprintf(text, size, "%s", (const char *)field);
  } else if (option->type == GMG_OPTION_TRIPLE && real[0] != GMG_OPTION_AUTO) {
    snprintf(text, size, "%g,%g,%g", real[0], real[1], real[2]);
  } else if (option->type == GMG_OPTION_CHOICE) {
    const char *list = option->allowed;
    for (int place = *whole; place > 0; place--)
      list += strcspn(list, "|") + 1;
    snprintf(text, size, "%.*s", (int)strcspn(list, "|"), list);
  } else if (may_be_auto && (option->type == GMG_OPTION_INTEGER ? *whole == 0 : *real == 0)) {
    snprintf(text, size, "auto");
  } else if (option->type == GMG_OPTION_INTEGER) {
    snprintf(text, size, "%d", *whole);
  } else {
    gmg_number_text(*real, text, size);
  }
  return 0;
}

int gmg_options_text(const struct gmg_options *options, const char *name, char *text, size_t size)
{
  locale_t before;
  const locale_t plain = begin_plain_numbers(&before);
  const int result = text_of(options, name, text, size);
  end_plain_numbers(plain, before);
  return result;
}

const char *gmg_solver_option_name(int index)
{
  return index >= 0 && index < gmg_option_count ? gmg_option_table[index].name : NULL;
}

int gmg_options_type(const char *name, enum gmg_option_type *type)
{
  const struct gmg_option *option = find(name);
  if (option)
    *type = option->type;
  return option ? 0 : -1;
}
