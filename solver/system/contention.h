/* Whether other processes want the cores that a thread runs on, seen by how long it waits for them.
 */
#ifndef GMG_CONTENTION_H
#define GMG_CONTENTION_H

#include <pthread.h>

struct gmg_contention {
  pthread_t thread;
  int open, file; /* the system's account of the thread */
  double time[2]; /* nanoseconds that it had run, and had waited for a core, at the last look */
  double next;    /* when to look again */
  int there;
};

/* Begins to look at the calling thread: at what it has done since the last look, or at all that it
 * has done. */
void gmg_contention_begin(struct gmg_contention *contention);
/* Closes what begin opened. */
void gmg_contention_end(struct gmg_contention *contention);
/* Whether there is contention. Looks at most once a millisecond. Calls: by that thread. */
int gmg_contention_there(struct gmg_contention *contention);

#endif
