#include "planes.h"

#include "arrays.h"
#include "nests.h"

static const char axis[] = "xyz";

/* factor times an element plus a constant; no element if syntax is NULL */
struct form {
  double factor, constant;
  const struct gen_syntax *element;
};

static bool read_form(struct gen_translation *translation, const struct gen_syntax *syntax,
                      struct form *form)
{
  struct form a = {0}, b = {0};
  *form = (struct form){0};
  if (gen_scope_number(&translation->scope, syntax, &form->constant))
    return true;
  if (syntax->kind == GEN_SYNTAX_ELEMENT) {
    form->factor = 1;
    form->element = syntax;
    return true;
  }
  const bool minus = syntax->operation == GEN_SYNTAX_SUBTRACT;
  const double sign = minus ? -1 : 1;
  if (syntax->kind == GEN_SYNTAX_UNARY && syntax->count == 1
      && (minus || syntax->operation == GEN_SYNTAX_ADD)) {
    if (!read_form(translation, syntax->part[0], &a))
      return false;
    *form = (struct form){sign * a.factor, sign * a.constant, a.element};
    return true;
  }
  if (syntax->kind == GEN_SYNTAX_BINARY && syntax->count == 2) {
    if (!read_form(translation, syntax->part[0], &a)
        || !read_form(translation, syntax->part[1], &b))
      return false;
    const bool one = !a.element || !b.element;
    form->element = a.element ? a.element : b.element;
    if (one && (minus || syntax->operation == GEN_SYNTAX_ADD)) {
      form->factor = a.factor + sign * b.factor;
      form->constant = a.constant + sign * b.constant;
      return true;
    }
    if (one && syntax->operation == GEN_SYNTAX_MULTIPLY) {
      form->factor = a.element ? a.factor * b.constant : b.factor * a.constant;
      form->constant = a.constant * b.constant;
      return true;
    }
  }
  return gen_decline(syntax,
                     "is no map of ghosts: these take an element, or a known number minus "
                     "an element");
}

/* How far a plane is from the first cell, and how far before the last one; 0: the cell itself. */
struct depth {
  bool low_known, high_known;
  long long low, high;
};

static struct depth depth_of(const struct gen_data *data, const struct gen_point *point, int d)
{
  const struct gen_integer last = gen_integer_of(1 + data->margin[d]);
  struct gen_integer end = data->extent[d];
  struct depth depth;
  gen_integer_add(&end, -1, &last);
  depth.low_known = gen_integer_known(&point->offset[d], &depth.low);
  depth.low -= data->margin[d];
  depth.high_known = gen_integer_distance(&end, &point->offset[d], &depth.high);
  return depth;
}

/* The wall that a stored plane lies beyond, and its layer. */
static bool find_plane(struct gen_translation *translation, const struct gen_point *point,
                       struct gen_plane *plane)
{
  struct gen_data *data = &translation->array[point->data];
  const struct gen_syntax *syntax = point->syntax;
  plane->d = -1;
  for (int d = 0; d < data->rank; d++) {
    if (point->loop[d] >= 0)
      continue;
    if (plane->d >= 0)
      return gen_decline(syntax,
                         "fills edges or corners: loops that fill ghosts fix one subscript "
                         "and run along all others");
    plane->d = d;
  }
  if (plane->d < 0)
    return gen_decline(syntax, "is no plane of ghosts, as others are that this nest stores");
  const struct depth depth = depth_of(data, point, plane->d);
  plane->data = point->data;
  plane->side = !(depth.low_known && depth.low < 0);
  plane->layer = (int)(plane->side ? -1 - depth.high : -1 - depth.low);
  return (plane->side ? depth.high_known && depth.high < 0 : true)
    || gen_reject(syntax->where,
                  "'%s' lies among the cells, which the loops of line %d visit, and not beyond a "
                  "wall along %c: loops over a plane of cells are not supported yet",
                  syntax->text, translation->sized.line, axis[plane->d]);
}

/* Along the others, the nest must reach all cells, and may reach ghosts. */
static bool check_cover(struct gen_translation *translation, const struct gen_nest *nest,
                        const struct gen_point *point, struct gen_plane *plane)
{
  const struct gen_data *data = &translation->array[point->data];
  for (int d = 0; d < data->rank; d++) {
    struct gen_integer last = point->offset[d];
    const struct gen_integer outside = gen_integer_of(1 + data->margin[d]);
    long long missing;
    int offset;
    if (point->loop[d] < 0)
      continue;
    if (!gen_point_offset(translation, nest, point, d, &offset))
      return false;
    gen_integer_add(&last, 1, &nest->upper[point->loop[d]]);
    gen_integer_add(&last, 1, &outside);
    if (offset > 0 || !gen_integer_distance(&data->extent[d], &last, &missing) || missing > 0)
      return gen_reject(nest->where,
                        "the loop over '%s' does not go along all cells: along %c these are "
                        "elements %d to %s - %d of '%s'",
                        nest->variable[point->loop[d]]->name, axis[d], data->margin[d],
                        gen_integer_text(&data->extent[d]), data->margin[d] + 1, data->name);
    plane->beyond[d] = (int)(offset > missing ? -offset : -missing);
  }
  return true;
}

/* Which cells the ghosts are images of. */
static bool find_rule(struct gen_translation *translation, const struct gen_point *ghost,
                      const struct gen_point *cell, const struct form *form,
                      struct gen_plane *plane)
{
  const struct gen_data *data = &translation->array[ghost->data];
  const struct depth depth = depth_of(data, cell, plane->d);
  const bool near_known = plane->side ? depth.high_known : depth.low_known,
             far_known = plane->side ? depth.low_known : depth.high_known;
  const long long near = plane->side ? depth.high : depth.low,
                  far = plane->side ? depth.low : depth.high;
  struct gen_wall_rule *rule = &plane->rule;
  *rule = (struct gen_wall_rule){
    .kind = GEN_WALL_MIRROR, .factor = form->factor, .constant = form->constant};
  rule->skip = (int)(near - plane->layer);
  if (near_known && (rule->skip == 0 || rule->skip == 1)) {
    if (form->factor == 1 && form->constant == 0)
      rule->text = rule->skip ? "mirror_node" : "mirror";
    else if (form->factor == -1)
      rule->text = rule->skip ? gen_text("%.17g minus mirror_node", form->constant)
                              : gen_text("value %.17g", form->constant / 2);
    return rule->text
      || gen_reject(cell->syntax->where,
                    "ghosts that are %.17g times a cell plus %.17g are not supported yet: they may "
                    "be a cell, or a number minus a cell",
                    form->factor, form->constant);
  }
  if (far_known && far == plane->layer && form->factor == 1 && form->constant == 0) {
    *rule = (struct gen_wall_rule){.kind = GEN_WALL_PERIODIC, .text = "periodic"};
    return true;
  }
  return gen_reject(
    cell->syntax->where,
    "'%s' is no image of the ghosts '%s': expected the cell as far within the wall, "
    "the one after it, or the one at the other end",
    cell->syntax->text, ghost->syntax->text);
}

static bool read_store(struct gen_translation *translation, const struct gen_nest *nest,
                       const struct gen_syntax *syntax, struct gen_plane *plane)
{
  struct gen_point ghost, cell;
  struct form form;
  if (!gen_read_point(translation, nest, syntax->part[0], &ghost)
      || !gen_place_data(translation, &translation->array[ghost.data], syntax->part[0])
      || !find_plane(translation, &ghost, plane) || !check_cover(translation, nest, &ghost, plane)
      || !read_form(translation, syntax->part[1], &form))
    return false;
  plane->where = syntax->where;
  if (!form.element)
    return gen_decline(syntax,
                       "stores a number in ghosts, which is not supported yet: ghosts that "
                       "no loop writes keep what the array holds at first");
  if (!gen_read_point(translation, nest, form.element, &cell))
    return false;
  bool alike = cell.data == ghost.data;
  for (int d = 0; d < translation->array[ghost.data].rank; d++)
    alike = alike && cell.loop[d] == ghost.loop[d]
      && (d == plane->d || gen_integer_equal(&cell.offset[d], &ghost.offset[d]));
  if (!alike)
    return gen_reject(form.element->where,
                      "'%s' is no image of the ghosts '%s': it is another array's, or elsewhere "
                      "along the wall",
                      form.element->text, syntax->part[0]->text);
  return find_rule(translation, &ghost, &cell, &form, plane);
}

static bool read_statement(struct gen_translation *translation, const struct gen_nest *nest,
                           const struct gen_syntax *syntax, struct gen_planes *planes)
{
  if (syntax->kind == GEN_SYNTAX_EMPTY)
    return true;
  if (gen_sets_integers(syntax))
    return true;
  if (syntax->kind == GEN_SYNTAX_BLOCK) {
    for (int s = 0; s < syntax->count; s++)
      if (!read_statement(translation, nest, syntax->part[s], planes))
        return false;
    return true;
  }
  if (syntax->kind != GEN_SYNTAX_ASSIGN || syntax->operation != GEN_SYNTAX_NONE)
    return gen_decline(syntax, "is no assignment to ghosts");
  if (planes->count == GEN_MAX_PLANES)
    return gen_decline(syntax, "is an assignment too many");
  return read_store(translation, nest, syntax, &planes->plane[planes->count++]);
}

bool gen_read_planes(struct gen_translation *translation, const struct gen_nest *nest,
                     struct gen_planes *planes)
{
  gen_enter_nest(translation, nest);
  planes->count = 0;
  return read_statement(translation, nest, nest->body, planes);
}
