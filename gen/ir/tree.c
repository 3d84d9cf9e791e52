#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(16) char bytes[];
};

/* Memory and messages of the compilation. */
static struct chunk *chunks;
static const char *diagnostics = "";

const char *const gen_axis_names[GEN_AXES] = {"i", "j", "k", "box"};

void gen_clear(void)
{
  while (chunks) {
    struct chunk *next = chunks->next;
    free(chunks);
    chunks = next;
  }
  diagnostics = "";
}

void *gen_allocate(size_t bytes)
{
  const size_t rounded = (bytes + 15) & ~(size_t)15;
  if (!chunks || chunks->used + rounded > chunks->size) {
    const size_t size = rounded > 65536 ? rounded : 65536;
    struct chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) {
      fputs("gmg-gen: out of memory\n", stderr);
      exit(3);
    }
    chunk->size = size;
    chunk->next = chunks;
    chunks = chunk;
  }
  void *memory = chunks->bytes + chunks->used;
  chunks->used += rounded;
  return memory;
}

const char *gen_text_of(const char *format, va_list list)
{
  va_list again;
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = gen_allocate((size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, list);
  return text;
}

const char *gen_text(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const char *text = gen_text_of(format, list);
  va_end(list);
  return text;
}

const char *gen_listed(const char *list, const char *item)
{
  return *list ? gen_text("%s, %s", list, item) : item;
}

static void record(struct gen_location where, const char *kind, const char *text)
{
  const char *column = where.column ? gen_text(":%d", where.column) : "";
  diagnostics = gen_text("%s%s:%d%s: %s: %s\n", diagnostics, where.file ? where.file : "?",
                         where.line, column, kind, text);
}

bool gen_reject(struct gen_location where, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  record(where, "error", gen_text_of(format, list));
  va_end(list);
  return false;
}

void gen_note(struct gen_location where, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  record(where, "note", gen_text_of(format, list));
  va_end(list);
}

const char *gen_diagnostics(void)
{
  return diagnostics;
}

void gen_forget_diagnostics(const char *said)
{
  diagnostics = said;
}

static struct gen_expr *make(enum gen_expr_kind kind)
{
  struct gen_expr *expr = gen_allocate(sizeof *expr);
  expr->kind = kind;
  return expr;
}

const struct gen_expr *gen_number(double value)
{
  struct gen_expr *expr = make(GEN_NUMBER);
  expr->number = value;
  return expr;
}

const struct gen_expr *gen_scalar_ref(int scalar)
{
  struct gen_expr *expr = make(GEN_SCALAR);
  expr->scalar = scalar;
  return expr;
}

const struct gen_expr *gen_access_ref(struct gen_access access)
{
  struct gen_expr *expr = make(GEN_ACCESS);
  expr->access = access;
  return expr;
}

struct gen_expr *gen_operation(enum gen_expr_kind kind, const struct gen_expr *a,
                               const struct gen_expr *b, const struct gen_expr *c)
{
  struct gen_expr *expr = make(kind);
  expr->argument[0] = a;
  expr->argument[1] = b;
  expr->argument[2] = c;
  expr->where = a->where;
  return expr;
}

const struct gen_expr *gen_unary(enum gen_expr_kind kind, const struct gen_expr *a)
{
  return gen_operation(kind, a, NULL, NULL);
}

const struct gen_expr *gen_binary(enum gen_expr_kind kind, const struct gen_expr *a,
                                  const struct gen_expr *b)
{
  return gen_operation(kind, a, b, NULL);
}

struct gen_expr *gen_copy(const struct gen_expr *expr)
{
  struct gen_expr *copy = gen_allocate(sizeof *copy);
  *copy = *expr;
  return copy;
}

const struct gen_intrinsic *gen_find_intrinsic(const char *name)
{
  static const struct gen_intrinsic known[] = {{"fma", GEN_FMA, 3},
                                               {"fabs", GEN_ABS, 1},
                                               {"fmax", GEN_MAXIMUM, 2},
                                               {"fmin", GEN_MINIMUM, 2},
                                               {"sqrt", GEN_SQRT, 1}};
  for (size_t n = 0; name && n < sizeof known / sizeof *known; n++)
    if (strcmp(name, known[n].name) == 0)
      return &known[n];
  return NULL;
}

int gen_arity(const struct gen_expr *expr)
{
  switch (expr->kind) {
  case GEN_NUMBER:
  case GEN_SCALAR:
  case GEN_ACCESS:
    return 0;
  case GEN_NEGATE:
  case GEN_ABS:
  case GEN_SQRT:
    return 1;
  case GEN_FMA:
  case GEN_CHOOSE:
  case GEN_ONLY:
    return 3;
  default:
    return 2;
  }
}

double gen_compute(enum gen_expr_kind kind, const double v[3])
{
  switch (kind) {
  case GEN_NEGATE:
    return -v[0];
  case GEN_ADD:
    return v[0] + v[1];
  case GEN_SUBTRACT:
    return v[0] - v[1];
  case GEN_MULTIPLY:
    return v[0] * v[1];
  case GEN_DIVIDE:
    return v[0] / v[1];
  case GEN_FMA:
    return fma(v[0], v[1], v[2]);
  case GEN_ABS:
    return fabs(v[0]);
  case GEN_MAXIMUM:
    return fmax(v[0], v[1]);
  case GEN_MINIMUM:
    return fmin(v[0], v[1]);
  case GEN_SQRT:
    return sqrt(fabs(v[0]));
  case GEN_LESS:
    return v[0] < v[1];
  case GEN_LESS_EQUAL:
    return v[0] <= v[1];
  case GEN_EQUAL:
    return v[0] == v[1];
  case GEN_CHOOSE:
    return v[0] != 0 ? v[1] : v[2];
  default: /* GEN_ONLY, which is not in what a user writes */
    return v[0];
  }
}

const struct gen_expr *gen_folded(enum gen_expr_kind kind, const struct gen_expr *a,
                                  const struct gen_expr *b)
{
  if (kind < GEN_ADD || kind > GEN_DIVIDE || a->kind != GEN_NUMBER || b->kind != GEN_NUMBER
      || (kind == GEN_DIVIDE && b->number == 0))
    return NULL;
  return gen_number(gen_compute(kind, (const double[3]){a->number, b->number}));
}

struct gen_affine gen_affine_constant(int value)
{
  struct gen_affine affine = {.constant = value};
  return affine;
}

static bool affine_equal(const struct gen_affine *a, const struct gen_affine *b)
{
  return a->constant == b->constant
    && memcmp(a->coefficient, b->coefficient, sizeof a->coefficient) == 0;
}

bool gen_affine_is_constant(const struct gen_affine *affine)
{
  const struct gen_affine constant = gen_affine_constant(affine->constant);
  return affine_equal(affine, &constant);
}

void gen_affine_add(struct gen_affine *to, int factor, const struct gen_affine *affine)
{
  to->constant += factor * affine->constant;
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
    to->coefficient[s] += factor * affine->coefficient[s];
}

bool gen_is_shift(const struct gen_subscript *subscript, enum gen_axis axis)
{
  struct gen_affine rest = subscript->affine;
  rest.coefficient[axis]--;
  return subscript->table < 0 && gen_affine_is_constant(&rest);
}

bool gen_access_equal(const struct gen_access *a, const struct gen_access *b)
{
  if (a->array != b->array)
    return false;
  for (int d = 0; d < GEN_AXES; d++)
    if (a->subscript[d].table != b->subscript[d].table
        || a->subscript[d].offset != b->subscript[d].offset
        || !affine_equal(&a->subscript[d].affine, &b->subscript[d].affine))
      return false;
  return true;
}

bool gen_is_number(const struct gen_expr *expr, double value)
{
  return expr->kind == GEN_NUMBER && expr->number == value;
}

bool gen_expr_equal(const struct gen_expr *a, const struct gen_expr *b)
{
  if (a == b)
    return true;
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case GEN_NUMBER:
    return memcmp(&a->number, &b->number, sizeof a->number) == 0;
  case GEN_SCALAR:
    return a->scalar == b->scalar;
  case GEN_ACCESS:
    return gen_access_equal(&a->access, &b->access);
  default:
    for (int n = 0; n < gen_arity(a); n++)
      if (!gen_expr_equal(a->argument[n], b->argument[n]))
        return false;
    return true;
  }
}

/* Whether a scalar or an array, as the kind says, occurs in the expression. */
static bool reads(const struct gen_expr *expr, enum gen_expr_kind kind, int index)
{
  if (expr->kind == kind && (kind == GEN_SCALAR ? expr->scalar : expr->access.array) == index)
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (reads(expr->argument[n], kind, index))
      return true;
  return false;
}

bool gen_reads_scalar(const struct gen_expr *expr, int scalar)
{
  return reads(expr, GEN_SCALAR, scalar);
}

bool gen_reads_array(const struct gen_expr *expr, int array)
{
  return reads(expr, GEN_ACCESS, array);
}

int gen_offset(const struct gen_kernel *kernel, const struct gen_access *access, enum gen_axis axis)
{
  return access->subscript[axis].affine.constant + kernel->loop[axis].lower.constant
    - kernel->array[access->array].first;
}

int gen_find_array(const struct gen_kernel *kernel, const char *name)
{
  for (int n = 0; n < kernel->arrays; n++)
    if (strcmp(kernel->array[n].name, name) == 0)
      return n;
  return -1;
}

static void mark_tables(struct gen_kernel *kernel, const struct gen_access *access)
{
  for (int d = 0; d < GEN_AXES; d++)
    if (kernel->array[access->array].rank == 4 && access->subscript[d].table >= 0)
      kernel->array[access->subscript[d].table].read = true;
}

static void mark_reads(struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS) {
    kernel->array[expr->access.array].read = true;
    mark_tables(kernel, &expr->access);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    mark_reads(kernel, expr->argument[n]);
}

void gen_mark_accesses(struct gen_kernel *kernel)
{
  for (int n = 0; n < kernel->arrays; n++)
    kernel->array[n].read = kernel->array[n].written = false;
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_statement *statement = &kernel->statement[n];
    mark_reads(kernel, statement->value);
    if (statement->kind == GEN_STORE) {
      kernel->array[statement->target.array].written = true;
      mark_tables(kernel, &statement->target);
    }
  }
}
