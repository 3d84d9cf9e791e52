/* Sets of a machine's cores, by the numbers that the system gives them. */
#ifndef GMG_CORES_H
#define GMG_CORES_H

enum { GMG_CORES = 1024 };
struct gmg_cores {
  unsigned char mask[GMG_CORES / 8];
};

/* Where the calling thread may run; empty where the system does not say. */
void gmg_cores_own(struct gmg_cores *cores);
/* How many cores `sets` of them have together. */
int gmg_cores_count(const struct gmg_cores *cores, int sets);

#endif
