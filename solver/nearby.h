/* The memory of other processes of this machine, where the system lets one process at another's: without messages, and without
 * buffers for them. Linux; elsewhere it never does. */
#ifndef GMG_NEARBY_H
#define GMG_NEARBY_H

#include <stddef.h>
#include <stdint.h>

/* What another process must know of this one; the number is to be found at the address. */
struct gmg_nearby {
  int64_t process;
  uint64_t address, number;
};

/* This process's, for the one at hand. Memory: static. */
struct gmg_nearby gmg_nearby_own(void);
/* Lets that process at this one's memory, where the system asks for that. */
void gmg_nearby_admit(const struct gmg_nearby *other);
/* Whether this process gets at that one's memory. */
int gmg_nearby_reached(const struct gmg_nearby *other);
/* `rows` rows of `bytes`, there `stride` bytes apart from address on, here in a dense array. Returns -1 where it failed. */
int gmg_nearby_read(const struct gmg_nearby *other, uint64_t address, ptrdiff_t stride, int rows, size_t bytes,
                    void *to);
int gmg_nearby_write(const struct gmg_nearby *other, uint64_t address, ptrdiff_t stride, int rows, size_t bytes,
                     void *from);

#endif
