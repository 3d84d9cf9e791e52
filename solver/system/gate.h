/* Waits between threads: awake for a moment, then asleep, so that a thread that waits for one whose
 * core another process has does not keep its own core from that process for nothing, and is fresh
 * when its turn comes. */
#ifndef GMG_OPENMP_GATE_H
#define GMG_OPENMP_GATE_H

#include <pthread.h>
#include <stdatomic.h>

/* Microseconds that waits stay awake. Where cores are the threads' own, longer than what one thread
 * does alone on coarse levels: solves at 128³ on 2 cores took 38, 40, 42, 45 ms with 1000, 100, 20,
 * 0. Where other processes want them, a small part of the milliseconds for which these get one:
 * what an OpenMP run time does, 10 ms, took three times as long. Where there are more threads than
 * cores, hardly at all. */
enum { GMG_AWAKE_LONG = 1000, GMG_AWAKE_BRIEFLY = 60, GMG_AWAKE_HARDLY = 2 };

/* Where threads sleep that wait for a count to grow; any number of counts may share one. */
struct gmg_gate {
  pthread_mutex_t lock;
  pthread_cond_t moved;
  atomic_int asleep;
  atomic_int awake; /* microseconds that waits stay awake that begin now; may be set at any time */
};

/* Returns 0, or -1 where the system has no room for one. Its waits stay awake long. */
int gmg_gate_init(struct gmg_gate *gate);
void gmg_gate_clear(struct gmg_gate *gate);
/* Returns when the count is at least `least`, counted so that it may wrap; what was written before
 * it got there is seen. */
void gmg_gate_wait(struct gmg_gate *gate, const atomic_uint *count, unsigned least);
/* Sets the count, or adds one to it, and wakes those who sleep. */
void gmg_gate_set(struct gmg_gate *gate, atomic_uint *count, unsigned value);
void gmg_gate_count(struct gmg_gate *gate, atomic_uint *count);

#endif
