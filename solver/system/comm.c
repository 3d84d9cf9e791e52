#include "comm.h"

#include "alarm.h"
#include "memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUMS = 4 }; /* of one gmg_comm_reduce */

static int room_for_cores(struct gmg_comm *comm)
{
  comm->cores = gmg_calloc((size_t)comm->here, sizeof *comm->cores);
  comm->asked = gmg_calloc((size_t)comm->here, sizeof *comm->asked);
  if (!comm->cores || !comm->asked)
    return -1;
  gmg_cores_own(&comm->cores[comm->rank_here]);
  comm->asked[comm->rank_here] = comm->threads;
  return 0;
}

#if GMG_WITH_MPI

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

/* What an operation of all ranks of a communicator does to so many bytes; count is of `type`. */
enum kind { REDUCE, GATHER, BROADCAST };
struct collective {
  enum kind kind;
  MPI_Comm ranks;
  size_t bytes;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
};

static int start(const struct collective *c, void *values, MPI_Request *request)
{
  switch (c->kind) {
  case REDUCE:
    return MPI_Iallreduce(MPI_IN_PLACE, values, c->count, c->type, c->op, c->ranks, request);
  case GATHER:
    return MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, c->count, c->type, c->ranks,
                          request);
  default:
    return MPI_Ibcast(values, c->count, c->type, c->root, c->ranks, request);
  }
}

/* On a copy of the values, which is left to MPI where an alarm ends the wait. */
static int run(struct gmg_comm *comm, const struct collective *c, void *values)
{
  static const char *const names[] = {"MPI_Iallreduce", "MPI_Iallgather", "MPI_Ibcast"};
  if (gmg_comm_failure(comm))
    return MPI_ERR_OTHER;
  void *const room = comm->alarm ? gmg_alarm_room(comm->alarm, c->bytes) : values;
  void *const copy = room ? room : malloc(c->bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (!copy)
    return gmg_comm_failed(comm, MPI_ERR_NO_MEM, names[c->kind]);
  if (copy != values)
    memcpy(copy, values, c->bytes);
  int error = start(c, copy, &request);
  error = error == MPI_SUCCESS ? gmg_comm_wait(comm, &request, 1, names[c->kind])
                               : gmg_comm_failed(comm, error, names[c->kind]);
  if (!error && copy != values)
    memcpy(values, copy, c->bytes);
  if (!room && error)
    gmg_alarm_keep(copy);
  else if (!room)
    free(copy);
  return error;
}

int gmg_comm_reduce_among(struct gmg_comm *comm, MPI_Comm ranks, void *values, int count,
                          MPI_Datatype type, MPI_Op op)
{
  int size = 0;
  MPI_Type_size(type, &size);
  const struct collective c = {REDUCE, ranks, (size_t)count * (size_t)size, count, type, op, 0};
  return run(comm, &c, values);
}

int gmg_comm_broadcast_among(struct gmg_comm *comm, MPI_Comm ranks, void *bytes, int count,
                             int root)
{
  const struct collective c = {BROADCAST, ranks, (size_t)count, count, MPI_BYTE, MPI_OP_NULL, root};
  return run(comm, &c, bytes);
}

const char *gmg_comm_failure(struct gmg_comm *comm)
{
  return gmg_alarm_text(comm->alarm);
}

int gmg_comm_wait(struct gmg_comm *comm, MPI_Request *request, int count, const char *call)
{
  return gmg_alarm_wait(comm->alarm, request, count, call);
}

int gmg_comm_failed(struct gmg_comm *comm, int error, const char *call)
{
  return gmg_alarm_give(comm->alarm, error, call);
}

/* A duplicate of a communicator that returns its errors. */
static int duplicate(MPI_Comm communicator, MPI_Comm *own)
{
  const int error = MPI_Comm_dup(communicator, own);
  if (error != MPI_SUCCESS)
    *own = MPI_COMM_NULL;
  return error != MPI_SUCCESS ? error : MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
}

/* All that can be had, so that ranks do not lose step: errors are for the caller's communicator to
 * return, for a while. */
static int open_all(struct gmg_comm *comm, MPI_Comm communicator)
{
  MPI_Comm own = MPI_COMM_NULL;
  int failed = duplicate(communicator, &comm->mpi) != MPI_SUCCESS;
  failed |= duplicate(communicator, &own) != MPI_SUCCESS;
  if (MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm->machine)
      != MPI_SUCCESS) {
    comm->machine = MPI_COMM_NULL;
    failed = 1;
  }
  failed = failed || MPI_Comm_set_errhandler(comm->machine, MPI_ERRORS_RETURN) != MPI_SUCCESS;
  failed = failed || MPI_Comm_rank(comm->mpi, &comm->rank) != MPI_SUCCESS
    || MPI_Comm_size(comm->mpi, &comm->ranks) != MPI_SUCCESS
    || !(comm->alarm = gmg_alarm_create(own));
  if (MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, communicator) == MPI_SUCCESS
      && !failed)
    return 0;
  gmg_alarm_keep(
    comm->alarm); /* what another rank lacks is of no use, and cannot be freed by all */
  comm->alarm = NULL;
  comm->mpi = comm->machine = MPI_COMM_NULL;
  return -1;
}

int gmg_comm_open(struct gmg_comm *comm, MPI_Comm communicator)
{
  MPI_Errhandler before;
  if (MPI_Comm_get_errhandler(communicator, &before) != MPI_SUCCESS)
    return -1;
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  const int failed = open_all(comm, communicator);
  MPI_Comm_set_errhandler(communicator, before);
  MPI_Errhandler_free(&before);
  return failed;
}

void gmg_comm_close(struct gmg_comm *comm)
{
  int over = 0;
  MPI_Finalized(&over);
  const int failed =
    !over && gmg_comm_failure(comm); /* then what was given up may still use the communicators */
  gmg_alarm_destroy(&comm->alarm);
  if (failed || over)
    return;
  if (comm->machine != MPI_COMM_NULL)
    MPI_Comm_free(&comm->machine);
  if (comm->mpi != MPI_COMM_NULL)
    MPI_Comm_free(&comm->mpi);
}

static int reduce_among(struct gmg_comm *comm, MPI_Comm ranks, void *values, int count,
                        MPI_Datatype type, MPI_Op op)
{
  if (gmg_comm_failure(comm))
    return MPI_ERR_OTHER;
  return gmg_comm_reduce_among(comm, ranks, values, count, type, op);
}

static int reduce(struct gmg_comm *comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
  return comm->ranks == 1 || count == 0 ? 0
                                        : reduce_among(comm, comm->mpi, values, count, type, op);
}

int gmg_comm_sum(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_SUM);
}

int gmg_comm_max(struct gmg_comm *comm, double *values, int count)
{
  return reduce(comm, values, count, MPI_DOUBLE, MPI_MAX);
}

static int reduce_sums(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  const int error = reduce(comm, sum, count, MPI_UINT64_T, MPI_SUM);
  return error ? error : reduce(comm, most, 1, MPI_INT64_T, MPI_MAX);
}

int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count)
{
  return reduce(comm, values, count, MPI_INT, MPI_MAX);
}

int gmg_comm_max_words(struct gmg_comm *comm, uint64_t *values, int count)
{
  return reduce(comm, values, count, MPI_UINT64_T, MPI_MAX);
}

int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count)
{
  if (comm->ranks == 1 || comm->machine == MPI_COMM_NULL)
    return 0;
  return reduce_among(comm, comm->machine, values, count, MPI_DOUBLE, MPI_SUM);
}

static int tell_among(struct gmg_comm *comm, MPI_Comm ranks, int count, void *all, size_t bytes)
{
  const struct collective c = {GATHER,      ranks, (size_t)count * bytes, (int)bytes, MPI_BYTE,
                               MPI_OP_NULL, 0};
  if (count == 1)
    return 0;
  if (gmg_comm_failure(comm))
    return MPI_ERR_OTHER;
  return run(comm, &c, all);
}

int gmg_comm_tell_machine(struct gmg_comm *comm, void *all, size_t bytes)
{
  return tell_among(comm, comm->machine, comm->here, all, bytes);
}

int gmg_comm_tell(struct gmg_comm *comm, void *all, size_t bytes)
{
  return tell_among(comm, comm->mpi, comm->ranks, all, bytes);
}

int gmg_comm_meet(struct gmg_comm *comm)
{
  comm->rank_here = 0;
  comm->here = 1;
  if (comm->machine != MPI_COMM_NULL) {
    MPI_Comm_rank(comm->machine, &comm->rank_here);
    MPI_Comm_size(comm->machine, &comm->here);
  }
  int lacks = room_for_cores(comm) != 0;
  if (gmg_comm_max_int(comm, &lacks, 1) || lacks)
    return -1;
  if (comm->here == 1)
    return 0;
  const int error = gmg_comm_tell_machine(comm, comm->cores, sizeof *comm->cores);
  if (error)
    return error;
  return gmg_comm_tell_machine(comm, comm->asked, sizeof *comm->asked);
}

int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root)
{
  if (comm->ranks == 1 || count == 0)
    return 0;
  if (gmg_comm_failure(comm))
    return MPI_ERR_OTHER;
  return gmg_comm_broadcast_among(comm, comm->mpi, bytes, count, root);
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

void gmg_comm_close(struct gmg_comm *comm)
{
  (void)comm;
}

const char *gmg_comm_failure(struct gmg_comm *comm)
{
  (void)comm;
  return NULL;
}

int gmg_comm_max_words(struct gmg_comm *comm, uint64_t *values, int count)
{
  (void)comm, (void)values, (void)count;
  return 0;
}

int gmg_comm_tell(struct gmg_comm *comm, void *all, size_t bytes)
{
  (void)comm, (void)all, (void)bytes;
  return 0;
}

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

static int reduce_sums(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
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

int gmg_comm_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  uint64_t all[MOST_SUMS + 1];
  memcpy(all, sum, (size_t)count * sizeof *sum);
  all[count] = comm->stop && atomic_load(comm->stop);
  const int error = reduce_sums(comm, all, count + 1, most);
  memcpy(sum, all, (size_t)count * sizeof *sum);
  comm->stopped |= all[count] > 0;
  return error;
}
