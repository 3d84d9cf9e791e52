/* Whether other processes want the cores that a thread runs on, seen by how long it waits for them. */
#ifndef GMG_OPENMP_COMPANY_H
#define GMG_OPENMP_COMPANY_H

#include <pthread.h>

struct gmg_company {
  pthread_t thread;
  int open, file; /* the system's account of the thread */
  double time[2]; /* nanoseconds that it had run, and had waited for a core, at the last look */
  double next;    /* when to look again */
  int there;
};

/* Begins to look at the calling thread: at what it has done since the last look, or at all that it has done. */
void gmg_company_begin(struct gmg_company *company);
/* Closes what begin opened. */
void gmg_company_end(struct gmg_company *company);
/* Whether it has company. Looks at most once a millisecond. Calls: by that thread. */
int gmg_company_there(struct gmg_company *company);

#endif
