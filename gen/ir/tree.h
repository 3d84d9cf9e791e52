/* The compiler's own tree: what the front end lowers C to, what every later stage reads and writes.
 *
 * A kernel is a perfect loop nest over box, k, j, i; a guard on its iterations (a colour) or none;
 * and a list of statements. It is general: several outputs, scalar parameters, any halo. Nothing
 * here knows what multigrid is. */
#ifndef GEN_TREE_H
#define GEN_TREE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { GEN_MAX_SYMBOLS = 32, GEN_MAX_SCALARS = 96, GEN_MAX_STATEMENTS = 64 };
/* Arrays that a kernel's text or its derivation may have; a schedule adds its row buffers. */
enum { GEN_MAX_NAMED_ARRAYS = 40, GEN_MAX_ARRAYS = 64 };

enum gen_axis { GEN_I, GEN_J, GEN_K, GEN_BOX, GEN_AXES };
extern const char *const gen_axis_names[GEN_AXES];
enum gen_place { GEN_CELL, GEN_FACE_I, GEN_FACE_J, GEN_FACE_K };
enum gen_level { GEN_OWN, GEN_FINER, GEN_COARSER }; /* relative to the level the loops run over */
enum gen_type { GEN_DOUBLE, GEN_FLOAT, GEN_INT, GEN_NO_TYPE };
/* What a table holds where cells pair two by two, by own index i counted from the first: nothing in
 * particular, 2 i, 2 i + 1, i / 2, or i / 2 - 1 for even i and i / 2 + 1 for odd i; or one of four
 * neighbours around i: (i + 1) / 2 - 2, - 1, + 0,
 * + 1. */
enum gen_table_rule {
  GEN_NO_RULE,
  GEN_EVEN_CHILD,
  GEN_ODD_CHILD,
  GEN_PARENT,
  GEN_BESIDE,
  GEN_AROUND_0,
  GEN_AROUND_1,
  GEN_AROUND_2,
  GEN_AROUND_3
};

struct gen_location {
  const char *file;
  int line, column; /* column: counted from 1; 0: not known */
};

/* Loop variables and integer parameters: the symbols of affine expressions. Symbols 0..3 are the
 * loop variables in the order of enum gen_axis; the others are parameters (extents, number of
 * boxes, colour). */
struct gen_symbol {
  const char *name, *given; /* given: as in struct gen_array */
};

/* constant + Σ coefficient[s] · symbol s */
struct gen_affine {
  int constant;
  int coefficient[GEN_MAX_SYMBOLS];
};

/* A declared array. rank 4 is [box][k][j][i]; rank 1 is a line or a table along `axis`. */
struct gen_array {
  const char *name;
  const char *given; /* what its author calls it, where `name` is that of emitted text */
  struct gen_location where;
  enum gen_type type;
  int rank;
  enum gen_axis axis;   /* rank 1 only */
  enum gen_place place; /* of a line along axis a: GEN_CELL or GEN_FACE_a */
  enum gen_level level;
  /* subscript of the first interior element in each direction (box always counts from 0) */
  int first;
  /* declared length per dimension, by enum gen_axis (rank 1: entry `axis` only) */
  struct gen_affine extent[4];
  bool table;               /* integer values that serve as subscripts of the other level */
  int table_halo;           /* how far the values reach beyond that level's interior */
  enum gen_table_rule rule; /* of a table */
  bool restricted;          /* declared restrict, or a local array: overlaps no other */
  bool constant;            /* declared const */
  bool read, written;       /* by the statements */
};

/* One subscript: affine, or table[affine] + constant. */
struct gen_subscript {
  int table;                /* index of the table array, or -1 */
  struct gen_affine affine; /* the subscript, or the table's subscript */
  int offset;               /* added to the table's value; 0 without a table */
};

struct gen_access {
  int array;
  struct gen_subscript subscript[GEN_AXES]; /* by enum gen_axis; rank 1 uses entry `axis` */
};

enum gen_expr_kind {
  GEN_NUMBER,
  GEN_SCALAR, /* parameter or private */
  GEN_ACCESS,
  GEN_NEGATE,
  GEN_ADD,
  GEN_SUBTRACT,
  GEN_MULTIPLY,
  GEN_DIVIDE,
  GEN_FMA, /* argument[0] * argument[1] + argument[2]; made by the canonical form, or written fma()
            */
  GEN_ABS,
  GEN_MAXIMUM,
  GEN_MINIMUM,
  GEN_SQRT,
  GEN_LESS, /* 1 or 0, as this and the next two say; argument[0] of a GEN_CHOOSE */
  GEN_LESS_EQUAL,
  GEN_EQUAL,
  GEN_CHOOSE, /* argument[1] where argument[0] is not 0, else argument[2]; both have no effects */
  GEN_ONLY /* argument[0] in the cells of one of two colours, 0 in the others: (i + j + k + number)
            * mod 2 = argument[1] - 1 at the global indices of the cell that argument[2], an access,
            * names. argument[1] a parameter; where it is 0 argument[0] everywhere */
};

struct gen_expr {
  enum gen_expr_kind kind;
  struct gen_location where;
  double number;
  int scalar;
  struct gen_access access;
  const struct gen_expr *argument[3];
};

/* A floating-point scalar. A private one is written before it is read in every iteration. A
 * reduction holds a sum or a maximum over all iterations: GEN_MAX that of values of which none
 * below 0 counts, GEN_LARGEST that of any. */
enum gen_scalar_role { GEN_PARAMETER, GEN_PRIVATE, GEN_SUM, GEN_MAX, GEN_LARGEST };
struct gen_scalar {
  const char *name, *given; /* given: as in struct gen_array */
  struct gen_location where;
  enum gen_scalar_role role;
  bool stands_for_field; /* which is one number everywhere */
};

enum gen_statement_kind {
  GEN_STORE,  /* access = value */
  GEN_SET,    /* private scalar = value */
  GEN_REDUCE, /* sum += value, or most = fmax(most, value), as the scalar's role says */
  GEN_NORM /* sum += value², most = fmax(most, |value|), over all cells along i of the finer level's
            * row that the value's tables along j and k name: its table along i stands for every one
            * of them, once */
};
struct gen_statement {
  enum gen_statement_kind kind;
  struct gen_location where;
  struct gen_access target; /* GEN_STORE */
  int scalar;               /* GEN_SET, GEN_REDUCE */
  const struct gen_expr *value;
};

/* for (variable = lower; variable <= upper; variable++) */
struct gen_loop {
  struct gen_location where;
  struct gen_affine lower, upper;
};

/* Which iterations a kernel visits. GEN_PARITY: those with (sum) mod 2 = remainder, sum over
 * symbols (listing 1 of the central paper; `colour` is among them). GEN_LATTICE: those whose global
 * index is congruent to the colour's digit per axis, modulus[axis] (1 = every index); colour = c_i
 * + m_i (c_j + m_j c_k). In a derived kernel the parity is that of the global indices i + j + k +
 * colour, too. */
enum gen_guard_kind { GEN_EVERYWHERE, GEN_PARITY, GEN_LATTICE };
struct gen_guard {
  enum gen_guard_kind kind;
  struct gen_location where;
  /* indices are those of the whole level, counted from 0; else the loop variables as written */
  bool global;
  struct gen_affine sum; /* GEN_PARITY, not global: as written */
  int remainder;         /* GEN_PARITY */
  int modulus[3];        /* GEN_LATTICE, by axis */
  /* GEN_LATTICE with two colours along i: in each row the cells of the colour, and after them those
   * of the other one */
  bool both;
};

enum gen_kernel_kind { GEN_AS_WRITTEN, GEN_OPERATOR };

struct gen_kernel {
  const char *name;
  enum gen_kernel_kind kind;
  struct gen_location where;
  const char *comment; /* the comment above the function, without its marks; "" if none */
  int symbols, arrays, scalars, statements;
  struct gen_symbol symbol[GEN_MAX_SYMBOLS];
  struct gen_array array[GEN_MAX_ARRAYS];
  struct gen_scalar scalar[GEN_MAX_SCALARS];
  struct gen_loop loop[GEN_AXES];
  struct gen_guard guard;
  struct gen_statement statement[GEN_MAX_STATEMENTS];
};

/* The compilation's memory and diagnostics: one at a time, and in one thread. gen_clear frees all
 * of it; until then all nodes live. */
void gen_clear(void);
/* Zeroed memory; ends the process with a message when there is none. */
void *gen_allocate(size_t bytes);
const char *gen_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The list with one more, separated by commas; "" holds none. */
const char *gen_listed(const char *list, const char *item);
const char *gen_text_of(const char *format, va_list list);
/* Records "file:line: error: …", or "file:line:column: error: …" ; returns false, so that a stage
 * can `return gen_reject(...)`. */
bool gen_reject(struct gen_location where, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
/* Records "file:line: note: …": something to know, and no fault. */
void gen_note(struct gen_location where, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
/* All that was recorded, a line each; "" if nothing. */
const char *gen_diagnostics(void);
/* Takes back what was recorded since gen_diagnostics gave `said`. */
void gen_forget_diagnostics(const char *said);

/* Constructors. They simplify nothing. */
const struct gen_expr *gen_number(double value);
const struct gen_expr *gen_scalar_ref(int scalar);
const struct gen_expr *gen_access_ref(struct gen_access access);
const struct gen_expr *gen_unary(enum gen_expr_kind kind, const struct gen_expr *a);
const struct gen_expr *gen_binary(enum gen_expr_kind kind, const struct gen_expr *a,
                                  const struct gen_expr *b);
struct gen_expr *gen_operation(enum gen_expr_kind kind, const struct gen_expr *a,
                               const struct gen_expr *b, const struct gen_expr *c);
struct gen_expr *gen_copy(const struct gen_expr *expr);
int gen_arity(const struct gen_expr *expr);
/* A function that values may call, by its name in C; NULL: there is none of that name. */
struct gen_intrinsic {
  const char *name;
  enum gen_expr_kind kind;
  int arity;
};
const struct gen_intrinsic *gen_find_intrinsic(const char *name);
/* What an operation gives for numbers, and for two expressions that are numbers: NULL if they are
 * none, or divided by 0. */
double gen_compute(enum gen_expr_kind kind, const double v[3]);
const struct gen_expr *gen_folded(enum gen_expr_kind kind, const struct gen_expr *a,
                                  const struct gen_expr *b);

struct gen_affine gen_affine_constant(int value);
bool gen_affine_is_constant(const struct gen_affine *affine);
/* to += factor * affine */
void gen_affine_add(struct gen_affine *to, int factor, const struct gen_affine *affine);
/* Whether the subscript is that loop variable plus a constant. */
bool gen_is_shift(const struct gen_subscript *subscript, enum gen_axis axis);
bool gen_access_equal(const struct gen_access *a, const struct gen_access *b);
bool gen_is_number(const struct gen_expr *expr, double value);
bool gen_expr_equal(const struct gen_expr *a, const struct gen_expr *b);
/* Index of the array with that name, or -1. */
int gen_find_array(const struct gen_kernel *kernel, const char *name);
/* Sets read and written of every array from the statements. */
void gen_mark_accesses(struct gen_kernel *kernel);

/* Whether the scalar, or the array, occurs in the expression. */
bool gen_reads_scalar(const struct gen_expr *expr, int scalar);
bool gen_reads_array(const struct gen_expr *expr, int array);
/* Returns how far along the axis an access without tables is from the loop's own point. */
int gen_offset(const struct gen_kernel *kernel, const struct gen_access *access,
               enum gen_axis axis);

/* In the words of C, for messages and dumps. */
const char *gen_affine_text(const struct gen_kernel *kernel, const struct gen_affine *affine);
const char *gen_access_text(const struct gen_kernel *kernel, const struct gen_access *access);
const char *gen_expr_text(const struct gen_kernel *kernel, const struct gen_expr *expr);
/* An expression in the words of C. `special` returns how it is written otherwise, or NULL; suffix
 * is that of math.h's functions. Parentheses are put around it where it binds less than `least`. */
enum { GEN_AS_ARGUMENT = -1 };
struct gen_style {
  const char *(*special)(const struct gen_style *style, const struct gen_expr *expr, int least);
  const void *data;
  const char *suffix;
};
const char *gen_words(const struct gen_style *style, const struct gen_expr *expr, int least);
/* The whole kernel, indented, as `--dump tree` prints it. */
const char *gen_kernel_text(const struct gen_kernel *kernel);

#endif
