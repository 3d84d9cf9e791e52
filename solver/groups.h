/* Groups of ranks that compute as one (together.h), as MPI sees them: who leads computes, the others sleep until they are wanted. */
#ifndef GMG_GROUPS_H
#define GMG_GROUPS_H

#include "comm.h"

/* The ranks whose leader has that rank are a group. Calls: collective. Memory: gives the groups, gmg_groups_destroy is collective
 * too. NULL, on all ranks: memory cannot be shared between the processes of this machine (or MPI failed). */
struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, int leader);
void gmg_groups_destroy(struct gmg_groups **groups);

/* Before a collective call of all ranks: who leads says that it is there, others sleep until then. */
void gmg_groups_meet(struct gmg_comm *comm);
/* Sums and a maximum over those who lead, known to all; who leads does not wait for its group. Returns an MPI error code. */
int gmg_groups_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most);

/* Frees what the groups of a communicator shared. */
void gmg_groups_close(struct gmg_comm *comm);

#endif
