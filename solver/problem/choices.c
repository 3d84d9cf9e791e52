#include "choices.h"

#include "runtime/backend.h"
#include "runtime/bind.h"
#include "runtime/tune.h"
#include "runtime/tuned.h"

#include <stdio.h>
#include <string.h>

void gmg_choices_subject(const gmg_solver *s, int l, char subject[GMG_WISDOM_SUBJECT])
{
  static const char *const smoother[] = {[GMG_SMOOTH_GSRB] = "gsrb",
                                         [GMG_SMOOTH_JACOBI] = "jacobi",
                                         [GMG_SMOOTH_CHEBYSHEV] = "chebyshev"};
  const struct gmg_problem *p = &s->problem;
  snprintf(subject, GMG_WISDOM_SUBJECT, "levels %.40s %s %s %s %d %d%s%s", p->op->name,
           s->hierarchy.precision == GMG_F64 ? "double" : "single",
           p->rows == GMG_SPLIT ? "split" : "plain", smoother[p->options.smoother], p->options.pre,
           p->options.post, p->uniform_alpha ? "" : " alpha", l == 0 ? " finest" : "");
}

/* Whether what was gained on one level may be lost on another one: a few percent are, and all where
 * one is in a cache and the other one is not (64^3 in single precision by 0.82 without passes,
 * 100^3 by 1.58). */
static int is_safe(const struct gmg_wisdom_entry *entry, const int cells[3])
{
  static const double gain = 0.1, most = 1.7;
  double ratio = 1;
  for (int d = 0; d < 3; d++)
    ratio *= (double)cells[d] / entry->cells[d];
  const int alike = memcmp(entry->cells, cells, sizeof entry->cells) == 0;
  return alike
    || (entry->seconds <= (1 - gain) * entry->default_seconds && ratio <= most
        && 1 / ratio <= most);
}

void gmg_choices_find(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  char subject[GMG_WISDOM_SUBJECT];
  for (int l = 0; l < h->levels; l++) {
    int cells[3];
    gmg_choices_subject(s, l, subject);
    gmg_tuned_extents(h->layout[l], cells);
    const struct gmg_wisdom_entry *entry =
      gmg_tuned_find(s->context, GMG_TARGET_CPU, subject, cells);
    gmg_tuned_take(entry && is_safe(entry, cells) ? entry : NULL, &h->level[l].choice);
  }
}

int gmg_choices_set(gmg_solver *s, int l, const struct gmg_choice *choice)
{
  struct gmg_level *level = s->hierarchy.level[l].level;
  s->hierarchy.level[l].choice = *choice;
  return gmg_level_choose(level, choice) || (level->twin && gmg_level_choose(level->twin, choice))
    ? -1
    : 0;
}

gmg_status gmg_choices_leave_out(gmg_solver *s, int l)
{
  struct gmg_wisdom_entry entry = {.seconds = 0};
  gmg_choices_subject(s, l, entry.subject);
  gmg_tuned_extents(s->hierarchy.layout[l], entry.cells);
  const struct gmg_wisdom_entry *found =
    gmg_tuned_find(s->context, GMG_TARGET_CPU, entry.subject, entry.cells);
  if (!found)
    return GMG_OK;
  entry.seconds = entry.default_seconds = found->default_seconds;
  return gmg_tuned_add(s->context, GMG_TARGET_CPU, &entry);
}

gmg_status gmg_choices_spoil(gmg_solver *s)
{
  static const struct gmg_choice poor = {.rows = 4,
                                         .planes = 1,
                                         .stages = 3,
                                         .fetch = GMG_FETCH_NEVER,
                                         .threads = 1,
                                         .tile_rows = 4,
                                         .tile_planes = 1,
                                         .passes = GMG_ALONE};
  gmg_status status = GMG_OK;
  struct gmg_placement *p = &s->placement;
  struct gmg_tune spoil = {.spoil = 1};
  if (p->attached && p->backend->tune)
    status = p->backend->tune(p, &spoil);
  for (int l = 0; l < s->hierarchy.levels && !status; l++) {
    struct gmg_wisdom_entry entry = {.seconds = 1, .default_seconds = 1};
    gmg_choices_subject(s, l, entry.subject);
    gmg_tuned_extents(s->hierarchy.layout[l], entry.cells);
    gmg_tuned_put(&entry, &poor);
    status = gmg_tuned_add(s->context, GMG_TARGET_CPU, &entry);
  }
  return status;
}
