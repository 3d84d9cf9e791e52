#include "bound.h"

#include "memory.h"
#include "order.h"

#include <omp.h>
#include <stdio.h>

struct bound {
  struct gmg_cores cores; /* that a rank's threads are bound to */
  int available;          /* cores that OpenMP may bind them to */
};

/* Of this rank, by a look at every thread. */
static void look(int threads, struct bound *bound)
{
  bound->available = omp_get_num_procs();
#pragma omp parallel num_threads(threads)
  {
    struct gmg_cores own;
    gmg_cores_own(&own);
#pragma omp critical(gmg_bound)
    for (size_t n = 0; n < sizeof own.mask; n++)
      bound->cores.mask[n] |= own.mask[n];
  }
}

/* Of the ranks of this machine, of which some bind no threads. */
static void judge(const struct gmg_comm *comm, const struct bound *bound, char *text, int size)
{
  int ranks = 0, threads = 0, available = 0, sum = 0;
  struct gmg_cores all = {{0}};
  for (int r = 0; r < comm->here; r++) {
    const int cores = gmg_cores_count(&bound[r].cores, 1);
    ranks += cores > 0;
    threads += cores > 0 ? comm->asked[r] : 0;
    available = gmg_larger(available, bound[r].available);
    sum += cores;
    for (size_t n = 0; n < sizeof all.mask; n++)
      all.mask[n] |= bound[r].cores.mask[n];
  }
  const int cores = gmg_cores_count(&all, 1), could = gmg_smaller(threads, available);
  if (sum > cores && cores < could)
    snprintf(text, (size_t)size,
             "OpenMP has bound the %d threads of %d ranks of a machine to the same %d of %d cores "
             "(OMP_PROC_BIND), where they wait "
             "for each other: bind every rank to cores of its own (mpirun --map-by slot:PE=%d "
             "--bind-to core), or threads to "
             "none (OMP_PROC_BIND=false)",
             threads, ranks, cores, available, threads / ranks);
}

int gmg_bound_note(struct gmg_comm *comm, char *text, int size)
{
  text[0] = 0;
  if (comm->ranks == 1)
    return 0;
  struct bound *bound = gmg_calloc((size_t)comm->here, sizeof *bound);
  if (bound && omp_get_proc_bind() != omp_proc_bind_false)
    look(comm->threads, &bound[comm->rank_here]);
  int lacks = !bound, error = gmg_comm_max_int(comm, &lacks, 1);
  if (!error && !lacks)
    error = gmg_comm_tell_machine(comm, bound, sizeof *bound);
  if (!error && !lacks)
    judge(comm, bound, text, size);
  gmg_free(bound);
  int first = text[0] ? comm->ranks - comm->rank : 0;
  if (!error)
    error = gmg_comm_max_int(comm, &first, 1);
  return error || !first ? error : gmg_comm_broadcast(comm, text, size, comm->ranks - first);
}
