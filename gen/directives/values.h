/* Values in the loops over cells: expressions of C to those of kernels. */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H

#include "translation.h"

enum { GEN_MAX_NEEDED = 128 };

/* A double variable of one nest, or an array's element that later statements read. */
struct gen_held {
  const struct gen_syntax *variable; /* NULL: of an array */
  int data;
  int scalar;                   /* of the kernel */
  const struct gen_expr *value; /* in the place of a scalar, of a sum, which is one statement */
  bool set;                     /* before this point, whatever conditions hold */
  bool assigned; /* before this point, perhaps under a condition that does not hold */
};

/* The nest that becomes a kernel. */
struct gen_making {
  struct gen_translation *translation;
  const struct gen_nest *nest;
  const struct gen_reach *reach; /* by data */
  int count;
  struct gen_held held[GEN_MAX_SCALARS];
  const int *program_array;           /* by data: the program's number */
  bool holds[GEN_MAX_PROGRAM_ARRAYS]; /* elements are kept in a scalar until the end */
  /* by the branches that are made, whatever holds, of an array that the nest does not read */
  bool stored_in_all[GEN_MAX_PROGRAM_ARRAYS];
  const struct gen_sum *sum; /* what is made of the nest; NULL: the kernel */
  /* of a sum: the variables that it needs; of arrays, those that it reads, and those that
   * statements above have stored */
  int needs;
  const struct gen_syntax *needed[GEN_MAX_NEEDED];
  bool summed[GEN_MAX_PROGRAM_ARRAYS], stored[GEN_MAX_PROGRAM_ARRAYS];
  /* not 0 in the cells that statements are for, which conditions are around; NULL: in all */
  const struct gen_expr *condition;
};

/* The scalar that holds a variable, or an array's element; NULL: none does yet. */
struct gen_held *gen_held_variable(struct gen_making *making, const struct gen_syntax *variable);
struct gen_held *gen_held_element(struct gen_making *making, int data);
/* Adds a scalar to the kernel; NULL after a rejection. */
struct gen_held *gen_hold(struct gen_making *making, const char *name,
                          const struct gen_syntax *variable, int data, struct gen_location where);
/* What it has. */
const struct gen_expr *gen_held_value(const struct gen_held *held);
/* Adds a statement to the kernel. Returns false after a rejection. */
bool gen_add_statement(struct gen_making *making, struct gen_statement statement);
/* Sets a scalar. Under a condition it keeps what it has in the cells where that does not hold; it
 * may have anything there where it has nothing yet. Returns false after a rejection. */
bool gen_set_held(struct gen_making *making, struct gen_held *held, const struct gen_expr *value,
                  struct gen_location where);
/* The element of an array at the cell that is visited, as it was before the kernel. NULL after a
 * rejection. */
const struct gen_expr *gen_make_element(struct gen_making *making, int data,
                                        struct gen_location where);
/* Reads a value; NULL after a rejection. */
const struct gen_expr *gen_make_value(struct gen_making *making, const struct gen_syntax *syntax);

#endif
