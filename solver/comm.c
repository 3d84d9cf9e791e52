#include "comm.h"

#include "memory.h"

#if defined __linux__
#include <sched.h>
#endif

/* Where this process may run; nowhere in particular where the system does not say. */
static void own_cores(struct gmg_cores *cores)
{
#if defined __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return;
  for (int core = 0; core < GMG_CORES && core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &set))
      cores->mask[core / 8] |= (unsigned char)(1 << core % 8);
#else
  (void)cores;
#endif
}

int gmg_comm_cores(const struct gmg_comm *comm)
{
  int cores = 0;
  for (size_t n = 0; n < sizeof comm->cores->mask; n++) {
    unsigned together = 0;
    for (int r = 0; r < comm->here; r++)
      together |= comm->cores[r].mask[n];
    for (; together; together &= together - 1)
      cores++;
  }
  return cores;
}

#if GMG_WITH_MPI

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

static int reduce(struct gmg_comm *comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
  if (comm->ranks == 1 || count == 0)
    return 0;
  const int error = MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, comm->mpi);
  return error == MPI_SUCCESS ? 0 : error;
}

int gmg_comm_sum(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_SUM);
}

int gmg_comm_max(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_MAX);
}

int gmg_comm_sum_integers(struct gmg_comm *comm, uint64_t *values, int count)
{
  return reduce(comm, values, count, MPI_UINT64_T, MPI_SUM);
}

int gmg_comm_max_integer(struct gmg_comm *comm, int64_t *value)
{
  return reduce(comm, value, 1, MPI_INT64_T, MPI_MAX);
}

int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count)
{
  return reduce(comm, values, count, MPI_INT, MPI_MAX);
}

int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count)
{
  if (comm->ranks == 1 || comm->machine == MPI_COMM_NULL)
    return 0;
  const int error = MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm->machine);
  return error == MPI_SUCCESS ? 0 : error;
}

int gmg_comm_meet(struct gmg_comm *comm)
{
  comm->rank_here = 0;
  comm->here = 1;
  if (comm->machine != MPI_COMM_NULL) {
    MPI_Comm_rank(comm->machine, &comm->rank_here);
    MPI_Comm_size(comm->machine, &comm->here);
  }
  comm->cores = gmg_calloc((size_t)comm->here, sizeof *comm->cores);
  if (!comm->cores)
    return -1;
  own_cores(&comm->cores[comm->rank_here]);
  if (comm->here == 1)
    return 0;
  const int error =
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, comm->cores, (int)sizeof *comm->cores, MPI_BYTE, comm->machine);
  return error == MPI_SUCCESS ? 0 : error;
}

int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root)
{
  if (comm->ranks == 1 || count == 0)
    return 0;
  const int error = MPI_Bcast(bytes, count, MPI_BYTE, root, comm->mpi);
  return error == MPI_SUCCESS ? 0 : error;
}

int gmg_comm_reads_devices(const struct gmg_comm *comm)
{
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return comm->ranks > 1 && MPIX_Query_cuda_support() == 1;
#else
  (void)comm;
  return 0;
#endif
}

#else

int gmg_comm_meet(struct gmg_comm *comm)
{
  comm->rank_here = 0;
  comm->here = 1;
  comm->cores = gmg_calloc(1, sizeof *comm->cores);
  if (!comm->cores)
    return -1;
  own_cores(comm->cores);
  return 0;
}

int gmg_comm_sum(struct gmg_comm *comm, double *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_max(struct gmg_comm *comm, double *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_sum_integers(struct gmg_comm *comm, uint64_t *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_max_integer(struct gmg_comm *comm, int64_t *value)
{
  (void)comm, (void)value;
  return 0;
}

int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root)
{
  (void)comm, (void)bytes, (void)count, (void)root;
  return 0;
}

int gmg_comm_reads_devices(const struct gmg_comm *comm)
{
  (void)comm;
  return 0;
}

#endif
