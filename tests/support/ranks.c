#include "ranks.h"

#include <string.h>

int ranks_start(int *argc, char ***argv, struct gmg_comm *comm)
{
  memset(comm, 0, sizeof *comm);
  comm->ranks = 1;
#if GMG_WITH_MPI
  int provided;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided)
      || MPI_Comm_dup(MPI_COMM_WORLD, &comm->mpi))
    return 1;
  return MPI_Comm_rank(comm->mpi, &comm->rank) || MPI_Comm_size(comm->mpi, &comm->ranks);
#else
  (void)argc, (void)argv;
  return 0;
#endif
}

int ranks_finish(struct gmg_comm *comm, int result)
{
  if (gmg_comm_max_int(comm, &result, 1))
    result = 1;
#if GMG_WITH_MPI
  MPI_Comm_free(&comm->mpi);
  MPI_Finalize();
#endif
  return result;
}
