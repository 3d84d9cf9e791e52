/* Groups of ranks that compute as one (together.h), as MPI sees them: who leads computes, the others sleep until they are wanted. */
#ifndef GMG_GROUPS_H
#define GMG_GROUPS_H

#include "comm.h"

/* leader: the ranks that lead, in order; own: who leads this one. Each leads those that follow it on its machine, up to the next one.
 * Calls: collective. Memory: keeps leader; gives the groups. NULL, on all ranks: memory cannot be shared between the processes of
 * this machine (or MPI failed). */
struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, const int *leader, int leaders, int own);
void gmg_groups_destroy(struct gmg_groups **groups);

/* Before a collective call of all ranks: who leads says that it is there, others sleep until then, or until they learn of an error
 * of MPI (gmg_comm_failure). */
void gmg_groups_meet(struct gmg_comm *comm);
/* Tells who leads that this rank asks, or no longer asks. Not collective. */
void gmg_groups_ask(struct gmg_comm *comm, int asks);
/* Sums and a maximum over those who lead, known to all; who leads does not wait for its group. The last sum says whether a rank asks for
 * something: ranks that do not lead add theirs to it (gmg_groups_ask) before they sleep. Returns an MPI error code. */
int gmg_groups_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most);

/* Frees what the groups of a communicator shared. */
void gmg_groups_close(struct gmg_comm *comm);

#endif
