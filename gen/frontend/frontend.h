/* The front end: C text to kernels. libclang stays inside frontend.c and
 * clang_kinds.c. */
#ifndef GEN_FRONTEND_H
#define GEN_FRONTEND_H

#include "syntax.h"

/* Reads a C file and lowers every function marked as operator or kernel.
 * Shape:   extra_args go to the C front end (-I of the operators' folder); GMG_COMPILER and C99 are
 * set Memory:  kernels is an array of *count kernels; it and they live until gen_clear
 * Errors:  false after a rejection (file:line: error: ...): any error of the C compiler itself, a
 * file without a marked function, and everything that is not a loop nest on declared arrays;
 * *kernels is then unusable */
bool gen_parse(const char *path, const char *const *extra_args, int nargs,
               struct gen_kernel ***kernels, int *count);

/* Reads the syntax of all functions that a C file defines, whose names may also be variables of the
 * file. Locations have columns.
 * Shape:   text is what stands in the file, or in its place; extra_args as above, after -std=c99
 * Memory:  functions is an array of *count functions; it and they live until gen_clear
 * Errors:  false after a rejection: any error of the C compiler itself */
bool gen_read_functions(const char *path, const char *text, const char *const *extra_args,
                        int nargs, const struct gen_function ***functions, int *count);

#endif
