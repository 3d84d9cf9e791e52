#include "krylov.h"

#include "bicgstab.h"
#include "choose.h"
#include "openmp/bind.h"
#include "precondition.h"

#include <math.h>

/* A cycle that takes off less than this factor is worth the vector operations of conjugate gradients. */
#define SLOW_FACTOR 0.3
/* The first cycle from zero says little: next to a jump the residual may grow in it, whatever follows. */
enum { FIRST_CYCLES = 2 };
/* From this ratio of β on opposite faces of a cell the method pays from the start: W-cycles alone need half as many more. */
#define STRONG_JUMP 10.0

static int is_bicgstab(const struct gmg_solver *s)
{
  return s->options.krylov == GMG_KRYLOV_BICGSTAB;
}

static int may_run(const struct gmg_solver *s)
{
  return s->options.krylov == GMG_KRYLOV_CG || is_bicgstab(s)
    || (s->options.krylov == GMG_KRYLOV_AUTO && gmg_beta_jumps(s));
}

static gmg_status bind_dots(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  struct gmg_level *finest = s->finest;
  const struct {
    struct gmg_rename rename[3];
    struct gmg_reducer *reducer;
  } list[] = {{{{"x", "u"}, {"y", "krylov_q"}, {NULL, NULL}}, &k->zq},
              {{{"x", "krylov_p"}, {"y", "krylov_q"}, {NULL, NULL}}, &k->pq},
              {{{"x", "krylov_p"}, {"y", "f"}, {NULL, NULL}}, &k->pr}};
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(gmg_written_kernel(s, "dot"), finest, NULL, list[n].rename, &list[n].reducer->sum);
  return status;
}

static gmg_status bind_cg(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[4];
    struct gmg_call **call;
  } list[] = {
    {gmg_written_kernel(s, "copy"), {{"y", "krylov_p"}, {"x", "u"}, {NULL, NULL}}, &k->p_from_z},
    {gmg_operator_kernel(s, GMG_RESIDUAL),
     {{"u", "krylov_x"}, {"f", "krylov_b"}, {"r", "f"}, {NULL, NULL}},
     &k->residual},
    {gmg_operator_kernel(s, GMG_APPLY), {{"u", "krylov_p"}, {"w", "krylov_q"}, {NULL, NULL}}, &k->apply},
    {gmg_written_kernel(s, "xpay"), {{"y", "krylov_p"}, {"x", "u"}, {NULL, NULL}}, &k->p_plus_z},
    {gmg_written_kernel(s, "axpy"), {{"y", "krylov_x"}, {"x", "krylov_p"}, {NULL, NULL}}, &k->x_plus_p},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, s->finest, NULL, list[n].rename, list[n].call);
  return status ? status : bind_dots(s);
}

gmg_status gmg_krylov_bind(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  const int bound = k->x_from_u != NULL;
  k->ready = bound && may_run(s);
  if (bound || !may_run(s))
    return GMG_OK;
  const struct gmg_kernel_descriptor *copy = gmg_written_kernel(s, "copy");
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[3];
    struct gmg_call **call;
  } list[] = {
    {copy, {{"y", "krylov_x"}, {"x", "u"}, {NULL, NULL}}, &k->x_from_u},
    {copy, {{"y", "u"}, {"x", "krylov_x"}, {NULL, NULL}}, &k->u_from_x},
    {copy, {{"y", "krylov_b"}, {"x", "f"}, {NULL, NULL}}, &k->b_from_f},
    {gmg_operator_kernel(s, GMG_RESIDUAL_NORM), {{"u", "krylov_x"}, {"f", "krylov_b"}, {NULL, NULL}}, &k->norm.sum},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, s->finest, NULL, list[n].rename, list[n].call);
  if (!status)
    status = is_bicgstab(s) ? gmg_bicgstab_bind(s) : bind_cg(s);
  k->ready = !status;
  return status;
}

int gmg_krylov_pays(const struct gmg_solver *s, const double *history, int cycles)
{
  if (!s->krylov.ready || s->options.krylov != GMG_KRYLOV_AUTO)
    return 0;
  if (cycles < FIRST_CYCLES)
    return s->jump > STRONG_JUMP;
  return history[cycles] > SLOW_FACTOR * history[cycles - 1];
}

/* x += the multiple of p that leaves the least error in the energy norm. */
static void minimise(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  gmg_call_run(k->apply);
  k->energy = gmg_reduce(&k->pq, NULL);
  const double step = gmg_reduce(&k->pr, NULL) / k->energy;
  k->directions = k->energy > 0 && isfinite(step);
  if (k->energy <= 0)
    return; /* not positive definite: x stays, and the next direction is z */
  gmg_call_set(k->x_plus_p, "s", step);
  gmg_call_run(k->x_plus_p);
}

void gmg_krylov_begin(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  k->on = 1;
  k->breakdown = NULL;
  k->directions = 0;
  struct gmg_reducer *const reducers[] = {&k->norm, &k->zq, &k->pq, &k->pr};
  for (size_t n = 0; n < sizeof reducers / sizeof *reducers; n++)
    gmg_reducer_forget(reducers[n]);
  k->norm.exponent = s->norm.exponent; /* of the same residual */
  k->norm.known = s->norm.known;
  gmg_call_run(k->b_from_f);
  gmg_call_run(k->x_from_u);
  if (is_bicgstab(s))
    gmg_bicgstab_begin(s);
}

void gmg_krylov_step(struct gmg_solver *s, double size)
{
  struct gmg_krylov *k = &s->krylov;
  if (is_bicgstab(s)) {
    gmg_bicgstab_step(s, size);
    return;
  }
  gmg_call_run(k->residual); /* r = b - A x, in f */
  gmg_precondition(s, size); /* A z = r, roughly; z in u */
  if (k->directions) {
    gmg_call_set(k->p_plus_z, "s", -gmg_reduce(&k->zq, NULL) / k->energy);
    gmg_call_run(k->p_plus_z); /* p = z, orthogonal to the last p in the energy product */
  } else {
    gmg_call_run(k->p_from_z);
  }
  minimise(s);
}

void gmg_krylov_end(struct gmg_solver *s)
{
  if (s->krylov.on)
    gmg_call_run(s->krylov.u_from_x);
}
