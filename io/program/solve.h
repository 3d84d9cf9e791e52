/* Solves a problem file, as gmg FILE.h5 does. */
#ifndef GMG_IO_SOLVE_H
#define GMG_IO_SOLVE_H

struct arguments;
struct failure;

/* Returns the exit status. Collective. */
int solve_problem(const struct arguments *arguments, struct failure *failure);

#endif
