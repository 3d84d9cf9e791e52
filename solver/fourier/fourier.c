#include "fourier.h"

#include "dense.h"
#include "lines.h"
#include "suits.h"
#include "problem/kernels.h"
#include "system/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gmg_fourier {
  struct gmg_lines lines;
  struct gmg_pencils pencils;
  struct gmg_dense *dense;         /* where devices do them; NULL: hosts do */
  struct gmg_call *residual, *add; /* r in w; u += w */
  int planned;                     /* the buffers are, and not taken */
  double seconds;
};

static int is_operator(const struct gmg_problem *p, const char *name)
{
  return strcmp(p->op->name, name) == 0;
}

gmg_status gmg_fourier_check(const struct gmg_problem *p)
{
  struct gmg_axis axis[3] = {{.cells = 0}};
  struct gmg_lacking lacking;
  if (!gmg_by_transforms(p))
    return GMG_OK;
  if (!gmg_line_fft_available())
    return gmg_fail(p->grid->context, GMG_ERR_UNSUPPORTED,
                    "method: 'fft' needs KissFFT, which this build was configured without: install "
                    "libkissfft-dev (kissfft/kissfft.hh) and configure anew, or take method "
                    "multigrid");
  int failed = 0, suits = 0;
  for (int d = 0; d < 3 && !failed; d++)
    failed = gmg_grid_axis(p->grid, d, &axis[d]) != 0;
  if (!failed)
    suits = gmg_transforms_suit(p, p->op, axis, &lacking);
  for (int d = 0; d < 3; d++)
    gmg_axis_clear(&axis[d]);
  if (failed)
    return gmg_no_memory(p->grid->context, "for the widths of cells");
  return suits ? GMG_OK
               : gmg_fail(p->grid->context, GMG_ERR_UNSUPPORTED,
                          "method: 'fft' needs %s; found %s: take method multigrid", lacking.needs,
                          lacking.found);
}

static gmg_status bind(gmg_solver *s)
{
  struct gmg_fourier *f = s->fourier;
  const struct gmg_binding list[] = {{&f->residual, "residual", {{"r", "w"}}},
                                     {&f->add, "axpy", {{"y", "u"}, {"x", "w"}}}};
  return gmg_agree(s->context,
                   gmg_bind_all(&s->problem, s->hierarchy.finest, list, GMG_LENGTH(list)));
}

/* What moves values to pencils on hosts, and between them. */
static gmg_status connect(gmg_solver *s)
{
  const int failed =
    gmg_pencils_connect(&s->context->comm, s->hierarchy.finest->storage, &s->fourier->pencils);
  return gmg_agree(s->context,
                   failed ? gmg_no_memory(s->context, "(or MPI failed) for the lines of all ranks")
                          : GMG_OK);
}

gmg_status gmg_fourier_plan(gmg_solver *s)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  if (!gmg_by_transforms(&s->problem))
    return GMG_OK;
  enum gmg_basis_kind kind[3];
  for (int d = 0; d < 3; d++)
    kind[d] = gmg_basis_kind_of(&h->axis[0][d]);
  struct gmg_fourier *f = s->fourier = gmg_calloc(1, sizeof *f);
  int failed =
    !f || gmg_lines_create(kind, h->cells[0], s->context->threads, &s->memory, &f->lines);
  gmg_status status = gmg_agree(
    s->context, failed ? gmg_no_memory(s->context, "for the transforms of lines") : GMG_OK);
  if (!status) {
    failed = gmg_pencils_create(&s->context->comm, h->finest->storage, &f->pencils);
    status = gmg_agree(
      s->context,
      failed ? gmg_no_memory(s->context, "(or MPI failed) for the lines of all ranks") : GMG_OK);
  }
  if (!status)
    status = bind(s);
  if (status)
    return status;
  if (s->placement.device)
    status = gmg_dense_plan(s, &f->lines, &f->pencils, &f->dense);
  else
    status = connect(s);
  f->planned = !f->dense; /* on a device pencils are not needed */
  for (int n = 0; n < GMG_PENCIL_BUFFERS && f->planned; n++)
    s->memory.planned += (int64_t)f->pencils.bytes[n];
  return status;
}

/* Takes the buffers out of the plan. */
static void forget_plan(gmg_solver *s)
{
  for (int n = 0; n < GMG_PENCIL_BUFFERS && s->fourier->planned; n++)
    s->memory.planned -= (int64_t)s->fourier->pencils.bytes[n];
  s->fourier->planned = 0;
}

/* Options that were set, and that only cycles have. */
static void note_unused(gmg_solver *s)
{
  static const char *const names[] = {
    "cycle",  "pre",           "post",          "smoother",   "degree",
    "omega",  "interpolation", "krylov",        "anisotropy", "coarsening",
    "bottom", "bottom-cells",  "bottom-sweeps", "precision"};
  struct gmg_options usual;
  char list[160] = "", given[80], text[80];
  int count = 0;
  gmg_options_default(&usual);
  for (size_t n = 0; n < GMG_LENGTH(names); n++) {
    if (gmg_options_text(&s->problem.options, names[n], given, sizeof given)
        || gmg_options_text(&usual, names[n], text, sizeof text) || strcmp(given, text) == 0
        || strcmp(given, "none") == 0 || strcmp(given, "double") == 0)
      continue;
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", count++ ? ", " : "", names[n]);
  }
  if (count)
    gmg_report_fallback(&s->report,
                        "method fft has no cycles and computes in double: %s %s no effect", list,
                        count == 1 ? "has" : "have");
}

gmg_status gmg_fourier_take(gmg_solver *s)
{
  if (!s->fourier)
    return GMG_OK;
  forget_plan(s);
  note_unused(s);
  if (s->fourier->dense && s->placement.attached)
    return gmg_dense_take(s, &s->fourier->lines, s->fourier->dense);
  gmg_dense_destroy(s, &s->fourier->dense);
  struct gmg_pencils *p = &s->fourier->pencils;
  const gmg_status status = connect(s);
  if (status)
    return status;
  const int failed = gmg_pencils_take(&s->memory, p);
  for (int d = 0; d < 3 && !failed; d++)
    gmg_lines_run(&s->fourier->lines, s->context->team, &p->of[d], GMG_LINES_TOUCH, NULL,
                  p->buffer[p->of[d].buffer]);
  return gmg_agree(s->context,
                   failed ? gmg_no_memory(s->context, "for the lines of transforms") : GMG_OK);
}

gmg_status gmg_fourier_renew(gmg_solver *s)
{
  const int lost = s->fourier && s->fourier->dense && !s->placement.attached;
  return lost ? gmg_fourier_take(s) : GMG_OK;
}

void gmg_fourier_destroy(gmg_solver *s)
{
  if (!s->fourier)
    return;
  forget_plan(s);
  gmg_dense_destroy(s, &s->fourier->dense);
  gmg_pencils_destroy(&s->memory, &s->fourier->pencils);
  gmg_lines_clear(&s->memory, &s->fourier->lines);
  gmg_free(s->fourier);
  s->fourier = NULL;
}

/* A field of the finest level through the transforms to another. */
static void transform(gmg_solver *s, int from, int to)
{
  struct gmg_fourier *f = s->fourier;
  struct gmg_pencils *p = &f->pencils;
  struct gmg_level *finest = s->hierarchy.finest;
  struct gmg_kernel_stat *stat = gmg_exchange_stat(finest);
  const double width[] = {finest->axis[0].width[0], finest->axis[1].width[0],
                          finest->axis[2].width[0]};
  const struct gmg_symbol symbol = gmg_lines_symbol(
    &f->lines, width, s->problem.alpha, s->problem.b, is_operator(&s->problem, "constant27"));
  double *buffer[3];
  for (int d = 0; d < 3; d++)
    buffer[d] = p->buffer[p->of[d].buffer];
  gmg_call_wait(s->context);
  gmg_move_values(s->context, p->in, stat, gmg_level_open(finest, from, GMG_READ)->data, buffer[0]);
  for (int step = 0; step < 5; step++) {
    const int d = step < 3 ? step : 4 - step;
    const double begin = gmg_seconds();
    gmg_lines_run(&f->lines, s->context->team, &p->of[d],
                  d == 2       ? GMG_LINES_SOLVE
                    : step < 2 ? GMG_LINES_FORWARD
                               : GMG_LINES_BACKWARD,
                  &symbol, buffer[d]);
    f->seconds += gmg_seconds() - begin;
    struct gmg_exchange *exchange = step < 2 ? p->forward[d] : d > 0 ? p->backward[d - 1] : NULL;
    if (exchange)
      gmg_move_values(s->context, exchange, stat, buffer[d], buffer[step < 2 ? d + 1 : d - 1]);
  }
  gmg_move_values(s->context, p->out, stat, buffer[0],
                  gmg_level_open(finest, to, GMG_REPLACE)->data);
}

void gmg_fourier_list(const gmg_solver *s, struct gmg_placement *placement)
{
  if (s->fourier && s->fourier->dense)
    gmg_dense_list(s->fourier->dense, placement);
}

void gmg_fourier_solve(gmg_solver *s, int from_zero)
{
  const struct gmg_dense *dense = s->fourier->dense;
  if (!from_zero)
    gmg_call_run(s->fourier->residual);
  if (dense)
    gmg_dense_solve(s, dense, from_zero ? GMG_DENSE_U_OF_F : GMG_DENSE_W_OF_W);
  else if (from_zero)
    transform(s, GMG_NAME_F, GMG_NAME_U);
  else
    transform(s, GMG_NAME_W, GMG_NAME_W);
  if (!from_zero)
    gmg_run_scaled(s->fourier->add, 1);
}

double gmg_fourier_seconds(const gmg_solver *s)
{
  return s->fourier ? s->fourier->seconds : 0;
}
