/* The front end: C text to kernels. libclang stays inside frontend.c and
 * clang_kinds.c. */
#ifndef GEN_FRONTEND_H
#define GEN_FRONTEND_H

#include "ir/tree.h"

/* Reads a C file and lowers every function marked as operator or kernel.
 * Shape:   extra_args go to the C front end (-I of the operators' folder); GMG_COMPILER and C99 are
 * set Memory:  kernels is an array of *count kernels; it and they live until gen_clear
 * Errors:  false after a rejection (file:line: error: ...): any error of the C compiler itself, a
 * file without a marked function, and everything that is not a loop nest on declared arrays;
 * *kernels is then unusable */
bool gen_parse(const char *path, const char *const *extra_args, int nargs,
               struct gen_kernel ***kernels, int *count);

#endif
