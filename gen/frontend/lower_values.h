/* What the parts of lowering share: the function that is lowered, its names, and its expressions.
 */
#ifndef GEN_LOWER_VALUES_H
#define GEN_LOWER_VALUES_H

#include "lower_scalars.h"
#include "syntax.h"

enum { GEN_MAX_NAMES = 256 };

/* What a declared name stands for. */
enum gen_meaning { GEN_NAME_UNSET, GEN_NAME_AFFINE, GEN_NAME_SCALAR, GEN_NAME_ARRAY };
struct gen_name {
  const struct gen_syntax *declaration;
  enum gen_meaning meaning;
  struct gen_affine value; /* GEN_NAME_AFFINE */
  int index;               /* GEN_NAME_SCALAR, GEN_NAME_ARRAY */
};

struct gen_lowering {
  struct gen_kernel *kernel;
  bool in_loops, loops_done;
  struct gen_prelude prelude;
  int names;
  struct gen_name name[GEN_MAX_NAMES];
};

/* Rejects with "'text' why"; returns false. */
bool gen_refuse(const struct gen_syntax *syntax, const char *why);
/* What the name stands for; NULL if the syntax is no name or is not declared. */
struct gen_name *gen_name_of(struct gen_lowering *lowering, const struct gen_syntax *syntax);

/* False, and nothing said, if the expression is not affine in loop variables and integer arguments.
 */
bool gen_lower_affine(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                      struct gen_affine *out);
/* The same, and without any symbol. */
bool gen_lower_constant(struct gen_lowering *lowering, const struct gen_syntax *syntax, int *out);
bool gen_uses_loops(const struct gen_affine *affine);

/* The value of + - * or /; 0 for other operations. */
enum gen_expr_kind gen_arithmetic(const struct gen_syntax *syntax);
/* The next two reject what they cannot take. */
bool gen_lower_access(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                      struct gen_access *access);
const struct gen_expr *gen_lower_value(struct gen_lowering *lowering,
                                       const struct gen_syntax *syntax);

/* Declares an argument or a local variable; its value is not looked at unless it is an integer. */
bool gen_lower_declaration(struct gen_lowering *lowering, const struct gen_syntax *variable);
/* A name that means nothing yet; NULL after a rejection. */
struct gen_name *gen_declare_name(struct gen_lowering *lowering, const struct gen_syntax *variable);

#endif
