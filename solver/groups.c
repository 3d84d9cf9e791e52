#include "groups.h"

#include "alarm.h"
#include "memory.h"

#include <string.h>

#if GMG_WITH_MPI && defined __linux__

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SUMS = 8, TAG = 90, SLEEP = 20 * 1000 * 1000 /* nanoseconds, for one look for an alarm */ };

struct gmg_groups {
  int leads, leader_here; /* the latter among the ranks of this machine */
  int members;            /* that this rank leads, the next ones of its machine */
  const int *leader;      /* the ranks that lead */
  int leaders, index;     /* how many; this one's place, where it leads */
  struct gmg_comm *comm;
  MPI_Request *request; /* of messages to members */
  uint64_t sums[MOST_SUMS + 1], others[MOST_SUMS + 1];
  int given_up; /* 1: MPI failed, and may still write here */
};

/* Of each rank of a machine: how often it has come to a meeting, and the last of its sums. */
struct bell {
  atomic_uint count, asks;
  char apart[64 - 2 * sizeof(atomic_uint)];
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
  if (gmg_comm_broadcast_among(comm, comm->machine, name, (int)sizeof name, 0))
    name[0] = 0;
  if (comm->rank_here > 0 && name[0])
    file = shm_open(name, O_RDWR, 0);
  void *bells = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0)
    close(file);
  int lacks = bells == MAP_FAILED;
  const int failed = gmg_comm_max_int(comm, &lacks, 1);
  if (comm->rank_here == 0 && name[0])
    shm_unlink(name);
  if (!failed && !lacks)
    return bells;
  if (bells != MAP_FAILED)
    munmap(bells, bytes);
  return NULL;
}

/* This rank's place among those who lead, and whom it leads: those that follow it on its machine, up to the next leader. */
static void find_members(struct gmg_groups *g, int own)
{
  const struct gmg_comm *comm = g->comm;
  for (int r = 0; r < comm->here; r++)
    if (comm->rank_of[r] == own)
      g->leader_here = r;
  for (int n = 0; n < g->leaders; n++)
    if (g->leader[n] == comm->rank) {
      g->leads = 1;
      g->index = n;
    }
  for (int r = comm->rank_here + 1; r < comm->here && g->leads; r++) {
    for (int n = 0; n < g->leaders; n++)
      if (comm->rank_of[r] == g->leader[n])
        return;
    g->members++;
  }
}

struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, const int *leader, int leaders, int own)
{
  struct gmg_groups *g = gmg_calloc(1, sizeof *g);
  MPI_Request *request = gmg_calloc((size_t)comm->here, sizeof *request);
  int lacks = !g || !request;
  if (gmg_comm_max_int(comm, &lacks, 1))
    lacks = 1;
  if (!lacks && !comm->bells)
    lacks = !(comm->bells = open_bells(comm));
  if (lacks) {
    gmg_free(g);
    gmg_free(request);
    return NULL;
  }
  g->comm = comm;
  g->leader = leader;
  g->leaders = leaders;
  g->request = request;
  find_members(g, own);
  return g;
}

void gmg_groups_destroy(struct gmg_groups **groups)
{
  struct gmg_groups *g = *groups;
  if (!g)
    return;
  *groups = NULL;
  gmg_free(g->request);
  if (g->given_up)
    gmg_alarm_keep(g);
  else
    gmg_free(g);
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
  static const struct timespec sleep = {0, SLEEP};
  for (unsigned now; (int)((now = atomic_load(count)) - comm->meetings) < 0 && !gmg_comm_failure(comm);)
    syscall(SYS_futex, count, FUTEX_WAIT, now, &sleep, NULL, 0);
}

void gmg_groups_ask(struct gmg_comm *comm, int asks)
{
  if (comm->bells)
    atomic_store(&comm->bells[comm->rank_here].asks, (unsigned)asks);
}

/* Takes the other rank's sums, NULL: does not, and gives this one's, likewise. Returns an MPI error code. */
static int swap(struct gmg_groups *g, int words, int to, int from)
{
  MPI_Request request[2];
  int count = 0, error = MPI_SUCCESS;
  if (from >= 0)
    error = MPI_Irecv(g->others, words, MPI_UINT64_T, from, TAG, g->comm->mpi, &request[count++]);
  if (error != MPI_SUCCESS)
    return gmg_comm_failed(g->comm, error, "MPI_Irecv");
  if (to >= 0)
    error = MPI_Isend(g->sums, words, MPI_UINT64_T, to, TAG, g->comm->mpi, &request[count++]);
  return error != MPI_SUCCESS ? gmg_comm_failed(g->comm, error, "MPI_Isend")
                              : gmg_comm_wait(g->comm, request, count, "MPI_Testall");
}

static void add_others(struct gmg_groups *g, int count)
{
  int64_t own, other;
  for (int n = 0; n < count; n++)
    g->sums[n] += g->others[n];
  memcpy(&own, &g->sums[count], sizeof own);
  memcpy(&other, &g->others[count], sizeof other);
  if (other > own)
    memcpy(&g->sums[count], &other, sizeof other);
}

/* Over those who lead, by halves of a power of two; those beyond it give theirs to one within, and take the result from there. */
static int reduce_leaders(struct gmg_groups *g, int count)
{
  int half = 1, error = 0;
  while (2 * half <= g->leaders)
    half *= 2;
  const int beyond = g->index >= half, partner = beyond ? g->index - half : g->index + half;
  const int other = partner < g->leaders ? g->leader[partner] : -1;
  if (other >= 0)
    error = beyond ? swap(g, count + 1, other, -1) : swap(g, count + 1, -1, other);
  if (!error && other >= 0 && !beyond)
    add_others(g, count);
  for (int d = 1; d < half && !error && !beyond; d *= 2) {
    error = swap(g, count + 1, g->leader[g->index ^ d], g->leader[g->index ^ d]);
    if (!error)
      add_others(g, count);
  }
  if (error || other < 0)
    return error;
  error = beyond ? swap(g, count + 1, -1, other) : swap(g, count + 1, other, -1);
  if (beyond)
    memcpy(g->sums, g->others, sizeof g->sums);
  return error;
}

/* What this rank has, to all that it leads. */
static int tell_members(struct gmg_groups *g, int words)
{
  struct gmg_comm *comm = g->comm;
  int error = MPI_SUCCESS;
  for (int m = 0; m < g->members && error == MPI_SUCCESS; m++)
    error =
      MPI_Isend(g->sums, words, MPI_UINT64_T, comm->rank_of[comm->rank_here + 1 + m], TAG, comm->mpi, &g->request[m]);
  return error != MPI_SUCCESS ? gmg_comm_failed(comm, error, "MPI_Isend")
                              : gmg_comm_wait(comm, g->request, g->members, "MPI_Testall");
}

int gmg_groups_reduce(struct gmg_comm *comm, uint64_t *sum, int count, int64_t *most)
{
  struct gmg_groups *g = comm->groups;
  int error = gmg_comm_failure(comm) ? MPI_ERR_OTHER : 0;
  memcpy(g->sums, sum, (size_t)count * sizeof *sum);
  memcpy(&g->sums[count], most, sizeof *most);
  if (!g->leads)
    gmg_groups_ask(comm, sum[count - 1] > 0);
  for (int r = 0; g->leads && r < comm->here; r++)
    g->sums[count - 1] += atomic_load(&comm->bells[r].asks);
  if (!error && g->leads)
    error = reduce_leaders(g, count);
  if (!error)
    gmg_groups_meet(comm);
  if (!error && g->leads)
    error = tell_members(g, count + 1);
  else if (!error)
    error = swap(g, count + 1, -1, comm->rank_of[g->leader_here]);
  g->given_up = g->given_up || error;
  if (error)
    return error;
  const uint64_t *all = g->leads ? g->sums : g->others;
  memcpy(sum, all, (size_t)count * sizeof *sum);
  memcpy(most, &all[count], sizeof *most);
  return 0;
}

#else

struct gmg_groups *gmg_groups_create(struct gmg_comm *comm, const int *leader, int leaders, int own)
{
  (void)comm, (void)leader, (void)leaders, (void)own;
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

void gmg_groups_ask(struct gmg_comm *comm, int asks)
{
  (void)comm, (void)asks;
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
