/* Values in the loops over cells: expressions of C to those of kernels. */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H

#include "translation.h"

/* A double variable of one nest, or an array's element that later statements read. */
struct gen_held {
  const struct gen_syntax *variable; /* NULL: of an array */
  int data;
  int scalar; /* of the kernel */
  bool set;
};

/* The nest that becomes a kernel. */
struct gen_making {
  struct gen_translation *translation;
  const struct gen_nest *nest;
  int count;
  struct gen_held held[GEN_MAX_SCALARS];
  const int *program_array;           /* by data: the program's number */
  bool holds[GEN_MAX_PROGRAM_ARRAYS]; /* elements are kept in a scalar until the end */
};

/* The scalar that holds a variable, or an array's element; NULL: none does yet. */
struct gen_held *gen_held_variable(struct gen_making *making, const struct gen_syntax *variable);
struct gen_held *gen_held_element(struct gen_making *making, int data);
/* Adds a scalar to the kernel; NULL after a rejection. */
struct gen_held *gen_hold(struct gen_making *making, const char *name,
                          const struct gen_syntax *variable, int data, struct gen_location where);
/* Reads a value; NULL after a rejection. */
const struct gen_expr *gen_make_value(struct gen_making *making, const struct gen_syntax *syntax);

#endif
