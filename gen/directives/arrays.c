#include "arrays.h"

#include "precision.h"

static const char axis[] = "xyz";

/* ---- extents ---- */

static bool set_strides(struct gen_data *data)
{
  data->stride[0] = gen_integer_of(1);
  for (int d = 1; d < data->rank; d++)
    if (!gen_integer_multiply(&data->stride[d - 1], &data->extent[d - 1], &data->stride[d]))
      return gen_reject(data->where, "the extents of '%s' have too many terms", data->name);
  return true;
}

/* How many subscripts an element has. */
static int subscripts_of(const struct gen_syntax *variable)
{
  return variable->variable.storage.pointers + variable->variable.storage.rank;
}

bool gen_is_pointer(const struct gen_syntax *variable)
{
  return variable->variable.storage.pointers > 0
    || (variable->variable.argument && variable->variable.storage.rank > 0);
}

/* Whether its declaration says all extents. */
static bool says_extents(const struct gen_syntax *variable)
{
  const struct gen_storage *storage = &variable->variable.storage;
  bool known = storage->rank <= GEN_MAX_LENGTHS;
  for (int d = 0; known && d < storage->rank; d++)
    known = storage->length[d] >= 0;
  return !storage->pointers && storage->rank && (known || variable->count == storage->rank);
}

static struct gen_data *find(struct gen_translation *translation, const struct gen_syntax *variable)
{
  for (int a = 0; a < translation->arrays; a++)
    if (translation->array[a].variable == variable)
      return &translation->array[a];
  return NULL;
}

/* Adds an array without extents; NULL after a rejection. */
static struct gen_data *add(struct gen_translation *translation, const struct gen_syntax *variable,
                            struct gen_location where)
{
  const enum gen_type type = variable->variable.storage.type;
  struct gen_data *data = &translation->array[translation->arrays];
  struct gen_program *program = translation->formula.program;
  bool fine = type == GEN_DOUBLE || type == GEN_FLOAT;
  if (!fine)
    gen_reject(where, "'%s' is a '%s'; arrays of nests hold double, or float", variable->name,
               variable->variable.type_text);
  else if (translation->arrays && type != program->type)
    fine =
      gen_reject(where,
                 "'%s' holds %s, and '%s' of line %d %s: all arrays of a program hold the "
                 "same",
                 variable->name, type == GEN_FLOAT ? "float" : "double", translation->array[0].name,
                 translation->array[0].where.line, gen_values_name(translation));
  else if (translation->arrays == GEN_MAX_PROGRAM_ARRAYS)
    fine = gen_reject(where, "more than %d arrays", GEN_MAX_PROGRAM_ARRAYS);
  if (!fine)
    return NULL;
  program->type = type;
  translation->arrays++;
  *data = (struct gen_data){.variable = variable, .name = variable->name, .where = where};
  return data;
}

/* The length of a dimension that a declaration says. */
static bool declared_extent(struct gen_translation *translation, const struct gen_syntax *variable,
                            int d, struct gen_integer *extent)
{
  const struct gen_storage *storage = &variable->variable.storage;
  const long long length = storage->length[storage->rank - 1 - d];
  *extent = gen_integer_of(length);
  return length >= 0 || gen_scope_integer(&translation->scope, variable->part[d], extent);
}

/* An array whose declaration says all: double a[9][9][9]. */
static int add_declared(struct gen_translation *translation, const struct gen_syntax *variable)
{
  struct gen_data *data = add(translation, variable, variable->where);
  if (!data)
    return -1;
  data->rank = variable->variable.storage.rank;
  data->declared = true;
  data->copy = variable->where;
  if (data->rank > GEN_MOST_SPACE) {
    gen_reject(data->where, "'%s' has %d dimensions; programs have 2 or 3", data->name, data->rank);
    return -1;
  }
  for (int d = 0; d < data->rank; d++)
    if (!declared_extent(translation, variable, d, &data->extent[d]))
      return -1;
  return set_strides(data) ? translation->arrays - 1 : -1;
}

int gen_data_of(struct gen_translation *translation, const struct gen_syntax *name)
{
  const struct gen_syntax *variable = gen_variable_of(name);
  if (!variable || !subscripts_of(variable)) {
    gen_decline(name, "is no array of this function or file");
    return -1;
  }
  const struct gen_data *data = find(translation, variable);
  if (data && (data->copied || data->declared))
    return (int)(data - translation->array);
  if (!data && says_extents(variable))
    return add_declared(translation, variable);
  gen_reject(name->where,
             translation->directives->finds_loops
               ? "'%s' is used, but not distributed: '#pragma panda distribute(%s) size(extents)' "
                 "says how large it is"
               : "'%s' is used in a parallel region, but not copied: '#pragma mint copy(%s, "
                 "toDevice, extents)' before the region says how large it is",
             variable->name, variable->name);
  return -1;
}

/* What a further copy, or a declaration, says must be what the first one said. */
static bool agree(const struct gen_data *data, const struct gen_data *other)
{
  for (int d = 0; d < data->rank; d++)
    if (other->rank != data->rank || !gen_integer_equal(&data->extent[d], &other->extent[d]))
      return gen_reject(
        other->copy,
        "'%s' has the extents %s%s%s%s%s here, but %s%s%s%s%s in line %d, fastest "
        "first",
        data->name, gen_integer_text(&other->extent[0]), other->rank > 1 ? ", " : "",
        other->rank > 1 ? gen_integer_text(&other->extent[1]) : "", other->rank > 2 ? ", " : "",
        other->rank > 2 ? gen_integer_text(&other->extent[2]) : "",
        gen_integer_text(&data->extent[0]), data->rank > 1 ? ", " : "",
        data->rank > 1 ? gen_integer_text(&data->extent[1]) : "", data->rank > 2 ? ", " : "",
        data->rank > 2 ? gen_integer_text(&data->extent[2]) : "", data->copy.line);
  return true;
}

/* first: the call's argument that is the first extent */
static bool read_extents(struct gen_translation *translation, const struct gen_syntax *call,
                         int first, struct gen_data *stated)
{
  const int given = call->count - first, subscripts = subscripts_of(stated->variable);
  if (given > GEN_MOST_SPACE)
    return gen_reject(stated->copy, "'%s' is given %d extents; programs have 2 or 3", stated->name,
                      given);
  if (subscripts != given && subscripts != 1)
    return gen_reject(stated->copy,
                      "'%s' is given %d extents, but '%s' has %d subscripts; extents are written "
                      "fastest first",
                      stated->name, given, stated->variable->variable.type_text, subscripts);
  stated->rank = given;
  stated->flat = subscripts == 1 && given > 1;
  for (int d = 0; d < given; d++)
    if (!gen_scope_integer(&translation->scope, call->part[first + d], &stated->extent[d]))
      return false;
  return set_strides(stated);
}

/* Adds an array with the extents that are stated, or compares them with those that are known. */
static bool state_extents(struct gen_translation *translation, const struct gen_syntax *name,
                          const struct gen_data *stated, struct gen_data **data)
{
  if (*data)
    return agree(*data, stated);
  *data = add(translation, stated->variable, name->where);
  if (*data)
    **data = *stated;
  return *data != NULL;
}

/* One array of a call whose extents, if any, begin with the argument `first`. */
static bool copy_array(struct gen_translation *translation, const struct gen_syntax *call,
                       const struct gen_syntax *name, int first,
                       const struct gen_directive *directive)
{
  const struct gen_syntax *variable = gen_variable_of(name);
  if (!variable || !subscripts_of(variable))
    return gen_reject(directive->where, "'%s' is no array of this function or file", name->text);
  struct gen_data *data = find(translation, variable);
  const bool stated = first < call->count;
  struct gen_data now = {
    .variable = variable, .name = variable->name, .where = name->where, .copy = directive->where};
  if (!data && says_extents(variable) && (subscripts_of(variable) > 1 || !stated)) {
    if (add_declared(translation, variable) < 0)
      return false;
    data = find(translation, variable);
  }
  if (!stated && !data)
    return gen_reject(directive->where,
                      "'%s' is a '%s', so that its copy must state its extents: copy(%s, %s, nx, "
                      "ny, nz)",
                      variable->name, variable->variable.type_text, variable->name,
                      directive->to_device ? "toDevice" : "fromDevice");
  if (stated
      && (!read_extents(translation, call, first, &now)
          || !state_extents(translation, name, &now, &data)))
    return false;
  data->copied = data->copied || directive->to_device;
  data->copied_back =
    data->copied_back || !directive->to_device || directive->kind == GEN_DIRECTIVE_ARRAYS;
  return true;
}

bool gen_read_copy(struct gen_translation *translation, const struct gen_syntax *call,
                   const struct gen_directive *directive)
{
  int names = 0;
  while (names < call->count && call->part[names]->kind != GEN_SYNTAX_WHOLE)
    names++;
  for (int n = 0; n < names; n++)
    if (!copy_array(translation, call, call->part[n], names + 1, directive))
      return false;
  return true;
}

/* ---- points ---- */

/* What a loop's variable is multiplied by is one of the strides, or the whole is refused. */
static bool find_direction(const struct gen_data *data, const struct gen_integer *factor,
                           const struct gen_syntax *syntax, const struct gen_syntax *variable,
                           int *direction)
{
  for (int d = 0; d < data->rank; d++)
    if (gen_integer_equal(factor, &data->stride[d])) {
      *direction = d;
      return true;
    }
  return gen_reject(syntax->where,
                    "'%s' does not fit the extents of '%s', stated in line %d: '%s' is multiplied "
                    "by %s, which is none of the strides 1, %s%s%s",
                    syntax->text, data->name, data->copy.line, variable->name,
                    gen_integer_text(factor), gen_integer_text(&data->stride[1]),
                    data->rank > 2 ? ", " : "",
                    data->rank > 2 ? gen_integer_text(&data->stride[2]) : "");
}

/* One subscript, cut into as many as there are extents. */
static bool cut(const struct gen_data *data, const struct gen_nest *nest,
                const struct gen_syntax *syntax, struct gen_integer whole, struct gen_point *point)
{
  for (int l = 0; l < nest->loops; l++) {
    const struct gen_integer factor = gen_integer_take(&whole, nest->variable[l]);
    int d = 0;
    if (!factor.terms)
      continue;
    if (!find_direction(data, &factor, syntax, nest->variable[l], &d))
      return false;
    if (point->loop[d] >= 0)
      return gen_decline(syntax, "has two loops along one direction of the array");
    point->loop[d] = l;
  }
  for (int d = data->rank - 1; d >= 0; d--)
    point->offset[d] = gen_integer_divide(&whole, &data->stride[d]);
  for (int d = 0; d + 1 < data->rank;
       d++) { /* an index before the first one is in the row before */
    const struct gen_integer one = gen_integer_of(1);
    long long index;
    if (point->loop[d] >= 0 || !gen_integer_known(&point->offset[d], &index) || index >= 0)
      continue;
    gen_integer_add(&point->offset[d], 1, &data->extent[d]);
    gen_integer_add(&point->offset[d + 1], -1, &one);
  }
  return !whole.terms
    || gen_reject(syntax->where,
                  "'%s' does not fit the extents of '%s', stated in line %d: %s is "
                  "left over",
                  syntax->text, data->name, data->copy.line, gen_integer_text(&whole));
}

/* One of several subscripts: a loop's variable plus something, or something alone. */
static bool split(const struct gen_data *data, const struct gen_nest *nest,
                  const struct gen_syntax *syntax, int d, struct gen_integer whole,
                  struct gen_point *point)
{
  for (int l = 0; l < nest->loops; l++) {
    const struct gen_integer factor = gen_integer_take(&whole, nest->variable[l]);
    long long by;
    if (!factor.terms)
      continue;
    if (!gen_integer_known(&factor, &by) || by != 1 || point->loop[d] >= 0)
      return gen_reject(syntax->where,
                        "subscript '%s' of '%s' is no loop variable plus or minus something",
                        syntax->text, data->name);
    for (int other = 0; other < data->rank; other++)
      if (point->loop[other] == l)
        return gen_reject(syntax->where, "'%s' runs along two directions of '%s'",
                          nest->variable[l]->name, data->name);
    point->loop[d] = l;
  }
  point->offset[d] = whole;
  return true;
}

/* Whether all indices along a direction are in the array. */
static bool check_inside(const struct gen_data *data, const struct gen_nest *nest,
                         const struct gen_point *point, int d)
{
  struct gen_integer least = point->offset[d], most = point->offset[d], last = data->extent[d];
  const struct gen_integer one = gen_integer_of(1);
  const int l = point->loop[d];
  const char *text = point->syntax->text;
  long long below, above;
  gen_integer_add(&last, -1, &one);
  if (l >= 0) {
    gen_integer_add(&least, 1, &nest->lower[l]);
    gen_integer_add(&most, 1, &nest->upper[l]);
  }
  const bool low = gen_integer_known(&least, &below),
             high = gen_integer_distance(&last, &most, &above);
  const char *runs = l < 0
    ? ""
    : gen_text(", as '%s' goes from %s to %s", nest->variable[l]->name,
               gen_integer_text(&nest->lower[l]), gen_integer_text(&nest->upper[l]));
  if (low && below < 0)
    return gen_reject(point->syntax->where,
                      "'%s' is element %lld along %c of '%s', which has 0 to %s (line %d)%s", text,
                      below, axis[d], data->name, gen_integer_text(&last), data->copy.line, runs);
  if (high && above < 0)
    return gen_reject(point->syntax->where,
                      "'%s' is element %s along %c of '%s', which has 0 to %s (line %d)%s", text,
                      gen_integer_text(&most), axis[d], data->name, gen_integer_text(&last),
                      data->copy.line, runs);
  if ((l >= 0 && low && high) || (l < 0 && (low || high)))
    return true;
  return gen_reject(point->syntax->where,
                    "'%s' is element %s along %c of '%s', which has 0 to %s (line %d): nothing "
                    "shows that it is one of them%s; extents are written fastest first",
                    text, gen_integer_text(low ? &most : &least), axis[d], data->name,
                    gen_integer_text(&last), data->copy.line, runs);
}

bool gen_read_point(struct gen_translation *translation, const struct gen_nest *nest,
                    const struct gen_syntax *syntax, struct gen_point *point)
{
  const struct gen_syntax *index[GEN_MAX_LENGTHS], *inner = syntax;
  int count = 0;
  for (; inner->kind == GEN_SYNTAX_ELEMENT && inner->count == 2 && count < GEN_MAX_LENGTHS;
       inner = inner->part[0])
    index[count++] = inner->part[1];
  *point = (struct gen_point){.syntax = syntax, .loop = {-1, -1, -1}};
  if (inner->kind != GEN_SYNTAX_NAME || !count)
    return gen_decline(syntax, "is no element of an array: write a[z][y][x]");
  point->data = gen_data_of(translation, inner);
  if (point->data < 0)
    return false;
  const struct gen_data *data = &translation->array[point->data];
  if (count != (data->flat ? 1 : data->rank))
    return gen_reject(syntax->where, "'%s' has %d subscripts where '%s' has %d", syntax->text,
                      count, data->name, data->flat ? 1 : data->rank);
  for (int n = 0; n < count; n++) {
    struct gen_integer whole;
    if (!gen_scope_integer(&translation->scope, index[n], &whole))
      return false;
    if (data->flat ? !cut(data, nest, syntax, whole, point)
                   : !split(data, nest, index[n], n, whole, point))
      return false;
  }
  for (int d = 0; d < data->rank; d++)
    if (!check_inside(data, nest, point, d))
      return false;
  return true;
}

bool gen_place_data(struct gen_translation *translation, struct gen_data *data,
                    const struct gen_syntax *what)
{
  if (data->placed)
    return true;
  if (data->rank != translation->dimensions)
    return gen_reject(what->where, "'%s' has %d dimensions where the cells have %d", data->name,
                      data->rank, translation->dimensions);
  for (int d = 0; d < data->rank; d++) {
    long long more;
    if (!gen_integer_distance(&data->extent[d], &translation->cells[d], &more) || more < 0
        || more % 2 || more / 2 > GEN_MAX_GHOSTS)
      return gen_reject(what->where,
                        "'%s' has %s elements along %c (line %d), and the loops of line %d visit %s"
                        " there: expected as many left out before as after them, at most %d",
                        data->name, gen_integer_text(&data->extent[d]), axis[d], data->copy.line,
                        translation->sized.line, gen_integer_text(&translation->cells[d]),
                        GEN_MAX_GHOSTS);
    data->margin[d] = (int)(more / 2);
  }
  data->placed = true;
  return true;
}
