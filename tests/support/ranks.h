/* For tests that run on several ranks, or on one without MPI. */
#ifndef GMG_TEST_RANKS_H
#define GMG_TEST_RANKS_H

#include "system/comm.h"

int ranks_start(int *argc, char ***argv, struct gmg_comm *comm); /* 0: ready */
/* Ends it; the worst of all ranks' results. */
int ranks_finish(struct gmg_comm *comm, int result);

#endif
