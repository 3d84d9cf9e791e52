/* Contraction per cycle and numbers of cycles: the Must hold 6. */
#ifndef TESTS_CONTRACTION_CHECK_H
#define TESTS_CONTRACTION_CHECK_H

/* V(2,2) with red-black Gauss-Seidel on cubes of these sizes (0 ends them), constant coefficients,
 * to 1e-12: the geometric mean of the last five contraction factors must be at most 0.125 at ω = 1
 * and 0.08 at the default, and vary by less than 0.02 over the sizes, for Dirichlet, Neumann and
 * periodic faces. Prints a table; returns the number of failures. */
int contraction_check(const int *sizes);
/* Cycles to 1e-10 in default settings on the list of shapes with equal spacing, those with
 * at most this many cells: at most 10, Dirichlet and Neumann; at most 13, odd periodic. Returns the
 * number of failures. */
int cycles_check(long most_cells);

#endif
