#include "nest.h"

#include "directives/arrays.h"
#include "directives/conditions.h"
#include "directives/nests.h"
#include "directives/reach.h"

#include <stdlib.h>
#include <string.h>

static bool same_place(struct gen_location a, struct gen_location b)
{
  return a.line == b.line && a.column == b.column;
}

static const struct gen_syntax *find_loops(const struct gen_syntax *syntax,
                                           struct gen_location where)
{
  const struct gen_syntax *found = NULL;
  if (syntax->kind == GEN_SYNTAX_FOR && same_place(syntax->where, where))
    return syntax;
  for (int p = 0; p < syntax->count && !found; p++)
    found = find_loops(syntax->part[p], where);
  return found;
}

const struct gen_syntax *gen_loops_of(const struct gen_translation *translation,
                                      const struct gen_event *event)
{
  return find_loops(translation->function->body, event->nest->where);
}

bool gen_is_outer(const struct gen_event *event, const struct gen_syntax *variable)
{
  const struct gen_location nest = event->nest->where, where = variable->where;
  return where.line < nest.line || (where.line == nest.line && where.column < nest.column);
}

bool gen_is_set(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  const bool changes = syntax->kind == GEN_SYNTAX_ASSIGN
    || (syntax->kind == GEN_SYNTAX_UNARY && syntax->operation == GEN_SYNTAX_INCREMENT);
  if (changes && syntax->count && gen_variable_of(syntax->part[0]) == variable)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (gen_is_set(syntax->part[p], variable))
      return true;
  return false;
}

/* ---- what it works on ---- */

static bool add_scalar(const struct gen_syntax *variable, const struct gen_syntax **list,
                       int *count)
{
  for (int n = 0; n < *count; n++)
    if (list[n] == variable)
      return true;
  if (*count == GEN_MAX_NEST_SCALARS)
    return gen_reject(variable->where, "more than %d variables in one nest", GEN_MAX_NEST_SCALARS);
  list[(*count)++] = variable;
  return true;
}

static bool add_element(struct gen_nest_kernel *kernel, const struct gen_syntax *syntax,
                        bool stored)
{
  struct gen_point point;
  int offset[GEN_MOST_SPACE] = {0};
  const bool sum = kernel->event->kind == GEN_EVENT_SUM,
             cells = kernel->event->kind == GEN_EVENT_KERNEL || sum;
  if (cells ? !gen_read_cell(kernel->translation, kernel->nest, syntax, &point, offset)
            : !gen_read_point(kernel->translation, kernel->nest, syntax, &point))
    return false;
  struct gen_use *use = &kernel->use[point.data];
  use->used = true;
  use->stored = use->stored || stored;
  use->references += !stored;
  if ((stored || sum) && kernel->main < 0)
    kernel->main = point.data;
  for (int d = 0; d < GEN_MOST_SPACE; d++) {
    kernel->loop[d] = point.loop[d];
    use->reach[d] = abs(offset[d]) > use->reach[d] ? abs(offset[d]) : use->reach[d];
  }
  use->sideways = use->sideways || offset[0] || offset[1];
  use->corners = use->corners || ((offset[0] || offset[1]) && offset[2]);
  return true;
}

static bool is_summed(const struct gen_nest *nest, const struct gen_syntax *variable)
{
  bool found = false;
  for (int s = 0; s < nest->sums; s++)
    found = found || nest->sum[s].variable == variable;
  return found;
}

/* All that a statement or value of the nest has in it. */
static bool collect(struct gen_nest_kernel *kernel, const struct gen_syntax *syntax)
{
  const struct gen_syntax *variable = gen_variable_of(syntax);
  const bool element =
    syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT;
  if (syntax->integer && syntax->kind >= GEN_SYNTAX_WHOLE && syntax->kind != GEN_SYNTAX_VARIABLE
      && syntax->kind != GEN_SYNTAX_CHOICE && !gen_is_condition(syntax))
    return true;
  if (syntax->kind < GEN_SYNTAX_WHOLE && syntax->kind != GEN_SYNTAX_BLOCK
      && gen_sets_integers(syntax))
    return true;
  if (syntax->kind == GEN_SYNTAX_ELEMENT)
    return add_element(kernel, syntax, false);
  if (variable && is_summed(kernel->nest, variable))
    return true;
  if (variable && variable->variable.type == kernel->translation->formula.program->type
      && gen_is_outer(kernel->event, variable))
    return gen_is_set(kernel->nest->body, variable)
      ? add_scalar(variable, kernel->own_variable, &kernel->privates)
      : add_scalar(variable, kernel->parameter, &kernel->parameters);
  if (element && !add_element(kernel, syntax->part[0], true))
    return false;
  for (int p = element; p < syntax->count; p++)
    if (!collect(kernel, syntax->part[p]))
      return false;
  return syntax->kind != GEN_SYNTAX_VARIABLE || !syntax->variable.initial
    || collect(kernel, syntax->variable.initial);
}

static bool read_lower(struct gen_nest_kernel *kernel)
{
  for (int l = 0; l < kernel->nest->loops; l++)
    if (!gen_integer_known(&kernel->nest->lower[l], &kernel->lower[l]))
      return gen_reject(kernel->nest->where,
                        "the loop over '%s' begins at %s, which is no known number: --standalone "
                        "takes loops that begin at one",
                        kernel->nest->variable[l]->name, gen_integer_text(&kernel->nest->lower[l]));
  return true;
}

/* Points of a block: tile and chunksize of the directive, as far as the level goes. */
static bool read_shape(struct gen_nest_kernel *kernel)
{
  enum { MOST_THREADS = 1024, DEPTH = 32, MOST_ROWS = 4 };
  const struct gen_directive *directive = kernel->event->directive;
  const bool tiled = directive && directive->tile[0];
  kernel->width = tiled ? directive->tile[0] : 16;
  kernel->height = tiled ? directive->tile[1] : 16;
  kernel->depth = kernel->rows = 1;
  if (kernel->nest->sums) /* a thread has one point */
    kernel->level = 0;
  const bool chunked = directive && directive->chunk[2] > 1;
  if (kernel->level != 1 && kernel->dimensions == 3 && !kernel->nest->sums)
    kernel->depth = chunked ? directive->chunk[2] : kernel->level ? DEPTH : 1;
  for (int rows = MOST_ROWS; kernel->level >= 4 && kernel->rows == 1 && rows > 1; rows /= 2)
    if (kernel->height % rows == 0)
      kernel->rows = rows;
  return kernel->width * kernel->height / kernel->rows <= MOST_THREADS
    || gen_reject(directive ? directive->where : kernel->nest->where,
                  "a tile of %d x %d points has %d threads in a block; a GPU has at most %d",
                  kernel->width, kernel->height, kernel->width * kernel->height / kernel->rows,
                  MOST_THREADS);
}

bool gen_read_nest_kernel(struct gen_nest_kernel *kernel)
{
  kernel->main = -1;
  kernel->dimensions = kernel->translation->dimensions;
  gen_enter_nest(kernel->translation, kernel->nest);
  return read_lower(kernel) && collect(kernel, kernel->nest->body) && read_shape(kernel);
}

/* ---- names ---- */

const char *gen_plus(long long n)
{
  if (!n)
    return "";
  return n > 0 ? gen_text(" + %lld", n) : gen_text(" - %lld", -n);
}

const char *gen_loop_name(const struct gen_nest_kernel *kernel, int d)
{
  return kernel->loop[d] < 0 ? "" : kernel->nest->variable[kernel->loop[d]]->name;
}

const char *gen_cells_name(const struct gen_nest_kernel *kernel, int d)
{
  return gen_free_name(kernel->text, gen_text("cells_%c", "xyz"[d]));
}

static bool same_extents(const struct gen_data *a, const struct gen_data *b)
{
  for (int d = 0; d < GEN_MOST_SPACE; d++)
    if (a->margin[d] != b->margin[d])
      return false;
  return true;
}

/* The array that gives its name to the strides that this one has. */
static int owner_of(const struct gen_nest_kernel *kernel, int data)
{
  const struct gen_data *array = kernel->translation->array;
  if (same_extents(&array[data], &array[kernel->main]))
    return kernel->main;
  for (int a = 0; a < data; a++)
    if (kernel->use[a].used && same_extents(&array[a], &array[data]))
      return a;
  return data;
}

bool gen_shares_strides(const struct gen_nest_kernel *kernel, int data)
{
  return owner_of(kernel, data) != data;
}

const char *gen_stride_name(const struct gen_nest_kernel *kernel, const char *name, int data)
{
  const int owner = owner_of(kernel, data);
  return gen_free_name(
    kernel->text,
    owner == kernel->main ? name : gen_text("%s_%s", name, kernel->translation->array[owner].name));
}

const char *gen_coordinate(const struct gen_nest_kernel *kernel, int data, int d, const char *name,
                           int more)
{
  const long long plus =
    kernel->translation->array[data].margin[d] - kernel->lower[kernel->loop[d]] + more;
  return gen_text("%s%s", name, gen_plus(plus));
}

const char *gen_grouped(const char *text)
{
  return strchr(text, ' ') ? gen_text("(%s)", text) : text;
}

const char *gen_cell_index(const struct gen_nest_kernel *kernel, int data, const char *z, int more)
{
  const char *text = "";
  for (int d = 0; d < kernel->dimensions; d++) {
    const bool other = d == 2 && z;
    const char *at =
      gen_coordinate(kernel, data, d, other ? z : gen_loop_name(kernel, d), other ? more : 0);
    text = d ? gen_text("%s + %s * %s", text,
                        gen_stride_name(kernel, d == 1 ? "row" : "plane", data), gen_grouped(at))
             : at;
  }
  return text;
}

const char *gen_extent(const struct gen_nest_kernel *kernel, int data, int d)
{
  return gen_text("%s%s", gen_cells_name(kernel, d),
                  gen_plus(2 * kernel->translation->array[data].margin[d]));
}

const char *gen_within(const struct gen_nest_kernel *kernel, int d, const char *name)
{
  const long long lower = kernel->lower[kernel->loop[d]];
  if (lower == 1)
    return gen_text("%s <= %s", name, gen_cells_name(kernel, d));
  return gen_text("%s < %s", name, gen_loop_end(kernel, d));
}

const char *gen_beyond(const struct gen_nest_kernel *kernel, int d, const char *name)
{
  const long long lower = kernel->lower[kernel->loop[d]];
  if (lower == 1)
    return gen_text("%s > %s", name, gen_cells_name(kernel, d));
  return gen_text("%s >= %s", name, gen_loop_end(kernel, d));
}

const char *gen_loop_end(const struct gen_nest_kernel *kernel, int d)
{
  return gen_text("%s%s", gen_cells_name(kernel, d), gen_plus(kernel->lower[kernel->loop[d]]));
}
