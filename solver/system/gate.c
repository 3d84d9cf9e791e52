#include "gate.h"

#include "threads.h"

/* Turns of a wait between looks at the clock. */
enum { TURNS = 64 };

int gmg_gate_init(struct gmg_gate *gate)
{
  atomic_init(&gate->asleep, 0);
  atomic_init(&gate->awake, GMG_AWAKE_LONG);
  if (pthread_mutex_init(&gate->lock, NULL))
    return -1;
  if (pthread_cond_init(&gate->moved, NULL)) {
    pthread_mutex_destroy(&gate->lock);
    return -1;
  }
  return 0;
}

void gmg_gate_clear(struct gmg_gate *gate)
{
  pthread_cond_destroy(&gate->moved);
  pthread_mutex_destroy(&gate->lock);
}

static int is_there(const atomic_uint *count, unsigned least)
{
  return (int)(atomic_load(count) - least) >= 0;
}

static void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

void gmg_gate_wait(struct gmg_gate *gate, const atomic_uint *count, unsigned least)
{
  const double end = is_there(count, least)
    ? 0
    : gmg_seconds() + 1e-6 * atomic_load_explicit(&gate->awake, memory_order_relaxed);
  for (int turn = 1; !is_there(count, least); turn++) {
    pause_core();
    if (turn % TURNS == 0 && gmg_seconds() > end)
      break;
  }
  if (is_there(count, least))
    return;
  /* Either the one who sets the count sees that somebody sleeps, or this look at the count sees
   * what was set. */
  pthread_mutex_lock(&gate->lock);
  atomic_fetch_add(&gate->asleep, 1);
  while (!is_there(count, least))
    pthread_cond_wait(&gate->moved, &gate->lock);
  atomic_fetch_sub(&gate->asleep, 1);
  pthread_mutex_unlock(&gate->lock);
}

static void wake(struct gmg_gate *gate)
{
  if (atomic_load(&gate->asleep) == 0)
    return;
  pthread_mutex_lock(&gate->lock);
  pthread_cond_broadcast(&gate->moved);
  pthread_mutex_unlock(&gate->lock);
}

void gmg_gate_set(struct gmg_gate *gate, atomic_uint *count, unsigned value)
{
  atomic_store(count, value);
  wake(gate);
}

void gmg_gate_count(struct gmg_gate *gate, atomic_uint *count)
{
  atomic_fetch_add(count, 1);
  wake(gate);
}
