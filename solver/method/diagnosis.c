#include "diagnosis.h"

#include "cycle/measure.h"
#include "outcome.h"
#include "runtime/backend.h"
#include "system/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  MANY_CYCLES = 30, /* of a solve that converged */
  FEW_CYCLES = 8,   /* of one that was to end after so many: it says nothing */
};
#define ALIKE 4.0            /* β along the three directions, one to another */
#define LARGE_RATIO 10.0     /* of β on two faces of a cell */
#define NEARLY_SINGULAR 1e-9 /* a constant, as gmg_measured has it */
#define FLOOR_REACHED \
  30.0 /* a residual norm up to this times what rounding allows does not fall further */

/* The first value of this rank's part that is not finite; its index counted over the whole grid. */
static int find_bad(const struct gmg_problem *p, const gmg_array *array, int at[3], double *value)
{
  const int *lower = p->grid->part_lower, *upper = p->grid->part_upper;
  for (at[2] = lower[2]; at[2] < upper[2]; at[2]++)
    for (at[1] = lower[1]; at[1] < upper[1]; at[1]++)
      for (at[0] = lower[0]; at[0] < upper[0]; at[0]++) {
        *value =
          array->data[(at[0] - lower[0]) * array->stride[0] + (at[1] - lower[1]) * array->stride[1]
                      + (at[2] - lower[2]) * array->stride[2]];
        if (!isfinite(*value))
          return 1;
      }
  return 0;
}

/* As find_bad, also where the array lies in the memory of a device: the host looks at a copy, and
 * where it has no room for that finds nothing. */
static int find_bad_anywhere(gmg_solver *s, const gmg_array *array, int at[3], double *value)
{
  const struct gmg_problem *p = &s->problem;
  gmg_array here = *array;
  ptrdiff_t first = 0, last = 0;
  if (!gmg_device_holds(s->context, array->data))
    return find_bad(p, array, at, value);
  for (int d = 0; d < 3; d++) {
    const ptrdiff_t span = (p->grid->part_upper[d] - p->grid->part_lower[d] - 1) * array->stride[d];
    first += span < 0 ? span : 0;
    last += span > 0 ? span : 0;
  }
  double *copy = gmg_malloc((size_t)(last - first + 1) * sizeof *copy);
  if (!copy)
    return 0;
  struct gmg_placement callers = {.context = s->context, .stream = p->stream};
  s->context->backend->copy(&callers, array->data + first, copy,
                            (size_t)(last - first + 1) * sizeof *copy);
  here.data = copy - first;
  const int found = !gmg_device_status(s->context) && find_bad(p, &here, at, value);
  gmg_free(copy);
  return found;
}

/* Says where an array is not finite, on any rank: the first of them. Returns 0 where it is finite.
 */
static int say_bad(gmg_solver *s, const gmg_array *array, const char *what)
{
  struct gmg_comm *comm = &s->context->comm;
  struct {
    int at[3];
    double value;
  } bad = {{0, 0, 0}, 0};
  int first = find_bad_anywhere(s, array, bad.at, &bad.value) ? INT_MAX - comm->rank : 0;
  if (gmg_comm_max_int(comm, &first, 1) || first == 0)
    return 0;
  if (gmg_comm_broadcast(comm, &bad, (int)sizeof bad, INT_MAX - first))
    return 0;
  gmg_outcome_say(s, ": %s is %g in cell (%d, %d, %d)", what, bad.value, bad.at[0], bad.at[1],
                  bad.at[2]);
  return 1;
}

void gmg_diagnose_input(gmg_solver *s, const gmg_array *f, const gmg_array *u)
{
  if (say_bad(s, f, "the right side") || (u && say_bad(s, u, "the initial guess")))
    return;
  gmg_outcome_say(
    s, ": all values are finite, but the sum of their squares is not; scale the problem down");
}

int gmg_diagnose_wanted(const struct gmg_hierarchy *h, const gmg_result *r)
{
  if (gmg_by_transforms(h->problem)) /* no cycles that could be slow */
    return 0;
  if (h->problem->op->boundary == GMG_GHOST_FORMULAS && h->levels == 1)
    return 0;
  if (r->outcome == GMG_ROUNDING_LIMIT
      || r->outcome == GMG_INTERRUPTED) /* whoever asked for an end waits for it */
    return 0;
  if (r->outcome == GMG_CONVERGED)
    return r->cycles >= MANY_CYCLES;
  return r->outcome != GMG_NOT_FINITE ? r->cycles >= FEW_CYCLES || r->outcome == GMG_DIVERGED
                                      : r->cycles > 0;
}

static void say_singular(gmg_solver *s, const struct gmg_measured *m)
{
  if (!s->problem.singular && m->constant < NEARLY_SINGULAR)
    gmg_outcome_say(
      s,
      "; the problem is nearly singular: a constant in u changes the equations by only %.0e of "
      "their terms; if nothing "
      "is meant to fix it, set a = 0",
      m->constant);
}

/* The tolerance asks for more than rounding of u leaves. */
static void say_floor(gmg_solver *s, const struct gmg_measured *m, double reference, double floor)
{
  gmg_outcome_say(
    s,
    "; rounding u to double alone leaves a residual of about %.1e of the right side's, so the "
    "tolerance is too tight",
    floor / reference);
  if (s->problem.jump > LARGE_RATIO)
    gmg_outcome_say(s, " for a beta that differs by a factor %.0e between neighbours",
                    s->problem.jump);
  gmg_outcome_say(s, ": rtol=%.0e is within reach", 5 * floor / reference);
  say_singular(s, m);
}

/* β along the three directions, over what the option says of it. Returns the largest over the
 * least. */
static double direction_ratio(const struct gmg_hierarchy *h, double strength[3])
{
  double least = INFINITY, most = 0;
  for (int d = 0; d < 3; d++) {
    strength[d] = h->problem->mean_beta[d] / h->problem->strength[d];
    if (h->cells[0][d] > 1) {
      least = fmin(least, strength[d]);
      most = fmax(most, strength[d]);
    }
  }
  return most > 0 ? most / least : 1;
}

static void say_anisotropy(gmg_solver *s, const double strength[3])
{
  struct gmg_problem *p = &s->problem;
  int weak = 0;
  double scaled[3], largest = 0;
  for (int d = 0; d < 3; d++) {
    largest = fmax(largest, p->mean_beta[d]);
    if (s->hierarchy.cells[0][d] > 1
        && (strength[d] < strength[weak] || s->hierarchy.cells[0][weak] == 1))
      weak = d;
  }
  for (int d = 0; d < 3; d++)
    scaled[d] = p->mean_beta[d] / largest;
  gmg_outcome_say(
    s,
    ": the coupling along %c is weak there, as beta is %.2g, %.2g, %.2g on average along x, y, z "
    "while cells are paired as "
    "if it were %.2g, %.2g, %.2g; try anisotropy=%.2g,%.2g,%.2g",
    "xyz"[weak], s -> problem.mean_beta[0], p->mean_beta[1], p->mean_beta[2], p->strength[0],
    p->strength[1], p->strength[2], scaled[0], scaled[1], scaled[2]);
}

/* The first of these that is not on yet, as an option. */
static const char *next_cure(const gmg_solver *s)
{
  const struct gmg_problem *p = &s->problem;
  if (p->options.interpolation == GMG_INTERPOLATE_LINEAR && p->jump > LARGE_RATIO)
    return "interpolation=constant";
  if (p->options.pre + p->options.post < 3)
    return "pre=2 post=2";
  if (s->hierarchy.cycle != GMG_CYCLE_W)
    return "cycle=w";
  if (!s->krylov.on)
    return "krylov=cg";
  if (!s->hierarchy.owners && !s->placement.device && p->jump > LARGE_RATIO
      && strcmp(p->op->name, "variable7") == 0)
    return "coarsening=owners";
  if (p->options.interpolation == GMG_INTERPOLATE_CONSTANT && p->jump <= LARGE_RATIO)
    return "interpolation=linear";
  return p->options.pre + p->options.post < 8 ? "pre=4 post=4" : "more cycles (max-cycles)";
}

/* Why the cycle on the level found is poor. */
static void say_cause(gmg_solver *s, const struct gmg_measured *m)
{
  double strength[3];
  if (m->smoothing > 1.05)
    gmg_outcome_say(
      s,
      ": the smoother amplifies errors, %.2g-fold in a sweep; omega=auto, or smoother=gsrb, "
      "would not",
      m->smoothing);
  else if (m->level == s->hierarchy.levels - 1)
    gmg_outcome_say(s, ": the bottom solver is too weak for its %lld cells; lower bottom-cells",
                    (long long)s->hierarchy.level[m->level].level->cells);
  else if (direction_ratio(&s->hierarchy, strength) > ALIKE)
    say_anisotropy(s, strength);
  else if (s->problem.jump > LARGE_RATIO)
    gmg_outcome_say(
      s,
      ": beta on two faces of a cell differs by up to a factor %.1e, which the average on the "
      "next coarser level smears; "
      "try %s",
      s->problem.jump, next_cure(s));
  else
    gmg_outcome_say(s, ": neither beta nor the smoother explains it; try %s", next_cure(s));
}

static void say_level(gmg_solver *s, const struct gmg_measured *m)
{
  const int *cells = s->hierarchy.cells[m->level];
  const int last = m->level + 1 < s->hierarchy.levels ? m->level + 1 : m->level;
  if (isinf(m->factor[m->level]))
    gmg_outcome_say(s,
                    "; on level %d (%d x %d x %d cells) cycles make residuals grow without bound",
                    m->level, cells[0], cells[1], cells[2]);
  else {
    gmg_outcome_say(s, "; from noise, a cycle on %s%d leaves ",
                    last > 0 ? "levels 0 to " : "level ", last);
    for (int l = 0; l <= last; l++)
      gmg_outcome_say(s, "%s%.2f", l ? ", " : "", m->factor[l]);
    gmg_outcome_say(s, " of a residual, which begins to be poor on level %d (%d x %d x %d cells)",
                    m->level, cells[0], cells[1], cells[2]);
  }
  say_cause(s, m);
}

/* All levels are sound. */
static void say_progress(gmg_solver *s, const gmg_result *r, double tolerance)
{
  const double *history = s->report.residual_history;
  const int window = r->cycles < 5 ? r->cycles : 5;
  const double factor = pow(history[r->cycles] / history[r->cycles - window], 1.0 / window);
  if (r->outcome == GMG_MAX_CYCLES && tolerance > 0 && factor < 0.9)
    gmg_outcome_say(
      s,
      "; all levels contract well, and a cycle leaves %.2f of the residual: about %.0f cycles "
      "more would do "
      "(max-cycles)",
      factor, ceil(log(tolerance / history[r->cycles]) / log(factor)));
  else
    gmg_outcome_say(s, "; every level by itself contracts well (the finest by %.2f)%s",
                    s->hierarchy.measured.factor[0], s->krylov.on ? "; try krylov=none" : "");
}

void gmg_diagnose(gmg_solver *s, const gmg_result *r, double tolerance, double floor)
{
  struct gmg_measured *m = &s->hierarchy.measured;
  if (!m->known)
    gmg_measure(&s->hierarchy, m);
  const int at_floor = r->outcome != GMG_CONVERGED
    && r->relative_residual * r->initial_norm < FLOOR_REACHED * floor && tolerance < floor;
  if (at_floor) {
    say_floor(s, m, r->initial_norm, floor);
  } else {
    if (m->level >= 0)
      say_level(s, m);
    else
      say_progress(s, r, tolerance);
    say_singular(s, m);
  }
}
