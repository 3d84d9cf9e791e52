/* A look at all values of a coefficient: which are not allowed, and of α how they vary. */
#include "intake.h"

#include "system/memory.h"
#include "there.h"

#include <float.h>
#include <math.h>

enum { SERIAL_VALUES = 32768 }; /* fewer are looked at by one thread */

/* What is allowed of values: above this, or for α, times its factor, not below it. */
static double least_allowed(const struct gmg_problem *p, int which)
{
  const struct gmg_given *given = p->given + which;
  const int any = which >= GMG_COEFFICIENTS && given->coarsening != GMG_COARSEN_HARMONIC;
  return any ? -INFINITY : 0;
}

static int allowed(double scaled, double value, double least, int alpha)
{
  return isfinite(scaled) && (alpha ? scaled >= least : value > least);
}

enum { LANES = 8 };

/* Whether all values of a row without gaps are finite and above `least`; may say no of one that is.
 * By signs, and by products with 0 that only finite numbers leave 0: compilers compute several of
 * those at once, but no comparisons. */
static int all_allowed(const double *row, int count, double least)
{
  double product[LANES] = {0};
  uint64_t above = UINT64_MAX;
  for (int i = 0; i + LANES <= count; i += LANES)
    for (int n = 0; n < LANES; n++) {
      const union {
        double value;
        uint64_t bits;
      } difference = {least - row[i + n]};
      above &= difference.bits;
      product[n] += 0 * row[i + n];
    }
  int good = above >> 63 != 0;
  for (int n = 0; n < LANES; n++)
    good &= product[n] == 0;
  for (int i = count / LANES * LANES; i < count; i++)
    good &= allowed(row[i], row[i], least, 0);
  return good;
}

/* By the host. */
static struct gmg_scan scan_values(const struct gmg_problem *p, int which, double factor)
{
  int extent[3];
  const size_t count = gmg_given_extent(p, which, extent);
  const gmg_array *values = &p->given[which].values;
  const double *data = gmg_given_data(&p->given[which]);
  const int alpha = which == GMG_ALPHA, threads = p->grid->context->threads;
  const double least = least_allowed(p, which);
  const long rows = count ? (long)extent[1] * extent[2] : 0;
  size_t bad = count;
  double most = -DBL_MAX, less = -DBL_MAX;
  const int many = count > SERIAL_VALUES ? threads : 1;
#pragma omp parallel for num_threads(many) reduction(min : bad) reduction(max : most, less)
  for (long r = 0; r < rows; r++) {
    const double *row =
      data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    if (!alpha && values->stride[0] == 1 && all_allowed(row, extent[0], least))
      continue;
    int good = 1;
    for (int i = 0; i < extent[0]; i++) {
      const double value = row[i * values->stride[0]], scaled = factor * value;
      good &= (alpha ? scaled >= least : value > least) & (fabs(scaled) <= DBL_MAX);
      most = scaled > most ? scaled : most;
      less = -scaled > less ? -scaled : less;
    }
    for (int i = 0, found = good; i < extent[0] && !found; i++) {
      const double value = row[i * values->stride[0]];
      const size_t at = (size_t)r * (size_t)extent[0] + (size_t)i;
      found = !allowed(factor * value, value, least, alpha);
      bad = found && at < bad ? at : bad;
    }
  }
  return (struct gmg_scan){bad, most, less};
}

/* By the device, where it has them; what it finds wrong there, the host is to find. */
static gmg_status look(struct gmg_problem *p, int which, double factor, struct gmg_scan *scan)
{
  int extent[3];
  double range[2];
  if (p->given[which].there) {
    gmg_free(p->given[which].copy); /* of an earlier look */
    p->given[which].copy = NULL;
    if (gmg_there_check(p, which, factor, least_allowed(p, which), range)) {
      *scan = (struct gmg_scan){gmg_given_extent(p, which, extent), range[0], range[1]};
      return GMG_OK;
    }
    const gmg_status status = gmg_there_bring(p, which);
    if (status)
      return status;
  }
  *scan = scan_values(p, which, factor);
  return GMG_OK;
}

gmg_status gmg_given_check(struct gmg_problem *p, int which, double factor, struct gmg_scan *scan)
{
  int extent[3];
  const size_t count = gmg_given_extent(p, which, extent);
  gmg_status status = gmg_agree(p->grid->context, look(p, which, factor, scan));
  if (status)
    return status;
  double order = -DBL_MAX, first, value = 0;
  int at[3] = {0, 0, 0};
  if (scan->bad < count) {
    const size_t row = (size_t)extent[0], plane = row * (size_t)extent[1];
    const size_t local[3] = {scan->bad % row, scan->bad % plane / row, scan->bad / plane};
    const double *data = gmg_given_data(&p->given[which]);
    for (int d = 0; d < 3; d++) {
      at[d] = p->grid->part_lower[d] + (int)local[d];
      data += (ptrdiff_t)local[d] * p->given[which].values.stride[d];
    }
    value = *data;
    order =
      -(((double)at[2] * ((double)p->grid->cells[1] + 1) + at[1]) * ((double)p->grid->cells[0] + 1)
        + at[0]);
  }
  first = order;
  if (gmg_comm_max(&p->grid->context->comm, &first, 1))
    status = gmg_mpi_failed(p->grid->context);
  else if (scan->bad < count && order == first)
    status = gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "%s%s is %g at (i, j, k) = (%d, %d, %d): expected a finite number%s",
                      which == GMG_ALPHA ? "a " : "", gmg_given_name(p, which), factor * value,
                      at[0], at[1], at[2],
                      which == GMG_ALPHA               ? " >= 0"
                        : least_allowed(p, which) == 0 ? " > 0"
                                                       : "");
  return gmg_agree(p->grid->context, status);
}
