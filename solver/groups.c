#include "groups.h"

#include "memory.h"

#include <string.h>

#if GMG_WITH_MPI && defined __linux__

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SUMS = 8 };

struct gmg_groups {
  int leads, leader_here; /* the latter among the ranks of this machine */
  MPI_Comm group;         /* who leads is rank 0 */
  MPI_Comm leaders;       /* of all groups; MPI_COMM_NULL for the others */
};

/* Of each rank of a machine: how often it has come to a meeting. */
struct bell {
  atomic_uint count;
  char apart[64 - sizeof(atomic_uint)];
};

/* Memory that all ranks of the machine see, zeroed; NULL on all of them where one does not. */
static struct bell *open_bells(struct gmg_comm *comm)
{
  char name[64] = "";
  const size_t bytes = (size_t)comm->here * sizeof(struct bell);
  int file = -1;
  if (comm->rank_here == 0) {
    snprintf(name, sizeof name, "/gmg-%ld-%lx", (long)getpid(), (unsigned long)(uintptr_t)comm);
    file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 && ftruncate(file, (off_t)bytes) != 0) {
      close(file);
      file = -1;
      shm_unlink(name);
    }
    if (file < 0)
      name[0] = 0;
  }
  if (MPI_Bcast(name, (int)sizeof name, MPI_CHAR, 0, comm->machine) != MPI_SUCCESS)
    name[0] = 0;
  if (comm->rank_here > 0 && name[0])
    file = shm_open(name, O_RDWR, 0);
  void *bells = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0)
    close(file);
  int lacks = bells == MAP_FAILED;
  const int failed = MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, comm->mpi) != MPI_SUCCESS;
  if (comm->rank_here == 0 && name[0])
    shm_unlink(name);
  if (!failed && !lacks)
    return bells;
  if (bells != MAP_FAILED)
    munmap(bells, bytes);
  return NULL;
}

struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, int leader)
{
  struct gmg_groups *g = gmg_calloc(1, sizeof *g);
  int lacks = !g;
  if (MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, comm->mpi) != MPI_SUCCESS)
    lacks = 1;
  if (!lacks && !comm->bells)
    lacks = !(comm->bells = open_bells(comm));
  if (lacks) {
    gmg_free(g);
    return NULL;
  }
  g->group = g->leaders = MPI_COMM_NULL;
  g->leads = leader == comm->rank;
  MPI_Comm_split(comm->mpi, leader, comm->rank, &g->group);
  MPI_Comm_split(comm->mpi, g->leads ? 0 : MPI_UNDEFINED, comm->rank, &g->leaders);
  g->leader_here = comm->rank_here;
  MPI_Bcast(&g->leader_here, 1, MPI_INT, 0, g->group);
  return g;
}

void gmg_groups_destroy(struct gmg_groups **groups)
{
  if (!*groups)
    return;
  if ((*groups)->group != MPI_COMM_NULL)
    MPI_Comm_free(&(*groups)->group);
  if ((*groups)->leaders != MPI_COMM_NULL)
    MPI_Comm_free(&(*groups)->leaders);
  gmg_free(*groups);
  *groups = NULL;
}

void gmg_groups_close(struct gmg_comm *comm)
{
  if (comm->bells)
    munmap(comm->bells, (size_t)comm->here * sizeof *comm->bells);
  comm->bells = NULL;
}

void gmg_groups_meet(struct gmg_comm *comm)
{
  const struct gmg_groups *g = comm->groups;
  if (!g)
    return;
  comm->meetings++;
  atomic_uint *count = &comm->bells[g->leader_here].count;
  if (g->leads) {
    atomic_store(count, comm->meetings);
    syscall(SYS_futex, count, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
    return;
  }
  for (unsigned now; (int)((now = atomic_load(count)) - comm->meetings) < 0;)
    syscall(SYS_futex, count, FUTEX_WAIT, now, NULL, NULL, 0);
}

int gmg_groups_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  const struct gmg_groups *g = comm->groups;
  uint64_t all[MOST_SUMS + 1];
  int error = MPI_SUCCESS, leaders = 1;
  if (g->leads) {
    MPI_Comm_size(g->leaders, &leaders);
    if (leaders > 1)
      error = MPI_Allreduce(MPI_IN_PLACE, sum, count, MPI_UINT64_T, MPI_SUM, g->leaders);
    if (leaders > 1 && error == MPI_SUCCESS)
      error = MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_INT64_T, MPI_MAX, g->leaders);
    memcpy(all, sum, (size_t)count * sizeof *sum);
    memcpy(&all[count], most, sizeof *most);
  }
  gmg_groups_meet(comm);
  if (error == MPI_SUCCESS)
    error = MPI_Bcast(all, count + 1, MPI_UINT64_T, 0, g->group);
  memcpy(sum, all, (size_t)count * sizeof *sum);
  memcpy(most, &all[count], sizeof *most);
  return error == MPI_SUCCESS ? 0 : error;
}

#else

struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, int leader)
{
  (void)comm, (void)leader;
  return NULL;
}

void gmg_groups_destroy(struct gmg_groups **groups)
{
  (void)groups;
}

void gmg_groups_meet(struct gmg_comm *comm)
{
  (void)comm;
}

int gmg_groups_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  (void)comm, (void)sum, (void)count, (void)most;
  return 0;
}

void gmg_groups_close(struct gmg_comm *comm)
{
  (void)comm;
}

#endif
