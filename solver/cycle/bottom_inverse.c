#include "bottom_inverse.h"

#include "problem/kernels.h"
#include "runtime/line.h"
#include "runtime/pass.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 2, COLUMNS = GMG_INVERSE_COLUMNS, REST = COLUMNS };

/* The first and the last cell along an axis: their indices, and lines that are 1 there. */
static gmg_status add_lines(struct gmg_level *level, int d)
{
  const int cells = level->axis[d].cells, first[LONGEST] = {0, 0},
            last[LONGEST] = {cells - 1, cells - 1};
  double line[2][LONGEST + 1 + 2 * GMG_LINE_PAD] = {{0}};
  line[0][GMG_LINE_PAD] = 1;
  line[1][GMG_LINE_PAD + 1] = cells > 1;
  gmg_status status = gmg_level_table(level, level, "first", d, first, cells);
  if (!status)
    status = gmg_level_table(level, level, "last", d, last, cells);
  if (!status)
    status = gmg_level_line(level, "is_first", d, line[0]);
  return status ? status : gmg_level_line(level, "is_last", d, line[1]);
}

/* Whether the cell of a column is there. */
static int is_there(const struct gmg_level *level, int column)
{
  int there = 1;
  for (int d = 0; d < 3; d++)
    there &= !(column >> d & 1) || level->axis[d].cells > 1;
  return there;
}

/* Names of kernels' fields, and what they are on the level. */
enum { MOST_NAMES = 40 };
struct names {
  int count;
  char from[MOST_NAMES][GMG_NAME_ROOM], to[MOST_NAMES][GMG_NAME_ROOM];
  struct gmg_rename list[MOST_NAMES + 1];
};

static void add_name(struct names *names, const char *from, const char *to)
{
  const int n = names->count++;
  strcpy(names->from[n], from);
  strcpy(names->to[n], to);
  names->list[n] = (struct gmg_rename){names->from[n], names->to[n]};
  names->list[n + 1] = (struct gmg_rename){NULL, NULL};
}

/* Hundreds of names are made in a setup: by hand, as snprintf takes longer than all else here. */
static void number_name(char text[GMG_NAME_ROOM], const char *stem, int digit)
{
  char *end = stpcpy(text, stem);
  end[0] = '_';
  end[1] = (char)('0' + digit);
  end[2] = '\0';
}

static void add_column(struct names *names, const char *from, int n, const char *to, int column)
{
  char text[2][GMG_NAME_ROOM];
  number_name(text[0], from, n);
  number_name(text[1], to, column);
  add_name(names, text[0], text[1]);
}

/* What is computed from unit vectors: they stand where the first step writes. */
static gmg_status bind_products(struct gmg_hierarchy *h, struct gmg_level *level)
{
  struct gmg_inverse *inverse = &h->bottom.inverse;
  struct names units = {.count = 0};
  for (int n = 0; n < COLUMNS; n++)
    add_column(&units, "unit", n, "next", n);
  add_name(&units, "ones", "next_rest");
  gmg_status status = gmg_call_keep(gmg_written_kernel(h->problem, "unit_vectors"), level, NULL,
                                    units.list, &inverse->units);
  for (int n = 0; n <= REST && !status; n++) {
    struct names product = {.count = 0};
    if (n < COLUMNS && !is_there(level, n))
      continue;
    add_name(&product, "u", n < COLUMNS ? units.to[n] : "next_rest");
    add_column(&product, "w", 0, "inverse", n);
    snprintf(product.from[1], GMG_NAME_ROOM, "w");
    if (n == REST)
      snprintf(product.to[1], GMG_NAME_ROOM, "inverse_rest");
    status = gmg_call_keep(gmg_level_kernel(h->problem, level, GMG_APPLY), level, NULL,
                           product.list, &inverse->product[n]);
  }
  return status;
}

/* The step whose pivot is the cell of a column, which comes first among the columns then. Steps
 * write in turn what they read in turn; their number is even. */
static gmg_status bind_step(struct gmg_hierarchy *h, struct gmg_level *level, int column)
{
  static const char *const stems[2] = {"inverse", "next"};
  struct gmg_inverse *inverse = &h->bottom.inverse;
  struct gmg_call **step = &inverse->step[inverse->steps];
  const char *from = stems[inverse->steps % 2], *to = stems[(inverse->steps + 1) % 2];
  struct names names = {.count = 0};
  char text[2][GMG_NAME_ROOM];
  for (int n = 0; n < COLUMNS; n++) {
    add_column(&names, "next", n, to, (column + n) % COLUMNS);
    add_column(&names, "now", n, from, (column + n) % COLUMNS);
    add_column(&names, "row", n, from, (column + n) % COLUMNS);
  }
  snprintf(text[0], sizeof text[0], "%s_rest", from);
  snprintf(text[1], sizeof text[1], "%s_rest", to);
  add_name(&names, "rest", text[0]);
  add_name(&names, "row_rest", text[0]);
  add_name(&names, "next_rest", text[1]);
  for (int d = 0; d < 3; d++) {
    const char *stem = column >> d & 1 ? "last" : "first";
    snprintf(text[0], sizeof text[0], "pivot_%c", "ijk"[d]);
    snprintf(text[1], sizeof text[1], "%s_%c", stem, "ijk"[d]);
    add_name(&names, text[0], text[1]);
    snprintf(text[0], sizeof text[0], "is_pivot_%c", "ijk"[d]);
    snprintf(text[1], sizeof text[1], "is_%s_%c", stem, "ijk"[d]);
    add_name(&names, text[0], text[1]);
  }
  const gmg_status status =
    gmg_call_keep(gmg_written_kernel(h->problem, "eliminate"), level, level, names.list, step);
  if (status)
    return status;
  gmg_call_set(*step, GMG_SCALAR_C1, COLUMNS - 1 - column);
  inverse->steps++;
  return GMG_OK;
}

static void mark_setup(struct gmg_inverse *inverse)
{
  inverse->units->in_setup = 1;
  for (int n = 0; n <= REST; n++)
    if (inverse->product[n])
      inverse->product[n]->in_setup = 1;
  for (int n = 0; n < inverse->steps; n++)
    inverse->step[n]->in_setup = 1;
}

gmg_status gmg_inverse_bind(struct gmg_hierarchy *h, int l)
{
  static const struct gmg_rename from_f[] = {{"right", "f"}, {NULL, NULL}};
  struct gmg_inverse *inverse = &h->bottom.inverse;
  struct gmg_level *level = h->level[l].level;
  gmg_status status = GMG_OK;
  inverse->level = l;
  for (int d = 0; d < 3 && !status; d++)
    status = add_lines(level, d);
  if (!status)
    status = bind_products(h, level);
  for (int n = 0; n < COLUMNS && !status; n++)
    if (is_there(level, n))
      status = bind_step(h, level, n);
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(h->problem, "apply_inverse"), level, level, from_f,
                           &inverse->apply);
  if (!status)
    mark_setup(inverse);
  return status;
}

/* Alone: its cells read one another's across rows, which passes over several calls do not know. */
static void run(struct gmg_call *call)
{
  struct gmg_pass *pass = call->level->context->pass;
  gmg_pass_flush(pass);
  gmg_call_run(call);
  gmg_pass_flush(pass);
}

void gmg_inverse_compute(struct gmg_hierarchy *h)
{
  struct gmg_inverse *inverse = &h->bottom.inverse;
  run(inverse->units);
  for (int n = 0; n <= REST; n++)
    if (inverse->product[n])
      run(inverse->product[n]);
  for (int n = 0; n < inverse->steps; n++) {
    const int dropped = h->problem->singular && n == inverse->steps - 1;
    gmg_call_set(inverse->step[n], GMG_SCALAR_S, !dropped);
    run(inverse->step[n]);
  }
}

void gmg_inverse_apply(struct gmg_hierarchy *h)
{
  run(h->bottom.inverse.apply);
}
