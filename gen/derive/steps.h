/* What a program's steps make of its arrays: after some of them, each array's value at a point as a
 * polynomial in what the arrays held before. */
#ifndef GEN_STEPS_H
#define GEN_STEPS_H

#include "ir/program.h"
#include "polynomial.h"

struct gen_steps {
  const struct gen_program *program;
  /* What the atoms are accesses of: the program's arrays by number, and scalars by name. */
  struct gen_kernel *kernel;
  struct gen_atoms atoms;
  bool changes[GEN_MAX_PROGRAM_ARRAYS];
  struct gen_polynomial *form[GEN_MAX_PROGRAM_ARRAYS]; /* NULL: room for values to come */
};

/* Before any step. kernel: takes the parameters that steps read. */
void gen_steps_begin(struct gen_steps *steps, const struct gen_program *program,
                     struct gen_kernel *kernel);
/* One round of the steps. Rejects, with the place and `purpose`, what is not linear in the arrays
 * that change, and more than GEN_MOST_PRODUCTS products. */
bool gen_steps_take(struct gen_steps *steps, const char *purpose);
/* One kernel of the program alone. Rejects likewise. */
bool gen_steps_run(struct gen_steps *steps, int kernel, const char *purpose);
/* An access to an array of the program at a shift from the point. */
struct gen_access gen_steps_access(int array, const int offset[3]);

#endif
