/* The caches that a process may use, as the system tells of them. */
#ifndef GMG_CACHES_H
#define GMG_CACHES_H

enum { GMG_CACHES = 3 };

struct gmg_caches {
  /* Bytes of the caches of level 1, 2, 3 (of data) that belong to the cores this process may run
   * on, all of them together; a cache that other cores share counts in part. 0: there is none. */
  double all[GMG_CACHES];
  double machine[GMG_CACHES]; /* those same caches as a whole */
  double free_memory;         /* bytes that are free on the machine */
  int cores;                  /* that this process may run on */
};

/* Fills it from the files of the kernel, or, where these say nothing, from sysconf. */
void gmg_caches_find(struct gmg_caches *caches);

#endif
