/* C as the front end reads it, free of libclang: what is lowered to kernels. Parentheses and
 * implicit conversions are gone; names are resolved. */
#ifndef GEN_SYNTAX_H
#define GEN_SYNTAX_H

#include "ir/tree.h"

enum { GEN_MAX_LENGTHS = 4 };

enum gen_syntax_kind {
  GEN_SYNTAX_OTHER,
  /* statements */
  GEN_SYNTAX_BLOCK,
  GEN_SYNTAX_DECLARE, /* parts: variables */
  GEN_SYNTAX_FOR,     /* parts: start, bound, step, body; fewer if some are missing */
  GEN_SYNTAX_IF,      /* parts: condition, body, and the else if there is one */
  GEN_SYNTAX_WHILE,
  GEN_SYNTAX_GOTO,
  GEN_SYNTAX_SWITCH,
  GEN_SYNTAX_BREAK,
  GEN_SYNTAX_RETURN, /* parts: the value, if any */
  GEN_SYNTAX_EMPTY,
  GEN_SYNTAX_ASSIGN, /* parts: left, right; operation: GEN_SYNTAX_NONE for =, else that of the
                        compound assignment */
  /* expressions */
  GEN_SYNTAX_WHOLE,
  GEN_SYNTAX_REAL,
  GEN_SYNTAX_NAME,
  GEN_SYNTAX_ELEMENT, /* parts: array, subscript */
  GEN_SYNTAX_CALL,    /* parts: arguments; name: the function's */
  GEN_SYNTAX_UNARY,
  GEN_SYNTAX_BINARY,
  GEN_SYNTAX_CHOICE, /* parts: condition, value if it holds, value if not */
  /* declarations */
  GEN_SYNTAX_VARIABLE /* parts: lengths of an array, innermost first */
};

enum gen_syntax_operation {
  GEN_SYNTAX_NONE,
  GEN_SYNTAX_UNKNOWN,
  GEN_SYNTAX_ADD,
  GEN_SYNTAX_SUBTRACT,
  GEN_SYNTAX_MULTIPLY,
  GEN_SYNTAX_DIVIDE,
  GEN_SYNTAX_REMAINDER,
  GEN_SYNTAX_LESS,
  GEN_SYNTAX_LESS_EQUAL,
  GEN_SYNTAX_EQUAL,
  GEN_SYNTAX_GREATER,
  GEN_SYNTAX_GREATER_EQUAL,
  GEN_SYNTAX_UNEQUAL,
  GEN_SYNTAX_AND,
  GEN_SYNTAX_OR,
  GEN_SYNTAX_NOT,
  GEN_SYNTAX_COMMA,
  GEN_SYNTAX_INCREMENT
};

/* A variable as directives see it: double ***a, double (*a)[9][9] and double a[9][9][9]. */
struct gen_storage {
  enum gen_type type;                /* of the elements */
  int pointers, rank;                /* and dimensions of the array at the end of the pointers */
  long long length[GEN_MAX_LENGTHS]; /* outermost first; -1: not constant */
};

struct gen_syntax {
  enum gen_syntax_kind kind;
  enum gen_syntax_operation operation;
  struct gen_location where; /* where the text starts; of a variable: its name */
  const char *text;          /* as in the file, on one line */
  const char *name;          /* GEN_SYNTAX_NAME, _CALL, _VARIABLE; a label's */
  bool integer;              /* an expression of integer type */
  bool single;               /* one that is computed in float */
  long long whole;
  double real;
  /* GEN_SYNTAX_NAME: its variable, NULL if it is not declared in the function */
  const struct gen_syntax *declared;
  int count;
  const struct gen_syntax **part;
  struct {              /* GEN_SYNTAX_VARIABLE */
    enum gen_type type; /* of an array: of its elements */
    const char *type_text;
    int rank;
    struct gen_storage storage;
    bool argument, restricted, constant;
    int notes;
    const char *note; /* the last one; NULL if there is none */
    const struct gen_syntax *initial;
  } variable;
};

/* A function marked as operator or kernel. */
struct gen_function {
  const char *name, *asked, *comment; /* asked: the note after "gmg: " */
  struct gen_location where;
  bool returns_nothing;
  enum gen_type returns;
  int arguments;
  const struct gen_syntax **argument;
  const struct gen_syntax *body;
};

#endif
