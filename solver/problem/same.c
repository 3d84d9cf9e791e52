#include "same.h"

#include "hash.h"
#include "runtime/backend.h"
#include "system/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 160, TEXT = 64, NAME = 40, RANGES = 12 };

/* All that is compared, by name, in an order that the call alone decides. */
struct list {
  int items, wanted; /* the item whose name and text are asked for; -1: none */
  uint64_t hash[MOST_ITEMS];
  char silent[MOST_ITEMS]; /* 1: this rank has no say in it */
  char name[NAME], text[TEXT];
};

/* One item; its name as printf makes it. The text of one that is wanted is left to the caller. */
__attribute__((format(printf, 3, 4))) static void add(struct list *list, uint64_t hash,
                                                      const char *format, ...)
{
  if (list->items == list->wanted) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->name, sizeof list->name, format, arguments);
    va_end(arguments);
  }
  list->silent[list->items] = 0;
  list->hash[list->items++] = hash;
}

/* Whether the item added last is the one that is wanted. */
static int is_wanted(const struct list *list)
{
  return list->wanted == list->items - 1;
}

static void add_numbers(struct list *list, const char *name, const char *of, const double *value,
                        int count)
{
  uint64_t hash = 0;
  for (int n = 0; n < count; n++) {
    const double plain = value[n] + 0.0; /* -0 is 0 */
    hash = gmg_hash(hash, &plain, sizeof plain);
  }
  add(list, hash, "%s%s", name, of);
  for (int n = 0; n < count && is_wanted(list); n++) {
    if (n > 0)
      strncat(list->text, ",", sizeof list->text - strlen(list->text) - 1);
    const size_t used = strlen(list->text);
    gmg_number_text(value[n], list->text + used, sizeof list->text - used);
  }
}

static void add_word(struct list *list, const char *name, const char *of, const char *word)
{
  add(list, gmg_hash(0, word, strlen(word)), "%s%s", name, of);
  if (is_wanted(list))
    snprintf(list->text, sizeof list->text, "%s", word);
}

static void add_integer(struct list *list, const char *name, int value)
{
  const double number = value;
  add_numbers(list, name, "", &number, 1);
}

static void add_side(struct list *list, const char *name, const struct gmg_grid_side *s)
{
  static const char *const kinds[] = {"dirichlet", "neumann", "robin", "periodic"};
  add_word(list, "boundary ", name, kinds[s->kind]);
  add_numbers(list, name, " c0", &s->c0, 1);
  add_numbers(list, name, " c1", &s->c1, 1);
  add_word(list, "kind of value of ", name, s->values ? "one per face" : "one for the side");
  add_numbers(list, name, " value", &s->value, 1);
  add(list, s->mark, "some value of %s", name);
}

static void add_grid(struct list *list, const gmg_grid *grid)
{
  static const char *const axis[3] = {"x", "y", "z"};
  const double cells[3] = {grid->cells[0], grid->cells[1], grid->cells[2]};
  add_numbers(list, "number of cells", "", cells, 3);
  add_numbers(list, "lower corner", "", grid->lower, 3);
  add_numbers(list, "upper corner", "", grid->upper, 3);
  for (int d = 0; d < 3; d++) {
    add_word(list, "spacing in ", axis[d], grid->faces[d] ? "stretched" : "uniform");
    add(list, grid->faces_mark[d], "spacing in %s", axis[d]);
  }
  for (int side = 0; side < 6; side++)
    add_side(list, gmg_side_names[side], &grid->side[side]);
}

static void add_option(struct list *list, const struct gmg_options *options,
                       const struct gmg_option *option)
{
  static const size_t bytes[] = {[GMG_OPTION_CHOICE] = sizeof(int),
                                 [GMG_OPTION_INTEGER] = sizeof(int),
                                 [GMG_OPTION_REAL] = sizeof(double),
                                 [GMG_OPTION_TRIPLE] = sizeof(gmg_option_triple)};
  const char *const field = (const char *)options + option->offset;
  const size_t size = option->type == GMG_OPTION_NAME ? strlen(field) : bytes[option->type];
  add(list, gmg_hash(0, field, size), "%s", option->name);
  if (is_wanted(list))
    gmg_options_text(options, option->name, list->text, sizeof list->text);
}

/* These concern a rank's own device. */
static int may_differ(const char *option)
{
  return strcmp(option, "kernel-cache") == 0 || strcmp(option, "launch") == 0;
}

static void add_settings(struct list *list, const gmg_solver *s)
{
  static const char *const coefficients[GMG_COEFFICIENTS] = {"alpha", "beta", "beta_x", "beta_y",
                                                             "beta_z"};
  static const char *const centrings[] = {"cells", "faces along x", "faces along y",
                                          "faces along z"},
                           *const rules[] = {"arithmetic", "harmonic", "none"};
  static const char *const states[] = {"not set", "kept", "copied", "borrowed"};
  add_integer(list, "number of the solver", s->number);
  add_grid(list, s->problem.grid);
  add_numbers(list, "a", "", &s->problem.a, 1);
  add_numbers(list, "b", "", &s->problem.b, 1);
  add_word(list, "average", "", s->problem.average == GMG_ARITHMETIC ? "arithmetic" : "harmonic");
  add_integer(list, "number of an operator's own fields", s->problem.givens - GMG_COEFFICIENTS);
  for (int c = 0; c < GMG_COEFFICIENTS + GMG_OWN_FIELDS; c++) {
    const struct gmg_given *given = &s->problem.given[c];
    const int own = c >= GMG_COEFFICIENTS;
    if (own) {
      add_word(list, "name of an operator's own field", "", given->name);
      add_word(list, "places of field ", given->name, centrings[given->centring]);
      add_word(list, "coarsening of field ", given->name, rules[given->coarsening]);
    }
    add_word(list, own ? "field " : coefficients[c], own ? given->name : "",
             states[!s->problem.has[c]  ? 0
                      : !given->present ? 1
                      : given->borrowed ? 3
                                        : 2]);
  }
  for (int n = 0; n < gmg_option_count; n++)
    if (!may_differ(gmg_option_table[n].name))
      add_option(list, &s->problem.options, &gmg_option_table[n]);
  add_word(list, "recorder", "",
           s->report.recorder.coefficient || s->report.recorder.solve ? "one" : "none");
}

/* Of a rank without cells arrays may lie anywhere. */
static void add_arrays(struct list *list, gmg_context *context, const struct gmg_same *same)
{
  const int cells = !same->solver || gmg_grid_has_part(same->solver->problem.grid);
  for (int n = 0; n < GMG_SAME_ARRAYS; n++) {
    const double *data = cells && n < same->arrays && same->array[n] ? same->array[n]->data : NULL;
    char of[12];
    snprintf(of, sizeof of, "%d", n + 1);
    add_word(list, "memory of array ", of,
             data && gmg_device_holds(context, data) ? "the GPU's" : "the host's");
    list->silent[list->items - 1] = !data;
  }
}

static void collect(struct list *list, gmg_context *context, const struct gmg_same *same,
                    int wanted)
{
  list->items = 0;
  list->wanted = wanted;
  list->name[0] = list->text[0] = 0;
  if (same->solver)
    add_settings(list, same->solver);
  if (same->grid)
    add_grid(list, same->grid);
  for (int n = 0; n < GMG_SAME_CHOICES; n++) {
    const struct gmg_same_choice *choice = &same->choice[n];
    if (choice->name && choice->word)
      add_word(list, choice->name, "", choice->word[choice->value]);
    else if (choice->name)
      add_integer(list, choice->name, choice->value);
  }
  for (int n = 0; n < GMG_SAME_CHOICES; n++)
    if (same->number[n].name)
      add_numbers(list, same->number[n].name, "", &same->number[n].value, 1);
  if (same->solver)
    add_arrays(list, context, same);
}

/* A word, so that the maximum over ranks of both halves shows whether all are equal; of a silent
 * rank it is below all others. */
static void put_word(uint64_t half[2], uint64_t hash, int silent)
{
  half[0] = silent ? 0 : hash;
  half[1] = silent ? 0 : ~hash;
}

static int differs(const uint64_t half[2])
{
  return half[0] != ~half[1] && (half[0] || half[1]);
}

/* What a rank says of one thing. */
struct told {
  uint64_t hash;
  int32_t silent;
  char text[TEXT];
};

/* Adds to the message. */
__attribute__((format(printf, 2, 3))) static void say(gmg_context *context, const char *format, ...)
{
  const size_t used = strlen(context->message);
  va_list list;
  va_start(list, format);
  vsnprintf(context->message + used, sizeof context->message - used, format, list);
  va_end(list);
}

static int alike(const struct told *a, const struct told *b)
{
  return !a->silent && !b->silent && a->hash == b->hash;
}

/* The ranks that told the same as rank r: "ranks 0, 3 to 5 and 7". */
static void say_ranks(gmg_context *context, const struct told *told, int ranks, int r)
{
  int first[RANGES], last[RANGES], ranges = 0, count = 0;
  for (int q = r; q < ranks; q++) {
    if (!alike(&told[q], &told[r]))
      continue;
    count++;
    if (ranges > 0 && last[ranges - 1] == q - 1)
      last[ranges - 1] = q;
    else if (ranges < RANGES)
      first[ranges] = last[ranges] = q, ranges++;
  }
  say(context, " on rank%s ", count > 1 ? "s" : "");
  for (int n = 0, listed = 0; n < ranges; n++) {
    const int size = last[n] - first[n] + 1;
    listed += size;
    say(context, "%s%d",
        n == 0                                 ? ""
          : n + 1 == ranges && listed == count ? " and "
                                               : ", ",
        first[n]);
    if (size > 1)
      say(context, size == 2 && ranges == 1 ? " and %d" : " to %d", last[n]);
    if (n + 1 == ranges && listed < count)
      say(context, " and %d more", count - listed);
  }
}

/* Adds who told what. */
static gmg_status say_all(gmg_context *context, uint64_t hash, int silent, const char *text)
{
  struct gmg_comm *comm = &context->comm;
  struct told *told = gmg_calloc((size_t)comm->ranks, sizeof *told);
  gmg_status status = told ? GMG_OK : gmg_no_memory(context, "while settings were compared");
  status = gmg_agree(context, status);
  if (!status) {
    told[comm->rank] = (struct told){.hash = hash, .silent = silent};
    snprintf(told[comm->rank].text, sizeof told->text, "%s", text);
    if (gmg_comm_tell(comm, told, sizeof *told))
      status = gmg_fail(context, GMG_ERR_MPI, "MPI failed while settings were compared");
  }
  for (int r = 0, groups = 0; r < comm->ranks && !status; r++) {
    int before = told[r].silent;
    for (int q = 0; q < r; q++)
      before |= alike(&told[q], &told[r]);
    if (before)
      continue;
    const char *unnamed = groups ? "others" : "some";
    say(context, "%s%s", groups++ ? ", " : " ", told[r].text[0] ? told[r].text : unnamed);
    say_ranks(context, told, comm->ranks, r);
  }
  gmg_free(told);
  return status;
}

/* All ranks know that they differ, here they learn in what. */
static gmg_status name_difference(gmg_context *context, const struct gmg_same *same,
                                  struct list *list)
{
  uint64_t half[MOST_ITEMS][2];
  for (int n = 0; n < list->items; n++)
    put_word(half[n], list->hash[n], list->silent[n]);
  if (gmg_comm_max_words(&context->comm, half[0], 2 * list->items))
    return gmg_fail(context, GMG_ERR_MPI, "MPI failed while settings were compared");
  int first = 0, others = 0;
  const int items = list->items;
  while (first < items && !differs(half[first]))
    first++;
  collect(list, context, same, first);
  gmg_fail(context, GMG_ERR_ARGUMENT, "%s: %s differs between ranks:", same->call, list->name);
  const gmg_status status = say_all(context, list->hash[first], list->silent[first], list->text);
  for (int n = first + 1; n < items && !status; n++)
    if (differs(half[n])) {
      collect(list, context, same, n);
      say(context, "%s%s", others++ ? ", " : "; also ", list->name);
    }
  return status ? status : GMG_ERR_ARGUMENT;
}

gmg_status gmg_same(gmg_context *context, gmg_status status, const struct gmg_same *same)
{
  enum { GRAVITY, CALL, FIXED = 3, LOOSE = 5, WORDS = 7 };
  uint64_t word[WORDS], fixed = 0, loose = 0;
  int voiced = 0;
  struct list list;
  if (context->comm.ranks == 1)
    return status;
  collect(&list, context, same, -1);
  for (int n = 0; n < list.items; n++) {
    const int of_array = same->solver && n >= list.items - GMG_SAME_ARRAYS;
    voiced |= of_array && !list.silent[n];
    if (!of_array)
      fixed = gmg_hash(fixed, &list.hash[n], sizeof fixed);
    else
      loose = gmg_hash(loose, &list.hash[n], sizeof loose);
  }
  const uint64_t call = gmg_hash(0, same->call, strlen(same->call));
  word[GRAVITY] = (uint64_t)gmg_gravity(status);
  put_word(&word[CALL], call, 0);
  put_word(&word[FIXED], fixed, 0);
  put_word(&word[LOOSE], loose, !voiced);
  if (gmg_comm_max_words(&context->comm, word, WORDS))
    return gmg_fail(context, GMG_ERR_MPI, "MPI failed while the ranks agreed on a status");
  if (differs(&word[CALL])) {
    gmg_fail(context, GMG_ERR_ARGUMENT, "the ranks make different calls:");
    status = say_all(context, call, 0, same->call);
    return status ? status : GMG_ERR_ARGUMENT;
  }
  if (word[GRAVITY])
    return gmg_agree_on(context, status, (int)word[GRAVITY]);
  return differs(&word[FIXED]) || differs(&word[LOOSE]) ? name_difference(context, same, &list)
                                                        : GMG_OK;
}
