#include "comm.h"

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
