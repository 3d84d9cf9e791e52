#include "galerkin.h"

#include <math.h>
#include <stdlib.h>

static const char letters[] = "ijk";

/* "m1", "0", "2": a signed number as a part of a name. */
static const char *named(int number)
{
  return number < 0 ? gen_text("m%d", -number) : gen_text("%d", number);
}

static const char *line_name(const struct gen_array *array, int at)
{
  return gen_text("%s_at_%s", array->name, named(at));
}

/* The subscript of the fine cell that is `at` cells after the first one in the coarse cell. */
static const char *fine_subscript(int axis, int at)
{
  const char *table = gen_text("%s_%c[%c]", at > 0 ? "hi" : "lo", letters[axis], letters[axis]);
  const int rest = at > 0 ? at - 1 : at;
  return rest ? gen_text("%s %c %d", table, rest < 0 ? '-' : '+', abs(rest)) : table;
}

static const char *special(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  const struct gen_kernel *kernel = style->data;
  (void)least;
  if (expr->kind == GEN_NUMBER)
    return gen_text("%.17g", expr->number);
  if (expr->kind == GEN_SCALAR)
    return kernel->scalar[expr->scalar].name;
  if (expr->kind != GEN_ACCESS)
    return NULL;
  const struct gen_array *array = &kernel->array[expr->access.array];
  if (array->rank == 1)
    return gen_text("%s[%c]", line_name(array, gen_offset(kernel, &expr->access, array->axis)),
                    letters[array->axis]);
  return gen_text("%s[box][%s][%s][%s]", array->name,
                  fine_subscript(2, gen_offset(kernel, &expr->access, GEN_K)),
                  fine_subscript(1, gen_offset(kernel, &expr->access, GEN_J)),
                  fine_subscript(0, gen_offset(kernel, &expr->access, GEN_I)));
}

static const char *weight_name(const struct gen_galerkin_entry *entry)
{
  return gen_text("weight_%s_%s_%s", named(entry->offset[2]), named(entry->offset[1]),
                  named(entry->offset[0]));
}

/* ---- what a kernel reads ---- */

/* The fields, lines and parameters that weights read; subscripts count from the first fine cell. */
struct reads {
  bool field[GEN_MAX_ARRAYS], second[3]; /* second: it reads beyond the first cell along the axis */
  bool parameter[GEN_MAX_SCALARS];
  struct {
    int array, at;
  } line[GEN_MAX_ARRAYS];
  int lines;
};

static bool note_line(const struct gen_kernel *kernel, struct reads *reads, int array, int at)
{
  for (int n = 0; n < reads->lines; n++)
    if (reads->line[n].array == array && reads->line[n].at == at)
      return true;
  if (reads->lines == GEN_MAX_ARRAYS)
    return gen_reject(kernel->where, "the Galerkin product of '%s' reads more than %d lines",
                      kernel->name, GEN_MAX_ARRAYS);
  reads->line[reads->lines].array = array;
  reads->line[reads->lines++].at = at;
  return true;
}

static bool note(const struct gen_kernel *kernel, const struct gen_expr *expr, struct reads *reads)
{
  for (int n = 0; n < gen_arity(expr); n++)
    if (!note(kernel, expr->argument[n], reads))
      return false;
  if (expr->kind == GEN_SCALAR)
    reads->parameter[expr->scalar] = true;
  if (expr->kind != GEN_ACCESS)
    return true;
  const struct gen_array *array = &kernel->array[expr->access.array];
  if (array->table || array->level != GEN_OWN)
    return gen_reject(kernel->where,
                      "the Galerkin product of '%s' has no form in C: '%s' is no field or line of "
                      "the operator's own level",
                      kernel->name, array->name);
  if (array->rank == 1)
    return note_line(kernel, reads, expr->access.array,
                     gen_offset(kernel, &expr->access, array->axis));
  reads->field[expr->access.array] = true;
  for (int a = 0; a < 3; a++)
    reads->second[a] |= gen_offset(kernel, &expr->access, (enum gen_axis)a) > 0;
  return true;
}

static bool note_entry(const struct gen_galerkin *product, const struct gen_galerkin_entry *entry,
                       struct reads *reads)
{
  for (int n = 0; n < entry->weight->products; n++)
    for (int f = 0; f < entry->weight->product[n].degree; f++)
      if (!note(product->op->source, product->atoms.atom[entry->weight->product[n].atom[f]].value,
                reads))
        return false;
  return true;
}

/* ---- text ---- */

/* An array's parameter: its declaration, and what is known of it. */
static const char *field(const char *type, const char *name, const char *cells, int first,
                         const char *what)
{
  return gen_text("%s %s[%sboxes][%ck + %d][%cj + %d][%ci + %d] %s(%d)", type, name,
                  *cells == 'n' ? "restrict " : "", *cells, 2 * first, *cells, 2 * first, *cells,
                  2 * first, what, first);
}

static const char *declared(const struct gen_array *array)
{
  static const char *const what[] = {"FINE_CELL", "FINE_FACE_I", "FINE_FACE_J", "FINE_FACE_K"};
  return field("const double", array->name, "m", array->first, what[array->place]);
}

static const char *parameters(const struct gen_galerkin *product, int plane,
                              const struct reads *reads)
{
  static const char *const table[3][2] = {{"EVEN_CHILD_I(1)", "ODD_CHILD_I(1)"},
                                          {"TABLE_J(1, 0)", "TABLE_J(1, 0)"},
                                          {"TABLE_K(1, 0)", "TABLE_K(1, 0)"}};
  const struct gen_kernel *kernel = product->op->source;
  const char *list = "int boxes, int nk, int nj, int ni, int mk, int mj, int mi";
  for (int s = 0; s < kernel->scalars; s++)
    if (reads->parameter[s])
      list = gen_listed(list, gen_text("double %s", kernel->scalar[s].name));
  for (int e = 0; e < product->entries; e++)
    if (product->entry[e].offset[2] == plane)
      list = gen_listed(list, field("double", weight_name(&product->entry[e]), "n", 1, "CELL"));
  bool any = false;
  for (int a = 0; a < kernel->arrays; a++)
    if (reads->field[a]) {
      any = true;
      list = gen_listed(list, declared(&kernel->array[a]));
    }
  for (int a = 0; a < 3 && any; a++)
    for (int odd = 0; odd < 2; odd++)
      if (!odd || reads->second[a])
        list = gen_listed(list,
                          gen_text("const int %s_%c[n%c + 2] %s", odd ? "hi" : "lo", letters[a],
                                   letters[a], table[a][odd]));
  for (int n = 0; n < reads->lines; n++) {
    const struct gen_array *line = &kernel->array[reads->line[n].array];
    const char *name = line_name(line, reads->line[n].at);
    list = gen_listed(list,
                      gen_text("const double %s[n%c + 2] LINE_%c(1)", name, letters[line->axis],
                               "IJK"[line->axis]));
  }
  return list;
}

/* The sum of a weight's products; those of one factor stand in parentheses, after it. */
static const char *value(const struct gen_galerkin *product, const struct gen_polynomial *weight)
{
  const struct gen_style style = {special, product->op->source, ""};
  bool *done = gen_allocate((size_t)weight->products + 1);
  const char *sum = "";
  for (int first = 0; first < weight->products; first++) {
    const double factor = fabs(weight->product[first].factor);
    const char *group = "";
    for (int n = first; n < weight->products && !done[first]; n++) {
      const struct gen_product *one = &weight->product[n];
      if (done[n] || fabs(one->factor) != factor)
        continue;
      const char *text = one->degree ? "" : "1";
      for (int f = 0; f < one->degree; f++)
        text = gen_text("%s%s%s", text, f ? " * " : "",
                        gen_words(&style, product->atoms.atom[one->atom[f]].value, 3));
      group = gen_text("%s%s%s", group,
                       *group              ? one->factor < 0 ? " - " : " + "
                         : one->factor < 0 ? "-"
                                           : "",
                       text);
      done[n] = n > first;
    }
    if (*group && factor != 1)
      group = gen_text("%.17g * (%s)", factor, group);
    if (*group)
      sum = *sum ? gen_text("%s + %s", sum, group) : group;
  }
  return sum;
}

static bool emit_plane(const struct gen_galerkin *product, int plane, struct gen_writer *writer)
{
  struct reads *reads = gen_allocate(sizeof *reads);
  for (int e = 0; e < product->entries; e++)
    if (product->entry[e].offset[2] == plane && !note_entry(product, &product->entry[e], reads))
      return false;
  gen_line(writer, "\nGMG_KERNEL\nvoid %s_galerkin_%s(%s)\n{", product->op->source->name,
           named(plane), parameters(product, plane, reads));
  gen_line(writer,
           "for (int box = 0; box < boxes; box++) {\nfor (int k = 1; k <= nk; k++) {\n"
           "for (int j = 1; j <= nj; j++) {\nfor (int i = 1; i <= ni; i++) {");
  for (int e = 0; e < product->entries; e++)
    if (product->entry[e].offset[2] == plane)
      gen_line(writer, "%s[box][k][j][i] = %s;", weight_name(&product->entry[e]),
               value(product, product->entry[e].weight));
  gen_line(writer, "}\n}\n}\n}\n}");
  return true;
}

bool gen_emit_galerkin(const struct gen_galerkin *product, struct gen_writer *writer)
{
  const char *axes = "";
  for (int a = 0; a < 3; a++)
    if (product->merged >> a & 1)
      axes = gen_text("%s%s%c", axes, *axes ? ", " : "", letters[a]);
  gen_line(
    writer,
    "\n/* R A P of %s with %s interpolation; cells merge two by two along %s.\n"
    " * weight_K_J_I weighs the coarse value at that offset (m1: -1). Cells are equally wide,\n"
    " * and none is beside a wall. Written by gmg-gen --galerkin. */",
    product->op->source->name, product->constant ? "constant" : "linear", axes);
  for (int e = 0; e < product->entries; e++) {
    const int plane = product->entry[e].offset[2];
    if ((e == 0 || product->entry[e - 1].offset[2] != plane) && !emit_plane(product, plane, writer))
      return false;
  }
  return true;
}
