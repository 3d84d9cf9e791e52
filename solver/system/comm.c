#include "comm.h"

#include "alarm.h"
#include "memory.h"
#include "threads.h"

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

/* What all ranks, or those on this machine, do to `count` values in place: find their sum or their
 * maximum; tell each other so many bytes of their own; take those of `root`. */
enum kind { SUM, MOST, TELL, BROADCAST };
enum type { REAL, INTEGER, LONG, WORD, BYTE };
struct collective {
  enum kind kind;
  enum type type;
  int count, root, on_machine;
};

#if GMG_WITH_MPI

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

static int start(const struct collective *c, MPI_Comm ranks, void *values, MPI_Request *request)
{
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_INT64_T, MPI_UINT64_T, MPI_BYTE};
  if (c->kind == TELL)
    return MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, c->count, MPI_BYTE, ranks,
                          request);
  if (c->kind == BROADCAST)
    return MPI_Ibcast(values, c->count, MPI_BYTE, c->root, ranks, request);
  return MPI_Iallreduce(MPI_IN_PLACE, values, c->count, types[c->type],
                        c->kind == SUM ? MPI_SUM : MPI_MAX, ranks, request);
}

/* On a copy of the values, which is left to MPI where an alarm ends the wait. */
static int run(struct gmg_comm *comm, const struct collective *c, void *values)
{
  static const char *const names[] = {"MPI_Iallreduce", "MPI_Iallreduce", "MPI_Iallgather",
                                      "MPI_Ibcast"};
  static const size_t sizes[] = {sizeof(double), sizeof(int), sizeof(int64_t), sizeof(uint64_t), 1};
  const int parts = c->kind != TELL ? 1 : c->on_machine ? comm->here : comm->ranks;
  const size_t bytes = (size_t)parts * (size_t)c->count * sizes[c->type];
  if (gmg_comm_failure(comm))
    return MPI_ERR_OTHER;
  void *const room = comm->alarm ? gmg_alarm_room(comm->alarm, bytes) : values;
  void *const copy = room ? room : malloc(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (!copy)
    return gmg_comm_failed(comm, MPI_ERR_NO_MEM, names[c->kind]);
  if (copy != values)
    memcpy(copy, values, bytes);
  int error = start(c, c->on_machine ? comm->machine : comm->mpi, copy, &request);
  error = error == MPI_SUCCESS ? gmg_comm_wait(comm, &request, 1, names[c->kind])
                               : gmg_comm_failed(comm, error, names[c->kind]);
  if (!error && copy != values)
    memcpy(values, copy, bytes);
  if (!room && error)
    gmg_alarm_keep(copy);
  else if (!room)
    free(copy);
  return error;
}

const char *gmg_comm_failure(struct gmg_comm *comm)
{
  return gmg_alarm_text(comm->alarm);
}

int gmg_comm_wait(struct gmg_comm *comm, MPI_Request *request, int count, const char *call)
{
  if (comm->start)
    comm->start(comm->starter);
  const double begin = gmg_seconds();
  const int error = gmg_alarm_wait(comm->alarm, request, count, call);
  comm->waited += gmg_seconds() - begin;
  return error;
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

static void find_machine(struct gmg_comm *comm)
{
  if (comm->machine == MPI_COMM_NULL)
    return;
  MPI_Comm_rank(comm->machine, &comm->rank_here);
  MPI_Comm_size(comm->machine, &comm->here);
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

static int run(struct gmg_comm *comm, const struct collective *c, void *values)
{
  (void)comm, (void)c, (void)values;
  return 0;
}

static void find_machine(struct gmg_comm *comm)
{
  (void)comm;
}

int gmg_comm_reads_devices(const struct gmg_comm *comm)
{
  (void)comm;
  return 0;
}

#endif

static int combine(struct gmg_comm *comm, enum kind kind, enum type type, void *values, int count)
{
  const struct collective c = {.kind = kind, .type = type, .count = count};
  return comm->ranks == 1 || count == 0 ? 0 : run(comm, &c, values);
}

int gmg_comm_sum(struct gmg_comm *comm, double *values, int count)
{
  return combine(comm, SUM, REAL, values, count);
}

int gmg_comm_max(struct gmg_comm *comm, double *values, int count)
{
  return combine(comm, MOST, REAL, values, count);
}

int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count)
{
  return combine(comm, MOST, INTEGER, values, count);
}

int gmg_comm_max_words(struct gmg_comm *comm, uint64_t *values, int count)
{
  return combine(comm, MOST, WORD, values, count);
}

int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count)
{
  const struct collective c = {.kind = SUM, .count = count, .on_machine = 1};
  return comm->here <= 1 ? 0 : run(comm, &c, values);
}

int gmg_comm_tell_machine(struct gmg_comm *comm, void *all, size_t bytes)
{
  const struct collective c = {TELL, BYTE, (int)bytes, .on_machine = 1};
  return comm->here <= 1 ? 0 : run(comm, &c, all);
}

int gmg_comm_tell(struct gmg_comm *comm, void *all, size_t bytes)
{
  return combine(comm, TELL, BYTE, all, (int)bytes);
}

int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root)
{
  const struct collective c = {BROADCAST, BYTE, count, root, 0};
  return comm->ranks == 1 || count == 0 ? 0 : run(comm, &c, bytes);
}

int gmg_comm_meet(struct gmg_comm *comm)
{
  comm->rank_here = 0;
  comm->here = 1;
  find_machine(comm);
  int lacks = room_for_cores(comm) != 0;
  if (gmg_comm_max_int(comm, &lacks, 1) || lacks)
    return -1;
  const int error = gmg_comm_tell_machine(comm, comm->cores, sizeof *comm->cores);
  return error ? error : gmg_comm_tell_machine(comm, comm->asked, sizeof *comm->asked);
}

int gmg_comm_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  uint64_t all[MOST_SUMS + 1];
  memcpy(all, sum, (size_t)count * sizeof *sum);
  all[count] = comm->stop && atomic_load(comm->stop);
  int error = combine(comm, SUM, WORD, all, count + 1);
  if (!error)
    error = combine(comm, MOST, LONG, most, 1);
  memcpy(sum, all, (size_t)count * sizeof *sum);
  comm->stopped |= all[count] > 0;
  return error;
}
