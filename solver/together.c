#include "together.h"

#include "carry.h"
#include "groups.h"
#include "memory.h"
#include "openmp/spread.h"
#include "openmp/team.h"
#include "solver.h"

#include <stdlib.h>
#include <string.h>

/* Ranks [from, to) of a machine's `here` that are group g of `groups`. */
static void members(int g, int groups, int here, int *from, int *to)
{
  *from = (int)((int64_t)g * here / groups);
  *to = (int)((int64_t)(g + 1) * here / groups);
}

static int least_int(int a, int b)
{
  return a < b ? a : b;
}

/* How many groups there are on this machine. With a core for each of 16 ranks, at 256³, a solve took 0.36 to 0.38 s with each by
 * itself, 0.39 to 0.42 in groups of 2 or 4 and 0.33 in one of all (mixed precision 0.26, 0.29 to 0.34, 0.30): then they stay as they
 * are. Four ranks on two cores took 1.3 to 1.6 times as long as two threads by themselves, and at
 * most 1.13 times together. */
static int count_groups(const struct gmg_solver *s, int threads, int cores)
{
  const int here = s->context->comm.here, active = least_int(threads, cores);
  const char *text = getenv("GMG_TOGETHER");
  const int asked = s->options.together != GMG_OPTION_AUTO ? s->options.together : text ? atoi(text) : 0;
  if (asked > 0)
    return least_int((here + asked - 1) / asked, here);
  const int pays = threads > cores || cores <= GMG_TOGETHER_CORES;
  return pays ? least_int((active + GMG_TOGETHER_CORES - 1) / GMG_TOGETHER_CORES, here) : here;
}

/* This rank's group among those of its machine. Returns whether it has others. */
static int form_group(struct gmg_solver *s)
{
  const struct gmg_comm *comm = &s->context->comm;
  struct gmg_together *t = &s->together;
  int threads = 0, from, to, g = 0;
  for (int r = 0; r < comm->here; r++)
    threads += comm->asked[r];
  t->here = threads;
  t->lead = comm->rank;
  const int cores = gmg_cores_count(comm->cores, comm->here);
  if (comm->here == 1 || cores == 0 || s->placement.device)
    return 0;
  const int active = least_int(threads, cores), groups = count_groups(s, threads, cores);
  for (members(g, groups, comm->here, &from, &to); comm->rank_here >= to; members(++g, groups, comm->here, &from, &to))
    ;
  if (to - from == 1)
    return 0;
  t->lead = comm->rank_of[from];
  for (int r = threads = 0; r + from < to; r++)
    threads += comm->asked[r + from];
  const int share = (int)((int64_t)active * (to - from) / comm->here),
            own = gmg_cores_count(comm->cores + from, to - from);
  threads = least_int(threads, least_int(own, share > 1 ? share : 1));
  t->here = active;
  if (comm->rank_here == from)
    t->threads = threads;
  for (int r = from; r < to; r++)
    for (size_t n = 0; n < sizeof t->cores.mask; n++)
      t->cores.mask[n] |= comm->cores[r].mask[n];
  return 1;
}

/* The ranks that lead, known to all. */
static int list_leaders(struct gmg_solver *s, int leads)
{
  struct gmg_comm *comm = &s->context->comm;
  struct gmg_together *t = &s->together;
  double *flag = gmg_calloc((size_t)comm->ranks, sizeof *flag);
  t->leader = gmg_malloc((size_t)comm->ranks * sizeof *t->leader);
  int failed = !flag || !t->leader;
  if (gmg_comm_max_int(comm, &failed, 1) || failed) {
    gmg_free(flag);
    return -1;
  }
  flag[comm->rank] = leads;
  failed = gmg_comm_sum(comm, flag, comm->ranks);
  t->group = -1;
  for (int r = 0; r < comm->ranks && !failed; r++)
    if (flag[r] > 0) {
      t->group = r == comm->rank ? t->groups : t->group;
      t->leader[t->groups++] = r;
    }
  gmg_free(flag);
  return failed ? -1 : 0;
}

int gmg_together_plan(struct gmg_solver *s)
{
  gmg_together_end(s);
  gmg_together_clear(&s->together);
  s->together.threads = s->context->threads;
  if (s->context->comm.ranks == 1)
    return 0;
  int any = form_group(s);
  if (gmg_comm_max_int(&s->context->comm, &any, 1))
    return -1;
  if (!any)
    return 0;
  struct gmg_together *t = &s->together;
  if (list_leaders(s, t->lead == s->context->comm.rank))
    return -1;
  t->ranks = gmg_groups_create(&s->context->comm, t->leader, t->groups, t->lead);
  if (!t->ranks) { /* the processes share no memory */
    gmg_together_clear(t);
    t->threads = s->context->threads;
    return 0;
  }
  const struct gmg_cores *own = &s->context->comm.cores[s->context->comm.rank_here];
  if (t->group >= 0 && gmg_cores_count(&t->cores, 1) > gmg_cores_count(own, 1))
    t->before = gmg_calloc((size_t)t->threads, sizeof *t->before);
  return gmg_carry_plan(s) ? -1 : 0;
}

void gmg_together_clear(struct gmg_together *together)
{
  gmg_carry_clear(together);
  gmg_groups_destroy(&together->ranks);
  gmg_free(together->leader);
  gmg_free(together->before);
  memset(together, 0, sizeof *together);
}

void gmg_together_begin(struct gmg_solver *s)
{
  struct gmg_together *t = &s->together;
  struct gmg_comm *comm = &s->context->comm;
  if (!t->leader || t->begun)
    return;
  t->begun = 1;
  comm->groups = t->ranks;
  comm->threads = t->threads;
  gmg_team_resize(s->context->team, t->threads);
  gmg_team_crowd(s->context->team, t->here, gmg_cores_count(comm->cores, comm->here));
  if (t->before)
    gmg_spread(t->threads, &t->cores, t->before);
}

void gmg_together_end(struct gmg_solver *s)
{
  struct gmg_together *t = &s->together;
  struct gmg_comm *comm = &s->context->comm;
  if (!t->begun)
    return;
  if (t->before)
    gmg_spread_back(t->threads, t->before);
  t->begun = 0;
  comm->groups = NULL;
  comm->threads = s->context->threads;
  gmg_team_resize(s->context->team, s->context->threads);
  gmg_context_crowd(s->context);
}
