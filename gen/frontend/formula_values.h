/* What the parts of the front end for formulas share: the file that is read, the kernel that is
 * made, and values. */
#ifndef GEN_FORMULA_VALUES_H
#define GEN_FORMULA_VALUES_H

#include "formula_scan.h"
#include "ir/program.h"

enum { GEN_MAX_USES = 1024 };

/* A temporary: where it was set last, and whether anything has read it. */
struct gen_temporary {
  int scalar; /* of the kernel */
  bool read;
};

struct gen_formula {
  struct gen_scanner scanner;
  struct gen_program *program;
  int reductions; /* of the head, and where the text of each goes on after its first word */
  struct gen_scanner reduction[GEN_MAX_REDUCTIONS];
  /* The kernel that is read. Accesses name arrays of the program until it is finished. */
  struct gen_kernel *kernel;
  int uses;
  struct gen_expr *use[GEN_MAX_USES]; /* all its reads of arrays */
  bool stored[GEN_MAX_PROGRAM_ARRAYS];
  struct gen_location stored_where[GEN_MAX_PROGRAM_ARRAYS];
  int temporaries;
  struct gen_temporary temporary[GEN_MAX_SCALARS];
};

/* The program's array, or scalar, of that name; -1: there is none. */
int gen_formula_array(const struct gen_program *program, const char *name);
int gen_formula_scalar(const struct gen_program *program, const char *name);
/* The array that holds values of an age of the declared array `of`, made if there is none yet;
 * where: what asks for it. -1 after a rejection. */
int gen_formula_aged(struct gen_program *program, int of, int age, struct gen_location where);
/* The kernel's temporary of that name; -1: there is none. */
int gen_formula_temporary(const struct gen_formula *formula, const char *name);

/* Reads the subscripts of an array, [i+1][j][k-2], into an access. */
bool gen_formula_subscripts(struct gen_formula *formula, const char *name,
                            struct gen_access *access);
/* Notes that the kernel reads the element. NULL after a rejection. */
const struct gen_expr *gen_formula_read(struct gen_formula *formula, struct gen_access access,
                                        struct gen_location where);
/* The kernel's own parameter for one of the program's, added at its first use. NULL after a
 * rejection. */
const struct gen_expr *gen_formula_parameter(struct gen_formula *formula, int index,
                                             struct gen_location where);
/* Reads a value. NULL after a rejection. */
const struct gen_expr *gen_formula_value(struct gen_formula *formula);
/* a + b, a - b, a * b or a / b, folded where both are numbers; rejects a division by zero. */
const struct gen_expr *gen_formula_binary(enum gen_expr_kind kind, const struct gen_expr *a,
                                          const struct gen_expr *b, struct gen_location where);

#endif
