/* Shared libraries that are opened at run time, and stay open until the process ends: drivers do
 * not like to be closed. */
#ifndef GMG_CUDA_LIBRARY_H
#define GMG_CUDA_LIBRARY_H

#include <stddef.h>

/* A library by the first of these names, which NULL ends, that there is; NULL with the reason, in
 * which it is called `what`. */
void *gmg_library_open(const char *const *names, const char *what, char *reason, size_t size);
/* Sets *pointer to a function of it. Returns -1 with the reason where there is none of that name.
 */
int gmg_library_find(void *library, const char *name, void *pointer, const char *what, char *reason,
                     size_t size);

#endif
