/* How long a thread of a solve keeps its core at a time where others want it. The threads of a solve wait for each other every
 * few hundred microseconds, and one that waits for a core for a whole turn of somebody else's, milliseconds, keeps all of them
 * waiting: it asks for short turns, of which it gets more. */
#ifndef GMG_OPENMP_SLICE_H
#define GMG_OPENMP_SLICE_H

/* Asks for short turns for the calling thread. Returns the turns that it had, in nanoseconds; 0 where the system does not let a
 * thread ask (Linux before 6.12), or it is scheduled in another way. */
unsigned long long gmg_slice_shorten(void);
/* Gives the calling thread the turns that it had. */
void gmg_slice_restore(unsigned long long before);

#endif
