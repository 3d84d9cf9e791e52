/* The one place that calls MPI collectives; without MPI (GMG_WITH_MPI undefined) the same interface
 * for a single rank. */
#ifndef GMG_COMM_H
#define GMG_COMM_H

#include "config.h" /* made by the build: GMG_WITH_MPI */
#include "cores.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if GMG_WITH_MPI
#include <mpi.h>
#endif

struct gmg_team;
struct gmg_alarm;

struct gmg_comm {
  int rank, ranks;
  int rank_here, here;     /* the same among the ranks of this machine */
  struct gmg_cores *cores; /* that each of those may run on; NULL: not known */
  int *asked;              /* threads that each of those was asked to take */
  int threads;             /* for large copies; 0: one */
  struct gmg_team *team;   /* that they are of; NULL: of none */
  /* whether this rank was asked to end the solve (gmg_solver_stop); NULL: no solve runs */
  const atomic_int *stop;
  int stopped;   /* whether any rank was, by a sum since the solve began */
  double waited; /* seconds, for messages and collective calls */
  /* called, with `starter`, before this rank waits: starts what others may wait for; NULL: there is
   * none */
  void (*start)(void *starter);
  void *starter;
#if GMG_WITH_MPI
  MPI_Comm mpi;            /* duplicated; MPI_COMM_NULL for a context on one rank */
  MPI_Comm machine;        /* the ranks that share this one's memory; likewise */
  struct gmg_alarm *alarm; /* by which all learn of an error; NULL: they do not */
#endif
};

#if GMG_WITH_MPI
/* Duplicates a communicator, and makes one for its ranks on this machine: both return their errors.
 * Returns 0, or -1 on all ranks. Calls: collective. */
int gmg_comm_open(struct gmg_comm *comm, MPI_Comm communicator);
/* Waits for messages, which `call` made. Returns 0 or an MPI error code, of which all ranks learn:
 * then their buffers must be kept (gmg_alarm_keep). */
int gmg_comm_wait(struct gmg_comm *comm, MPI_Request *request, int count, const char *call);
/* `call` returned this error: all ranks learn of it. Returns the error. */
int gmg_comm_failed(struct gmg_comm *comm, int error, const char *call);
#endif
void gmg_comm_close(struct gmg_comm *comm);
/* The sentence that says which MPI call failed, on this rank or another; NULL: none has. From then
 * on all of these calls return an error without one of MPI's. */
const char *gmg_comm_failure(struct gmg_comm *comm);

/* In place, over all ranks. Returns 0 or an MPI error code. Sums of real numbers are used where
 * they are exact, so that order does not matter; those of integers are modulo 2^64. */
int gmg_comm_sum(struct gmg_comm *comm, double *values, int count);
int gmg_comm_max(struct gmg_comm *comm, double *values, int count);
/* Up to 4 sums and a maximum, over all ranks. Updates comm->stopped with them. */
int gmg_comm_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most);
int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count);
int gmg_comm_max_words(struct gmg_comm *comm, uint64_t *values, int count);
/* Entry `rank` of `all`, of so many bytes each, becomes known to all ranks. */
int gmg_comm_tell(struct gmg_comm *comm, void *all, size_t bytes);
/* gmg_comm_sum over the ranks on this machine. */
int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count);
/* The ranks of this machine tell one another where they may run, and comm->threads. Memory: gives
 * both arrays. Calls: collective. */
int gmg_comm_meet(struct gmg_comm *comm);
/* Entry rank_here of `all`, of so many bytes each, becomes known to all ranks of this machine. */
int gmg_comm_tell_machine(struct gmg_comm *comm, void *all, size_t bytes);
int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root);
/* Whether MPI says that it sends from, and receives in, the memory of CUDA devices. */
int gmg_comm_reads_devices(const struct gmg_comm *comm);

#endif
