#include "transfer.h"

#include "choose.h"
#include "problem/kernels.h"

static const struct gmg_rename into_f[] = {{"coarse", "f"}, {"fine", "r"}, {NULL, NULL}};
static const struct gmg_rename u_to_u[] = {{"coarse", "u"}, {"fine", "u"}, {NULL, NULL}};

/* The sum of a field of the fine level into f of the coarse one. */
static gmg_status bind_restriction(struct gmg_hierarchy *h, int l, const struct gmg_rename *rename,
                                   struct gmg_call **call)
{
  const char *kernel = h->owners ? "restrict_owned" : "restrict_cell";
  return gmg_call_keep(gmg_written_kernel(h->problem, kernel), h->level[l + 1].level,
                       gmg_partner(&h->level[l]), rename, call);
}

/* Residual and restriction as two kernels, the residual handed to the staging level in between
 * where there is one. */
static gmg_status bind_unfused(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  const struct gmg_kernel_descriptor *part =
                                       gmg_level_kernel(h->problem, fine->level, GMG_RESIDUAL_PART),
                                     *residual = part
    ? part
    : gmg_level_kernel(h->problem, fine->level, GMG_RESIDUAL);
  const gmg_status status = gmg_call_keep(residual, fine->level, NULL, NULL, &fine->residual);
  return status ? status : bind_restriction(h, l, into_f, &fine->restriction);
}

static gmg_status bind_moves(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_comm *comm = &h->context->comm;
  const struct gmg_storage *own = fine->level->storage, *staged = fine->staging->storage;
  struct gmg_exchange *down = gmg_exchange_redistribute(comm, own, staged, GMG_CELL),
                      *up = gmg_exchange_redistribute(comm, staged, own, GMG_CELL);
  fine->to_staging_r.exchange = down;
  fine->from_staging_u.exchange = up;
  if (!down || !up)
    return gmg_no_memory(h->context, "(or MPI failed) for the transfers of level %d", l);
  struct gmg_kernel_stat *stat = gmg_exchange_stat(fine->level);
  struct gmg_level_array *u = gmg_level_find(fine->level, GMG_NAME_U),
                         *staged_u = gmg_level_find(fine->staging, GMG_NAME_U);
  fine->to_staging_r = (struct gmg_move){down, stat, gmg_level_find(fine->level, GMG_NAME_R),
                                         gmg_level_find(fine->staging, GMG_NAME_R), NULL};
  fine->to_staging_u = (struct gmg_move){down, stat, u, staged_u, NULL};
  fine->from_staging_u = (struct gmg_move){up, stat, staged_u, u, NULL};
  return GMG_OK;
}

/* Owners: coarse operators are scaled, and so are corrections of the finest level. */
static void correct(const struct gmg_hierarchy *h, const struct gmg_refinement *refinement,
                    struct gmg_cycle_level *level, int l)
{
  const double owned = l == 0 ? h->owned_scale / refinement->scale : 1;
  gmg_call_set(level[l].constant, GMG_SCALAR_S, h->owners ? owned : h->problem->correction);
}

void gmg_transfer_correct(struct gmg_hierarchy *h)
{
  for (int l = 0; l + 1 < h->levels; l++) {
    if (h->level[l].constant)
      correct(h, &h->refinement, h->level, l);
    if (h->other.level && h->other.level[l].constant)
      correct(h, &h->other.refinement, h->other.level, l);
  }
}

gmg_status gmg_transfer_bind(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_level *coarse = h->level[l + 1].level;
  const struct gmg_kernel_descriptor *fused =
    h->owners ? NULL : gmg_operator_kernel(h->problem, GMG_RESIDUAL_RESTRICT);
  gmg_status status = fine->staging || !fused
    ? bind_unfused(h, l)
    : gmg_call_keep(fused, coarse, fine->level, into_f, &fine->restriction);
  const struct gmg_kernel_descriptor *both =
    h->owners ? NULL : gmg_operator_kernel(h->problem, GMG_RESTRICT_NORM);
  if (!status && l == 0 && !fine->staging && both)
    status = gmg_call_keep(both, coarse, fine->level, into_f, &fine->restrict_norm);
  const struct gmg_kernel_descriptor *part = gmg_operator_kernel(h->problem, GMG_NORM_PART);
  if (!status && l == 0 && !fine->restrict_norm && part)
    status = gmg_call_keep(part, fine->level, NULL, NULL, &fine->norm_part);
  struct gmg_level *target = gmg_partner(fine);
  if (!status && !h->owners && h->problem->options.interpolation != GMG_INTERPOLATE_CONSTANT)
    status = gmg_call_keep(gmg_written_kernel(h->problem, "interpolate_linear"), target, coarse,
                           u_to_u, &fine->linear);
  if (!status && h->problem->options.interpolation != GMG_INTERPOLATE_LINEAR)
    status = gmg_call_keep(
      gmg_written_kernel(h->problem, h->owners ? "interpolate_owned" : "interpolate_constant"),
      target, coarse, u_to_u, &fine->constant);
  if (!status && fine->constant)
    correct(h, &h->refinement, h->level, l);
  status = gmg_agree(h->context, status); /* the moves are collective */
  return status || !fine->staging ? status : bind_moves(h, l);
}

void gmg_transfer_choose(struct gmg_hierarchy *h)
{
  if (h->problem->options.interpolation == GMG_INTERPOLATE_AUTO)
    h->interpolation =
      h->owners || gmg_beta_jumps(h) ? GMG_INTERPOLATE_CONSTANT : GMG_INTERPOLATE_LINEAR;
  else
    h->interpolation = h->problem->options.interpolation;
  for (int l = 0; l + 1 < h->levels; l++)
    h->level[l].interpolation =
      h->interpolation == GMG_INTERPOLATE_LINEAR ? h->level[l].linear : h->level[l].constant;
}

void gmg_restrict_residual(struct gmg_hierarchy *h, int l, struct gmg_reducer *norm, int whole)
{
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_call *const calls[] = {fine->residual, fine->restriction, fine->restrict_norm,
                                    fine->norm_part};
  for (size_t n = 0; n < GMG_LENGTH(calls); n++)
    if (calls[n])
      gmg_call_set(calls[n], GMG_SCALAR_ONLY, whole ? 0 : fine->active_colour);
  if (norm && (fine->restrict_norm || fine->norm_part))
    gmg_reduce_begin(norm, fine->restrict_norm ? fine->restrict_norm : fine->norm_part);
  if (norm && fine->restrict_norm)
    return;
  if (fine->residual)
    gmg_call_run(fine->residual);
  gmg_move_run(h->context, &fine->to_staging_r);
  gmg_call_run(fine->restriction);
}

gmg_status gmg_transfer_bind_right_side(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  const struct gmg_rename f_to_f[] = {
    {"coarse", "f"}, {"fine", fine->staging ? "r" : "f"}, {NULL, NULL}};
  if (fine->restrict_f)
    return GMG_OK;
  if (fine->staging) {
    fine->to_staging_f = fine->to_staging_r;
    fine->to_staging_f.from = gmg_level_find(fine->level, GMG_NAME_F);
  }
  return bind_restriction(h, l, f_to_f, &fine->restrict_f);
}

void gmg_restrict_right_side(struct gmg_hierarchy *h, int l)
{
  gmg_move_run(h->context, &h->level[l].to_staging_f);
  gmg_call_run(h->level[l].restrict_f);
}

void gmg_interpolate(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  gmg_move_run(h->context, &fine->to_staging_u);
  gmg_call_run(fine->interpolation);
  gmg_move_run(h->context, &fine->from_staging_u);
}

void gmg_set_zero(struct gmg_hierarchy *h, int l)
{
  gmg_call_run(h->level[l].zero);
}
