#include "branches.h"

#include "conditions.h"
#include "kernels.h"
#include "reach.h"

/* Keeps where the statements of a branch are for. Returns false after a rejection. */
static bool enter_branch(struct gen_making *making, const struct gen_expr *where_for,
                         struct gen_location where)
{
  struct gen_held *held = gen_hold(making, "where", NULL, -1, where);
  making->condition = NULL;
  if (!held || !gen_set_held(making, held, where_for, where))
    return false;
  making->condition = gen_held_value(held);
  return true;
}

/* What is set where; see struct gen_held. */
struct sets {
  bool set[GEN_MAX_SCALARS];
};

static void note_sets(const struct gen_making *making, struct sets *sets)
{
  for (int h = 0; h < GEN_MAX_SCALARS; h++)
    sets->set[h] = h < making->count && making->held[h].set;
}

static void take_sets(struct gen_making *making, const struct sets *sets)
{
  for (int h = 0; h < making->count; h++)
    making->held[h].set = sets->set[h];
}

/* After the branches: what both set is set; and elements that one of them stored, which have their
 * old values elsewhere. */
static void join(struct gen_making *making, const struct sets *before, const struct sets branch[2])
{
  for (int h = 0; h < making->count; h++) {
    struct gen_held *held = &making->held[h];
    const bool element = !held->variable && held->data >= 0 && !making->stored_in_all[held->data],
               one = branch[0].set[h] || branch[1].set[h];
    held->set = before->set[h] || (branch[0].set[h] && branch[1].set[h]) || (element && one);
  }
}

/* Whether the statement stores an element of that array, whatever conditions hold. */
static bool stores_always(struct gen_making *making, const struct gen_syntax *syntax, int data)
{
  struct gen_point point;
  int offset[GEN_MOST_SPACE];
  if (syntax->kind == GEN_SYNTAX_IF)
    return syntax->count > 2 && stores_always(making, syntax->part[1], data)
      && stores_always(making, syntax->part[2], data);
  if (syntax->kind == GEN_SYNTAX_ASSIGN)
    return syntax->part[0]->kind == GEN_SYNTAX_ELEMENT
      && gen_read_cell(making->translation, making->nest, syntax->part[0], &point, offset)
      && point.data == data;
  bool always = false;
  for (int p = 0; p < syntax->count && syntax->kind == GEN_SYNTAX_BLOCK; p++)
    always = always || stores_always(making, syntax->part[p], data);
  return always;
}

static bool make_branches(struct gen_making *making, const struct gen_syntax *syntax,
                          const struct gen_expr *choice)
{
  const struct gen_expr *outer = making->condition;
  struct sets before, branch[2];
  note_sets(making, &before);
  branch[1] = before;
  if (!enter_branch(making, choice, syntax->where))
    return false;
  const struct gen_expr *first = making->condition;
  if (!gen_make_statement(making, syntax->part[1]))
    return false;
  note_sets(making, &branch[0]);
  take_sets(making, &before);
  if (syntax->count > 2) {
    const struct gen_expr *other =
      gen_operation(GEN_CHOOSE, first, gen_number(0), outer ? outer : gen_number(1));
    if (!enter_branch(making, other, syntax->where))
      return false;
    if (!gen_make_statement(making, syntax->part[2]))
      return false;
    note_sets(making, &branch[1]);
  }
  join(making, &before, branch);
  making->condition = outer;
  return true;
}

bool gen_make_if(struct gen_making *making, const struct gen_syntax *syntax)
{
  const struct gen_expr *outer = making->condition, *all = outer ? outer : gen_number(1);
  const struct gen_expr *choice = gen_make_choice(making, syntax->part[0], all, gen_number(0));
  if (!choice)
    return false;
  for (int a = 0; a < making->translation->arrays && !outer; a++)
    making->stored_in_all[a] =
      !making->reach[a].read && making->reach[a].written && stores_always(making, syntax, a);
  if (choice == all) /* known to hold */
    return gen_make_statement(making, syntax->part[1]);
  if (choice->kind == GEN_NUMBER)
    return syntax->count < 3 || gen_make_statement(making, syntax->part[2]);
  return make_branches(making, syntax, choice);
}
