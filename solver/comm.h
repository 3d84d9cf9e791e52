/* The one place that calls MPI collectives; without MPI (GMG_WITH_MPI undefined) the same interface for a single rank. */
#ifndef GMG_COMM_H
#define GMG_COMM_H

#include "config.h" /* made by the build: GMG_WITH_MPI */

#include <stdint.h>

#if GMG_WITH_MPI
#include <mpi.h>
#endif

struct gmg_team;

/* Cores of a machine, by the number that the system gives them: those that a rank may run on, say. */
enum { GMG_CORES = 1024 };
struct gmg_cores {
  unsigned char mask[GMG_CORES / 8];
};

struct gmg_comm {
  int rank, ranks;
  int rank_here, here;     /* the same among the ranks of this machine */
  struct gmg_cores *cores; /* of each of those; NULL: not known */
  int threads;             /* for large copies; 0: one */
  struct gmg_team *team;   /* that they are of; NULL: of none */
#if GMG_WITH_MPI
  MPI_Comm mpi;     /* duplicated; MPI_COMM_NULL for a context on one rank */
  MPI_Comm machine; /* the ranks that share this one's memory; likewise */
#endif
};

/* In place, over all ranks. Returns 0 or an MPI error code. Sums of real numbers are used where they are exact, so that order does
 * not matter; those of integers are modulo 2^64. */
int gmg_comm_sum(struct gmg_comm *comm, double *values, int count);
int gmg_comm_max(struct gmg_comm *comm, double *values, int count);
int gmg_comm_sum_integers(struct gmg_comm *comm, uint64_t *values, int count);
int gmg_comm_max_integer(struct gmg_comm *comm, int64_t *value);
int gmg_comm_max_int(struct gmg_comm *comm, int *values, int count);
/* The same over the ranks on this machine. */
int gmg_comm_sum_on_machine(struct gmg_comm *comm, double *values, int count);
/* The ranks of this machine tell one another where they may run. Memory: gives comm->cores. Calls: collective. */
int gmg_comm_meet(struct gmg_comm *comm);
/* How many cores they have together; 0: not known. */
int gmg_comm_cores(const struct gmg_comm *comm);
int gmg_comm_broadcast(struct gmg_comm *comm, void *bytes, int count, int root);
/* Whether MPI says that it sends from, and receives in, the memory of CUDA devices. */
int gmg_comm_reads_devices(const struct gmg_comm *comm);

#endif
