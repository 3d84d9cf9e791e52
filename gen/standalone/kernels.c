#include "kernels.h"

#include "directives/arrays.h"
#include "directives/nests.h"
#include "directives/precision.h"
#include "directives/reach.h"
#include "partials.h"
#include "tiles.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

static bool is_wall(const struct gen_nest_kernel *kernel)
{
  return kernel->event->kind == GEN_EVENT_WALL;
}

static const char *last_name(const struct gen_nest_kernel *kernel, int l)
{
  return gen_free_name(kernel->text, gen_text("last_%s", kernel->nest->variable[l]->name));
}

/* ---- what all kernels have ---- */

void gen_write_head(const struct gen_nest_kernel *kernel, struct gen_writer *writer,
                    const char *comment)
{
  const struct gen_data *array = kernel->translation->array;
  const char *arguments = "", *type = gen_values_name(kernel->translation);
  for (int a = 0; a < kernel->translation->arrays; a++)
    if (kernel->use[a].used)
      arguments = gen_text("%s%s%s *__restrict__ %s, ", arguments,
                           kernel->use[a].stored ? "" : "const ", type, array[a].name);
  for (int p = 0; p < kernel->parameters; p++)
    arguments = gen_text("%s%s %s, ", arguments, type, kernel->parameter[p]->name);
  for (int d = 0; d < kernel->dimensions; d++)
    arguments = gen_text("%s%sint %s", arguments, d ? ", " : "", gen_cells_name(kernel, d));
  for (int l = 0; is_wall(kernel) && l < kernel->nest->loops; l++)
    arguments = gen_text("%s, int %s", arguments, last_name(kernel, l));
  gen_line(writer, "/* %s */", comment);
  gen_line(writer, "__global__ void %s(%s%s)", kernel->name, arguments,
           gen_partial_arguments(kernel));
  gen_line(writer, "{");
}

void gen_write_strides(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  for (int a = 0; a < kernel->translation->arrays; a++) {
    if (!kernel->use[a].used || (gen_shares_strides(kernel, a) && a != kernel->main))
      continue;
    const char *row = gen_stride_name(kernel, "row", a);
    const char *text = gen_text("const long %s = %s", row, gen_extent(kernel, a, 0));
    if (kernel->dimensions > 2)
      text = gen_text("%s, %s = %s * %s", text, gen_stride_name(kernel, "plane", a), row,
                      gen_grouped(gen_extent(kernel, a, 1)));
    gen_line(writer, "%s;", text);
  }
}

void gen_write_indices(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  for (int a = 0; a < kernel->translation->arrays; a++)
    if (kernel->use[a].used && (!gen_shares_strides(kernel, a) || a == kernel->main))
      gen_line(writer, "const long %s = %s;", gen_stride_name(kernel, "at", a),
               gen_cell_index(kernel, a, NULL, 0));
}

const char *gen_element_in_memory(const struct gen_nest_kernel *kernel, int data,
                                  const int offset[GEN_MOST_SPACE])
{
  static const char *const strides[] = {"", "row", "plane"};
  const char *text = gen_stride_name(kernel, "at", data);
  for (int d = kernel->dimensions - 1; d >= 0; d--) {
    const int size = abs(offset[d]);
    const char sign = offset[d] < 0 ? '-' : '+';
    const char *stride = d ? gen_stride_name(kernel, strides[d], data) : "";
    if (size && !d)
      text = gen_text("%s %c %d", text, sign, size);
    else if (size)
      text = size == 1 ? gen_text("%s %c %s", text, sign, stride)
                       : gen_text("%s %c %d * %s", text, sign, size, stride);
  }
  return gen_text("%s[%s]", kernel->translation->array[data].name, text);
}

/* ---- one point a thread ---- */

static const char *cell_element(const struct gen_words_of_nest *words,
                                const struct gen_syntax *syntax)
{
  struct gen_point point;
  int offset[GEN_MOST_SPACE] = {0};
  return gen_read_cell(words->kernel->translation, words->kernel->nest, syntax, &point, offset)
    ? gen_element_in_memory(words->kernel, point.data, offset)
    : NULL;
}

/* An index along one direction: of a loop plus something, or near one end. */
static const char *wall_index(const struct gen_nest_kernel *kernel, const struct gen_point *point,
                              int d)
{
  struct gen_integer offset = point->offset[d];
  long long known;
  const int l = point->loop[d];
  if (l >= 0 && gen_integer_known(&offset, &known))
    return gen_text("%s%s", kernel->nest->variable[l]->name, gen_plus(known));
  if (l < 0 && gen_integer_known(&offset, &known))
    return gen_text("%lld", known);
  if (l < 0 && gen_integer_distance(&offset, &kernel->translation->cells[d], &known))
    return gen_text("%s%s", gen_cells_name(kernel, d), gen_plus(known));
  gen_decline(point->syntax, "has an index of a kind that --standalone does not write");
  return NULL;
}

/* An index times its stride: "row * j". */
static const char *strided(const struct gen_nest_kernel *kernel, int data, int d, const char *index)
{
  const char *stride = gen_stride_name(kernel, d == 1 ? "row" : "plane", data);
  if (!d)
    return index;
  if (strcmp(index, "1") == 0)
    return stride;
  return gen_text("%s * %s", stride, gen_grouped(index));
}

static const char *wall_element(const struct gen_words_of_nest *words,
                                const struct gen_syntax *syntax)
{
  const struct gen_nest_kernel *kernel = words->kernel;
  struct gen_point point;
  const char *text = "";
  if (!gen_read_point(kernel->translation, kernel->nest, syntax, &point))
    return NULL;
  for (int d = 0; d < kernel->dimensions; d++) {
    const char *index = wall_index(kernel, &point, d);
    if (!index)
      return NULL;
    if (strcmp(index, "0") != 0)
      text = gen_text("%s%s%s", text, *text ? " + " : "", strided(kernel, point.data, d, index));
  }
  return gen_text("%s[%s]", kernel->translation->array[point.data].name, *text ? text : "0");
}

/* The loop that threads along x, y or z of a block run over; NULL: there is none. */
static int loop_along(const struct gen_nest_kernel *kernel, int d)
{
  return is_wall(kernel) ? kernel->nest->loops - 1 - d : kernel->loop[d];
}

static int directions(const struct gen_nest_kernel *kernel)
{
  return is_wall(kernel) ? kernel->nest->loops : kernel->dimensions;
}

/* The first point of a thread along a direction. */
static const char *first_point(const struct gen_nest_kernel *kernel, int d)
{
  const int l = loop_along(kernel, d);
  const char *first = kernel->lower[l] ? gen_text("%lld + ", kernel->lower[l]) : "";
  return d == 2 && kernel->depth > 1
    ? gen_text("%sblockIdx.z * %d", first, kernel->depth)
    : gen_text("%sblockIdx.%c * blockDim.%c + threadIdx.%c", first, "xyz"[d], "xyz"[d], "xyz"[d]);
}

/* What a thread does at each of its points along z: a function of z, called by end_points. */
static void begin_points(const struct gen_nest_kernel *kernel, const char *function,
                         struct gen_writer *writer)
{
  gen_line(writer, "const auto %s = [&](int %s) {", function, gen_loop_name(kernel, 2));
}

/* Where a thread has all its points their number is a constant: the compiler then reads what
 * several need once, and ahead. */
static void end_points(const struct gen_nest_kernel *kernel, const char *function,
                       struct gen_writer *writer)
{
  enum { MOST_UNROLLED = 8 };
  const char *z = gen_loop_name(kernel, 2), *first = gen_first_name(kernel, 2),
             *end = gen_free_name(kernel->text, gen_text("end_%s", z)),
             *n = gen_free_name(kernel->text, "n"), *all = gen_loop_end(kernel, 2);
  const int depth = kernel->depth;
  gen_line(writer, "};");
  gen_line(writer, "const int %s = %s;", first, first_point(kernel, 2));
  gen_line(writer, "const int %s = %s + %d < %s ? %s + %d : %s;", end, first, depth, all, first,
           depth, all);
  gen_line(writer,
           "if (%s + %d == %s) {\n"
           "#pragma unroll %d\n"
           "for (int %s = 0; %s < %d; %s++)\n"
           "%s(%s + %s);\n"
           "} else {\n"
           "#pragma unroll 1\n"
           "for (int %s = %s; %s < %s; %s++)\n"
           "%s(%s);\n"
           "}",
           first, depth, end, depth < MOST_UNROLLED ? depth : MOST_UNROLLED, n, n, depth, n,
           function, first, n, z, first, z, end, z, function, z);
}

bool gen_write_plain_kernel(struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  const struct gen_words_of_nest words = {.kernel = kernel,
                                          .element = is_wall(kernel) ? wall_element : cell_element};
  const struct gen_location where = kernel->event->where;
  const bool several = !is_wall(kernel) && kernel->depth > 1;
  const char *outside = "", *point = gen_free_name(kernel->text, "point");
  gen_write_head(kernel, writer,
                 gen_text(is_wall(kernel)        ? "The loops over ghosts of line %d."
                            : several            ? "The loops over cells of line %d; a thread has "
                                                   "several points along z."
                            : kernel->nest->sums ? "The loops over cells of line %d: with sums a "
                                                   "thread has one point, at all levels."
                                                 : "The loops over cells of line %d.",
                          where.line));
  for (int d = 0; d < (several ? 2 : directions(kernel)); d++) {
    const int l = loop_along(kernel, d);
    const char *name = kernel->nest->variable[l]->name;
    gen_line(writer, "const int %s = %s;", name, first_point(kernel, d));
    outside = gen_text("%s%s%s", outside, d ? " || " : "",
                       is_wall(kernel) ? gen_text("%s > %s", name, last_name(kernel, l))
                                       : gen_beyond(kernel, d, name));
  }
  gen_begin_partials(kernel, writer);
  gen_line(writer, kernel->nest->sums ? "if (!(%s)) {" : "if (%s)\nreturn;", outside);
  gen_write_strides(kernel, writer);
  if (several)
    begin_points(kernel, point, writer);
  if (!is_wall(kernel))
    gen_write_indices(kernel, writer);
  const bool fine = gen_write_statements(&words, writer);
  if (several)
    end_points(kernel, point, writer);
  else if (kernel->nest->sums)
    gen_line(writer, "}");
  gen_end_partials(kernel, writer);
  gen_line(writer, "}");
  return fine;
}

/* ---- launches ---- */

/* How many blocks of that size cover a number of points. */
static const char *blocks(const struct gen_integer *points, int size)
{
  struct gen_integer more = *points;
  const struct gen_integer one = gen_integer_of(1);
  long long known;
  if (gen_integer_known(points, &known))
    return gen_text("%lld", (known + size - 1) / size);
  gen_integer_add(&more, size - 1, &one);
  return size == 1 ? gen_integer_text(points)
                   : gen_text("(%s) / %d", gen_integer_text(&more), size);
}

/* The blocks along each direction, with `between` between them; size: of a block. */
static const char *grid_text(const struct gen_nest_kernel *kernel, const int *size,
                             const char *between)
{
  const char *grid = "";
  for (int d = 0; d < directions(kernel); d++) {
    const struct gen_integer points = gen_nest_visits(kernel->nest, loop_along(kernel, d));
    const char *along = blocks(&points, size[d]);
    grid = gen_text("%s%s%s", grid, d ? between : "", *between == ',' ? along : gen_grouped(along));
  }
  return grid;
}

static const char *shape_text(const struct gen_nest_kernel *kernel)
{
  enum { ALONE = 256, SIDE = 16 };
  const bool wall = is_wall(kernel);
  const int count = directions(kernel),
            size[] = {wall ? count == 1 ? ALONE : SIDE : kernel->width,
                      wall ? SIDE : kernel->height, kernel->depth};
  return gen_text("dim3(%s), dim3(%d, %d)", grid_text(kernel, size, ", "), size[0],
                  wall && count == 1 ? 1 : size[1] / (wall ? 1 : kernel->rows));
}

/* What must hold for a launch: CUDA takes none of no threads. "" if it is known to. */
static const char *condition_text(const struct gen_nest_kernel *kernel)
{
  const char *text = "", *count[GEN_MOST_SPACE];
  long long known;
  for (int d = 0; d < directions(kernel); d++) {
    const struct gen_integer points = gen_nest_visits(kernel->nest, loop_along(kernel, d));
    bool said = gen_integer_known(&points, &known) && known > 0;
    count[d] = gen_integer_text(&points);
    for (int e = 0; e < d; e++)
      said = said || strcmp(count[e], count[d]) == 0;
    if (!said)
      text = gen_text("%s%s%s > 0", text, *text ? " && " : "", count[d]);
  }
  return *text ? gen_text("if (%s)\n", text) : "";
}

const char *gen_launch_text(const struct gen_nest_kernel *kernel, const char *const *device)
{
  const char *arguments = "";
  for (int a = 0; a < kernel->translation->arrays; a++)
    if (kernel->use[a].used)
      arguments = gen_text("%s%s, ", arguments, device[a]);
  for (int p = 0; p < kernel->parameters; p++)
    arguments = gen_text("%s%s, ", arguments, kernel->parameter[p]->name);
  for (int d = 0; d < kernel->dimensions; d++)
    arguments = gen_text("%s%s%s", arguments, d ? ", " : "",
                         gen_integer_text(&kernel->translation->cells[d]));
  for (int l = 0; is_wall(kernel) && l < kernel->nest->loops; l++)
    arguments = gen_text("%s, %s", arguments, gen_integer_text(&kernel->nest->upper[l]));
  if (kernel->nest->sums) {
    const int size[] = {kernel->width, kernel->height, kernel->depth};
    return gen_text("%s%s", condition_text(kernel),
                    gen_partial_launch(kernel,
                                       gen_text("(size_t)%s", grid_text(kernel, size, " * ")),
                                       shape_text(kernel), arguments));
  }
  return gen_text("%s%s<<<%s>>>(%s);\n", condition_text(kernel), kernel->name, shape_text(kernel),
                  arguments);
}
