/* The roofs of the machine: the CPU's by tuning/, the GPU's by its back end, over all ranks. */
#include "runtime/backend.h"
#include "system/cores.h"
#include "tuning/roofs.h"

#include <stdlib.h>
#include <string.h>

const char *gmg_roof_text(gmg_roof_kind kind)
{
  static const char *const names[] = {
    "copy",       "triad",     "read",   "copy_streaming", "triad_streaming", "copy_driver",
    "fma_double", "fma_float", "launch", "graph_launch",   "barrier"};
  return kind >= GMG_ROOF_COPY && kind <= GMG_ROOF_BARRIER ? names[kind] : "unknown";
}

/* Ranks on the cores of this one: all of the machine, over as many as have cores of their own. */
static int count_sharers(const struct gmg_comm *comm)
{
  const int own = comm->cores ? gmg_cores_count(&comm->cores[comm->rank_here], 1) : 0,
            all = comm->cores ? gmg_cores_count(comm->cores, comm->here) : 0;
  if (own == 0 || all == 0)
    return comm->here;
  const int sharers = (own * comm->here + all - 1) / all;
  return sharers > 1 ? sharers : 1;
}

struct meeting {
  gmg_context *context;
  int error;
};

static void meet(void *user)
{
  struct meeting *meeting = user;
  double none = 0;
  if (!meeting->error)
    meeting->error = gmg_comm_max(&meeting->context->comm, &none, 1);
}

static void take(gmg_roofs *roofs, const struct gmg_cpu_roof *from)
{
  static const gmg_roof_kind kind[] = {
    [GMG_CPU_COPY] = GMG_ROOF_COPY,
    [GMG_CPU_TRIAD] = GMG_ROOF_TRIAD,
    [GMG_CPU_READ] = GMG_ROOF_READ,
    [GMG_CPU_COPY_STREAMING] = GMG_ROOF_COPY_STREAMING,
    [GMG_CPU_TRIAD_STREAMING] = GMG_ROOF_TRIAD_STREAMING,
    [GMG_CPU_FMA_DOUBLE] = GMG_ROOF_FMA_DOUBLE,
    [GMG_CPU_FMA_FLOAT] = GMG_ROOF_FMA_FLOAT,
  };
  if (roofs->roofs < GMG_MOST_ROOFS)
    roofs->roof[roofs->roofs++] = (gmg_roof){"openmp",      kind[from->what],  from->cache,
                                             from->threads, from->working_set, from->rate};
}

/* This rank's part of all that is known becomes the sum of all ranks'. Ranks that measured other
 * caches than rank 0 count by kind and level. */
static int add_ranks(gmg_context *context, gmg_roofs *roofs)
{
  enum { KINDS = 11, CACHES = 4, ALL = 2 * KINDS * CACHES * 3, REST = 8 };
  double sum[ALL + REST] = {0}, most[ALL] = {0};
  if (context->comm.ranks == 1)
    return 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int n = 0; n < roofs->roofs; n++) {
      gmg_roof *roof = &roofs->roof[n];
      const int device = strcmp(roof->backend, "openmp") != 0,
                at = 3 * ((device * KINDS + (int)roof->kind) * CACHES + roof->cache);
      double *where = roof->kind >= GMG_ROOF_LAUNCH ? most : sum;
      if (pass == 0) {
        sum[at] = roof->threads;
        sum[at + 1] = roof->working_set;
        where[at + 2] = roof->rate;
      } else {
        roof->threads = (int)sum[at];
        roof->working_set = sum[at + 1];
        roof->rate = where[at + 2];
      }
    }
    double *rest = sum + ALL,
           *own[REST] = {&roofs->cache_bytes[0],         &roofs->cache_bytes[1],
                         &roofs->cache_bytes[2],         &roofs->memory_arrays,
                         &roofs->device_cache,           &roofs->nominal_cache_bytes[0],
                         &roofs->nominal_cache_bytes[1], &roofs->nominal_cache_bytes[2]};
    for (int n = 0; n < REST; n++)
      *(pass ? own[n] : &rest[n]) = *(pass ? &rest[n] : own[n]);
    if (pass == 0
        && (gmg_comm_sum(&context->comm, sum, ALL + REST) || gmg_comm_max(&context->comm, most, ALL)
            || gmg_comm_max_int(&context->comm, &roofs->bounded, 1)))
      return -1;
  }
  return 0;
}

static gmg_status measure_host(gmg_context *context, double seconds, gmg_roofs *roofs)
{
  struct meeting meeting = {.context = context};
  const int several = context->comm.ranks > 1, sharers = count_sharers(&context->comm);
  const struct gmg_cpu_wish wish = {.threads = context->threads,
                                    .few = several,
                                    .sharers = sharers,
                                    .seconds = seconds,
                                    .meet = several ? meet : NULL,
                                    .user = &meeting};
  struct gmg_cpu_roofs *found = calloc(1, sizeof *found);
  if (!found)
    return GMG_ERR_MEMORY;
  const int error = gmg_cpu_roofs_measure(&wish, found);
  for (int n = 0; n < found->roofs; n++)
    take(roofs, &found->roof[n]);
  roofs->instructions = found->loops;
  roofs->memory_arrays = found->memory_arrays;
  roofs->bounded = found->bounded;
  for (int n = 0; n < GMG_CACHES; n++)
    roofs->cache_bytes[n] = roofs->nominal_cache_bytes[n] = found->caches.all[n] / sharers;
  const double useful = found->useful;
  if (useful > 0 && useful < roofs->cache_bytes[GMG_CACHES - 1])
    roofs->cache_bytes[GMG_CACHES - 1] = useful;
  free(found);
  return error ? GMG_ERR_MEMORY : meeting.error ? GMG_ERR_MPI : GMG_OK;
}

gmg_status gmg_context_measure_roofs(gmg_context *context, double seconds, gmg_roofs *roofs)
{
  if (!context)
    return GMG_ERR_ARGUMENT;
  gmg_status status = GMG_OK;
  if (!roofs || !(seconds >= 0 && seconds <= 3600))
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_context_measure_roofs: %s",
                      roofs ? "seconds must be from 0 to 3600" : "roofs is NULL");
  status = gmg_agree(context, status);
  if (status)
    return status;
  memset(roofs, 0, sizeof *roofs);
  const double wanted = seconds > 0 ? seconds : 5;
  status = measure_host(context, wanted, roofs);
  if (status)
    gmg_fail(context, status, "the roofs of the machine could not be measured: %s",
             gmg_status_text(status));
  if (!status && context->backend && context->device && context->backend->measure)
    context->backend->measure(context, wanted, roofs);
  status = gmg_agree(context, status);
  if (!status && add_ranks(context, roofs))
    status = gmg_fail(context, GMG_ERR_MPI, "MPI failed while the roofs of all ranks were added");
  return gmg_agree(context, status);
}
