#include "team.h"

#include "memory.h"
#include "contention.h"
#include "gate.h"
#include "order.h"

#include <omp.h>
#include <stddef.h>

enum { BEGIN, END, INSIDE, GATES };

struct gmg_team {
  int threads; /* asked for */
  int size;    /* of the region that is open; 0: none is */
  int crowded; /* more threads than cores on this machine */
  struct gmg_contention contention;
  struct gmg_gate gate[GATES];
  atomic_uint begun; /* pieces of work, the one that says that all is over among them */
  char apart[64];    /* from the next one's cache line */
  atomic_uint done;  /* by the threads after the first, all together */
  gmg_share *share;  /* NULL: all is over */
  void *work;
  int of; /* how many threads share it */
};

struct gmg_team *gmg_team_create(int threads)
{
  struct gmg_team *team = gmg_calloc(1, sizeof *team);
  if (!team)
    return NULL;
  team->threads = threads;
  int made = 0;
  while (made < GATES && gmg_gate_init(&team->gate[made]) == 0)
    made++;
  if (made == GATES)
    return team;
  while (made > 0)
    gmg_gate_clear(&team->gate[--made]);
  gmg_free(team);
  return NULL;
}

void gmg_team_crowd(struct gmg_team *team, int threads, int cores)
{
  team->crowded = team->threads > omp_get_num_procs() || (cores > 0 && threads > cores);
}

/* How long waits stay awake. */
static void set_waits(struct gmg_team *team)
{
  const int awake = team->crowded             ? GMG_AWAKE_HARDLY
    : gmg_contention_there(&team->contention) ? GMG_AWAKE_BRIEFLY
                                              : GMG_AWAKE_LONG;
  for (int n = 0; n < GATES; n++)
    atomic_store_explicit(&team->gate[n].awake, awake, memory_order_relaxed);
}

struct gmg_gate *gmg_team_gate(struct gmg_team *team)
{
  return &team->gate[INSIDE];
}

void gmg_team_destroy(struct gmg_team **team)
{
  if (!team || !*team)
    return;
  gmg_contention_end(&(*team)->contention);
  for (int n = 0; n < GATES; n++)
    gmg_gate_clear(&(*team)->gate[n]);
  gmg_free(*team);
  *team = NULL;
}

int gmg_team_together(const struct gmg_team *team)
{
  return team && team->size > 0;
}

/* Takes part in each piece of work until all is over; `begun` is how many had begun before. */
static void serve(struct gmg_team *team, int thread, unsigned begun)
{
  for (int over = 0; !over;) {
    gmg_gate_wait(&team->gate[BEGIN], &team->begun, ++begun);
    over = !team->share;
    if (!over && thread < team->of)
      team->share(team->work, thread, team->of);
    gmg_gate_count(&team->gate[END], &team->done);
  }
}

static void begin(struct gmg_team *team, gmg_share *share, void *work, int of)
{
  team->share = share;
  team->work = work;
  team->of = of;
  gmg_gate_count(&team->gate[BEGIN], &team->begun);
}

void gmg_team_lead(struct gmg_team *team, void (*lead)(void *work), void *work)
{
  if (team->size > 0 || team->threads == 1) {
    lead(work);
    return;
  }
  const unsigned begun = atomic_load(&team->begun);
#pragma omp parallel num_threads(team->threads)
  {
    const int thread = omp_get_thread_num();
    if (thread > 0) {
      serve(team, thread, begun);
    } else {
      team->size = omp_get_num_threads();
      gmg_contention_begin(&team->contention);
      lead(work);
      begin(team, NULL, NULL, 0);
      team->size = 0;
    }
  }
}

void gmg_team_share(struct gmg_team *team, int threads, gmg_share *share, void *work)
{
  if (threads <= 1) {
    share(work, 0, 1);
  } else if (gmg_team_together(team)) {
    const unsigned done = atomic_load(&team->done);
    const int of = gmg_smaller(threads, team->size);
    if (of > 1) {
      set_waits(team);
      begin(team, share, work, of);
    }
    share(work, 0, of);
    if (of > 1)
      gmg_gate_wait(&team->gate[END], &team->done, done + (unsigned)team->size - 1);
  } else {
#pragma omp parallel num_threads(threads)
    share(work, omp_get_thread_num(), omp_get_num_threads());
  }
}

void gmg_part(int things, int thread, int of, int *from, int *to)
{
  const int each = things / of, more = things % of;
  *from = thread * each + gmg_smaller(thread, more);
  *to = *from + each + (thread < more);
}
