/* What wisdom is told of the device and its kernels. Subjects are "kernel SYMBOL". */
#ifndef GMG_CUDA_WISDOM_H
#define GMG_CUDA_WISDOM_H

#include "runtime/backend.h"

/* Of the table of functions (runtime/backend.h). */
void gmg_cuda_identify(gmg_context *context, struct gmg_wisdom_key *key);
int gmg_cuda_source(const char *subject, char *hash, size_t size);
int gmg_cuda_allows(const char *subject, const char *name, const char *word, int number);

#endif
