#include "comm.h"

#include "groups.h"
#include "memory.h"

#include <stddef.h>

static int room_for_cores(struct gmg_comm *comm)
{
  comm->cores = gmg_calloc((size_t)comm->here, sizeof *comm->cores);
  comm->asked = gmg_calloc((size_t)comm->here, sizeof *comm->asked);
  comm->rank_of = gmg_calloc((size_t)comm->here, sizeof *comm->rank_of);
  if (!comm->cores || !comm->asked || !comm->rank_of)
    return -1;
  gmg_cores_own(&comm->cores[comm->rank_here]);
  comm->asked[comm->rank_here] = comm->threads;
  comm->rank_of[comm->rank_here] = comm->rank;
  return 0;
}

#if GMG_WITH_MPI

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

static int reduce_among(struct gmg_comm *comm, MPI_Comm ranks, void *values, int count, MPI_Datatype type, MPI_Op op)
{
  gmg_groups_meet(comm);
  const int error = MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, ranks);
  return error == MPI_SUCCESS ? 0 : error;
}

static int reduce(struct gmg_comm *comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
  return comm->ranks == 1 || count == 0 ? 0 : reduce_among(comm, comm->mpi, values, count, type, op);
}

int gmg_comm_sum(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_SUM);
}

int gmg_comm_max(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_MAX);
}

int gmg_comm_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  if (comm->groups)
    return gmg_groups_reduce(comm, sum, count, most);
  const int error = reduce(comm, sum, count, MPI_UINT64_T, MPI_SUM);
  return error ? error : reduce(comm, most, 1, MPI_INT64_T, MPI_MAX);
}

int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count)
{
  return reduce(comm, values, count, MPI_INT, MPI_MAX);
}

int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count)
{
  if (comm->ranks == 1 || comm->machine == MPI_COMM_NULL)
    return 0;
  return reduce_among(comm, comm->machine, values, count, MPI_DOUBLE, MPI_SUM);
}

int gmg_comm_tell_machine(struct gmg_comm *comm, void *all, size_t bytes)
{
  if (comm->here == 1)
    return 0;
  gmg_groups_meet(comm);
  const int error = MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)bytes, MPI_BYTE, comm->machine);
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
  const int failed = room_for_cores(comm);
  if (failed || comm->here == 1)
    return failed;
  const int error = gmg_comm_tell_machine(comm, comm->cores, sizeof *comm->cores);
  if (error || gmg_comm_tell_machine(comm, comm->rank_of, sizeof *comm->rank_of))
    return error ? error : -1;
  return gmg_comm_tell_machine(comm, comm->asked, sizeof *comm->asked);
}

int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root)
{
  if (comm->ranks == 1 || count == 0)
    return 0;
  gmg_groups_meet(comm);
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

int gmg_comm_tell_machine(struct gmg_comm *comm, void *all, size_t bytes)
{
  (void)comm, (void)all, (void)bytes;
  return 0;
}

int gmg_comm_meet(struct gmg_comm *comm)
{
  comm->rank_here = 0;
  comm->here = 1;
  return room_for_cores(comm);
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

int gmg_comm_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  (void)comm, (void)sum, (void)count, (void)most;
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
