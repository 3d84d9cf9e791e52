/* What tests of cycles share: one context for all tests of a file, and solves with a few options
 * more. */
#ifndef TESTS_SOLVES_H
#define TESTS_SOLVES_H

#include "manufactured.h"

/* Name, value, … of options. */
#define SOLVES_OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { SOLVES_NOT_CONVERGED = 1000 };

extern gmg_context *solves_context;
/* Around the tests of a file: makes and destroys the context. */
int solves_begin(void **state);
int solves_end(void **state);

/* A solve with these options on top; the test fails if it is refused. The caller frees its u. */
struct manufactured_result solves_with(struct manufactured problem, const char *const options[]);
/* How many cycles (with a Krylov method: iterations) it takes; SOLVES_NOT_CONVERGED if it does not
 * converge. */
int solves_cycles(struct manufactured problem, const char *const options[]);
/* A solver on n^3 cells of the unit cube, not set up. Memory: give. */
gmg_solver *solves_solver(int n, const char *const options[]);

#endif
