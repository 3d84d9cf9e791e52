/* To be loaded before a program (LD_PRELOAD): the call number GMG_MPI_ERROR_AT that the program
 * itself, and no library, makes of the MPI function GMG_MPI_ERROR_CALL on the rank
 * GMG_MPI_ERROR_RANK returns an error and does nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int fails(const char *call, const void *from)
{
  static int count;
  const char *name = getenv("GMG_MPI_ERROR_CALL"), *at = getenv("GMG_MPI_ERROR_AT"),
             *on = getenv("GMG_MPI_ERROR_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  Dl_info object;
  if (!name || !at || !on || !rank || strcmp(name, call) != 0 || strcmp(rank, on) != 0
      || !dladdr(from, &object))
    return 0;
  const char *slash = strrchr(object.dli_fname, '/');
  return strcmp(slash ? slash + 1 : object.dli_fname, "gmg") == 0 && ++count == atoi(at);
}

#define INTERPOSE(name, parameters, arguments) \
  int MPI_##name parameters \
  { \
    return fails("MPI_" #name, __builtin_return_address(0)) ? MPI_ERR_OTHER \
                                                            : PMPI_##name arguments; \
  }

INTERPOSE(Allreduce,
          (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (from, to, count, type, op, comm))
INTERPOSE(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
          (data, count, type, root, comm))
INTERPOSE(Send, (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
          (data, count, type, to, tag, comm))
INTERPOSE(Iallreduce,
          (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
           MPI_Request *request),
          (from, to, count, type, op, comm, request))
INTERPOSE(Isend,
          (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request *request),
          (data, count, type, to, tag, comm, request))
INTERPOSE(Testall, (int count, MPI_Request *request, int *done, MPI_Status *status),
          (count, request, done, status))
INTERPOSE(Comm_dup, (MPI_Comm comm, MPI_Comm *own), (comm, own))
