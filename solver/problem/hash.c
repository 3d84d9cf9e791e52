#include "hash.h"

#include <string.h>

uint64_t gmg_hash(uint64_t hash, const void *bytes, size_t size)
{
  const unsigned char *from = bytes;
  for (; size >= sizeof hash; size -= sizeof hash, from += sizeof hash) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  for (; size > 0; size--)
    hash = (hash ^ *from++) * 0x100000001B3u;
  return hash ^ hash >> 29;
}
