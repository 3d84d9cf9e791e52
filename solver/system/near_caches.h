/* Sizes of the caches near a core, in bytes. */
#ifndef GMG_NEAR_CACHES_H
#define GMG_NEAR_CACHES_H

/* The second level; 1 MiB where the system does not say. */
double gmg_cache_second(void);
/* The third level on AMD's processors, where it belongs to few cores and is nearly as fast as the
 * second; 0 on others. At most `most`: where the C library tells the size of all of them together,
 * one. */
double gmg_cache_third_near(double most);

#endif
