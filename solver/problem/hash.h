/* A hash, by which ranks compare what they all have. */
#ifndef GMG_HASH_H
#define GMG_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the hash of `size` bytes, on top of another hash. */
uint64_t gmg_hash(uint64_t hash, const void *bytes, size_t size);

#endif
