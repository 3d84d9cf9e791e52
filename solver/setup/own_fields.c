#include "own_fields.h"

#include "intake.h"
#include "problem/kernels.h"
#include "runtime/line.h"
#include "system/memory.h"

gmg_status gmg_own_create(gmg_solver *s, struct gmg_level *level, struct gmg_exchange **mirror)
{
  int cells = 0;
  for (int c = GMG_COEFFICIENTS; c < s->problem.givens; c++) {
    cells |= gmg_given_place(&s->problem, c) == GMG_CELL;
    if (!gmg_level_coefficient(level, gmg_name(&s->context->names, s->problem.given[c].name)))
      return gmg_no_memory(s->context, "for field %s of level %d", s->problem.given[c].name,
                           level->index);
  }
  if (cells && mirror && !*mirror && !(*mirror = gmg_own_mirror(s, level)))
    return gmg_no_memory(s->context, "(or MPI failed) for the ghosts of fields of level %d",
                         level->index);
  return GMG_OK;
}

struct gmg_exchange *gmg_own_mirror(gmg_solver *s, struct gmg_level *level)
{
  static const double mirror[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  int periodic[3];
  gmg_axes_periodic(level->axis, periodic);
  if (level->overlap) /* passes visit all ghosts */
    return gmg_exchange_overlap(&s->context->comm, level->storage, periodic, mirror);
  return gmg_exchange_ghosts(&s->context->comm, level->storage, GMG_FULL,
                             gmg_level_exchanged(level), periodic, mirror);
}

gmg_status gmg_own_fill(gmg_solver *s, struct gmg_level *level, struct gmg_exchange *mirror,
                        int name)
{
  void *data = gmg_level_open(level, name, GMG_CHANGE)->data;
  if (!mirror || gmg_exchange_run(mirror, data, data))
    return gmg_no_memory(s->context, "(or MPI failed) for the ghosts of field %s",
                         s->context->names.text[name]);
  return GMG_OK;
}

/* Weights of 0 for the second of two fine values, where a coarse one takes the first. */
static gmg_status add_zeros(struct gmg_level *coarse)
{
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    if (gmg_level_named(coarse, "zero", d))
      continue;
    const size_t length = (size_t)coarse->axis[d].cells + 1 + 2 * GMG_LINE_PAD;
    double *zeros = gmg_calloc(length, sizeof *zeros);
    status = zeros ? gmg_level_line(coarse, "zero", d, zeros)
                   : gmg_no_memory(coarse->context, "for level %d", coarse->index);
    gmg_free(zeros);
  }
  return status;
}

gmg_status gmg_own_bind(gmg_solver *s, int c, struct gmg_level *coarse, struct gmg_level *source,
                        const char *from, struct gmg_call **call)
{
  static const char *const mean[] = {"restrict_cell", "mean_face_i", "mean_face_j", "mean_face_k"},
                           *const harmonic[] = {"harmonic_cell", "harmonic_face_i",
                                                "harmonic_face_j", "harmonic_face_k"},
                           *const shares[] = {"share_low_i",  "share_high_i", "share_low_j",
                                              "share_high_j", "share_low_k",  "share_high_k"},
                           *const first[] = {"low_i",  "zero_i", "low_j",
                                             "zero_j", "low_k",  "zero_k"};
  const struct gmg_given *field = &s->problem.given[c];
  const enum gmg_place place = gmg_given_place(&s->problem, c);
  const char *const *weight = field->coarsening == GMG_COARSEN_NONE ? first : shares;
  const struct gmg_rename rename[] = {
    {"coarse", field->name}, {"fine", from},       {"positive", from},    {"low_i", weight[0]},
    {"high_i", weight[1]},   {"low_j", weight[2]}, {"high_j", weight[3]}, {"low_k", weight[4]},
    {"high_k", weight[5]},   {NULL, NULL}};
  const char *kernel = field->coarsening == GMG_COARSEN_HARMONIC ? harmonic[place] : mean[place];
  gmg_status status = weight == first ? add_zeros(coarse) : GMG_OK;
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(&s->problem, kernel), coarse, source, rename, call);
  return status;
}
