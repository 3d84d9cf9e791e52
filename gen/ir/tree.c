#include "tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(16) char bytes[];
};

struct gen_session {
  struct chunk *chunks;
  char *diagnostics;
  size_t length;
};

static void *must(void *memory)
{
  if (!memory) {
    fputs("gmg-gen: out of memory\n", stderr);
    exit(3);
  }
  return memory;
}

struct gen_session *gen_session_create(void)
{
  struct gen_session *session = must(calloc(1, sizeof *session));
  session->diagnostics = must(calloc(1, 1));
  return session;
}

void gen_session_destroy(struct gen_session **session)
{
  if (!session || !*session)
    return;
  for (struct chunk *chunk = (*session)->chunks; chunk;) {
    struct chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  free((*session)->diagnostics);
  free(*session);
  *session = NULL;
}

void *gen_allocate(struct gen_session *session, size_t bytes)
{
  const size_t rounded = (bytes + 15) & ~(size_t)15;
  if (!session->chunks || session->chunks->used + rounded > session->chunks->size) {
    const size_t size = rounded > 65536 ? rounded : 65536;
    struct chunk *chunk = must(calloc(1, sizeof *chunk + size));
    chunk->size = size;
    chunk->next = session->chunks;
    session->chunks = chunk;
  }
  void *memory = session->chunks->bytes + session->chunks->used;
  session->chunks->used += rounded;
  return memory;
}

static const char *text_of(struct gen_session *session, const char *format, va_list list)
{
  va_list again;
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = gen_allocate(session, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, list);
  return text;
}

const char *gen_text(struct gen_session *session, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const char *text = text_of(session, format, list);
  va_end(list);
  return text;
}

bool gen_reject(struct gen_session *session, struct gen_location where, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const char *text = text_of(session, format, list);
  va_end(list);
  const char *line =
    gen_text(session, "%s:%d: error: %s\n", where.file ? where.file : "?", where.line, text);
  const size_t more = strlen(line);
  session->diagnostics = must(realloc(session->diagnostics, session->length + more + 1));
  memcpy(session->diagnostics + session->length, line, more + 1);
  session->length += more;
  return false;
}

const char *gen_diagnostics(const struct gen_session *session)
{
  return session->diagnostics;
}

static struct gen_expr *make(struct gen_session *session, enum gen_expr_kind kind)
{
  struct gen_expr *expr = gen_allocate(session, sizeof *expr);
  expr->kind = kind;
  return expr;
}

const struct gen_expr *gen_number(struct gen_session *session, double value)
{
  struct gen_expr *expr = make(session, GEN_NUMBER);
  expr->number = value;
  return expr;
}

const struct gen_expr *gen_scalar_ref(struct gen_session *session, int scalar)
{
  struct gen_expr *expr = make(session, GEN_SCALAR);
  expr->scalar = scalar;
  return expr;
}

const struct gen_expr *gen_access_ref(struct gen_session *session, struct gen_access access)
{
  struct gen_expr *expr = make(session, GEN_ACCESS);
  expr->access = access;
  return expr;
}

const struct gen_expr *gen_unary(struct gen_session *session, enum gen_expr_kind kind,
                                 const struct gen_expr *a)
{
  struct gen_expr *expr = make(session, kind);
  expr->argument[0] = a;
  expr->where = a->where;
  return expr;
}

const struct gen_expr *gen_binary(struct gen_session *session, enum gen_expr_kind kind,
                                  const struct gen_expr *a, const struct gen_expr *b)
{
  struct gen_expr *expr = make(session, kind);
  expr->argument[0] = a;
  expr->argument[1] = b;
  expr->where = a->where;
  return expr;
}

const struct gen_expr *gen_fma(struct gen_session *session, const struct gen_expr *a,
                               const struct gen_expr *b, const struct gen_expr *c)
{
  struct gen_expr *expr = make(session, GEN_FMA);
  expr->argument[0] = a;
  expr->argument[1] = b;
  expr->argument[2] = c;
  expr->where = a->where;
  return expr;
}

const struct gen_expr *gen_only(struct gen_session *session, const struct gen_expr *value,
                                const struct gen_expr *only, const struct gen_expr *at,
                                int remainder)
{
  struct gen_expr *expr = make(session, GEN_ONLY);
  expr->argument[0] = value;
  expr->argument[1] = only;
  expr->argument[2] = at;
  expr->number = remainder;
  expr->where = value->where;
  return expr;
}

int gen_arity(enum gen_expr_kind kind)
{
  switch (kind) {
  case GEN_NUMBER:
  case GEN_SCALAR:
  case GEN_ACCESS:
    return 0;
  case GEN_NEGATE:
  case GEN_ABS:
  case GEN_SQRT:
    return 1;
  case GEN_FMA:
  case GEN_ONLY:
    return 3;
  default:
    return 2;
  }
}

struct gen_affine gen_affine_constant(int value)
{
  struct gen_affine affine = {.constant = value};
  return affine;
}

bool gen_affine_equal(const struct gen_affine *a, const struct gen_affine *b)
{
  return a->constant == b->constant
    && memcmp(a->coefficient, b->coefficient, sizeof a->coefficient) == 0;
}

bool gen_access_equal(const struct gen_access *a, const struct gen_access *b)
{
  if (a->array != b->array)
    return false;
  for (int d = 0; d < GEN_AXES; d++)
    if (a->subscript[d].table != b->subscript[d].table
        || a->subscript[d].offset != b->subscript[d].offset
        || !gen_affine_equal(&a->subscript[d].affine, &b->subscript[d].affine))
      return false;
  return true;
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
    for (int n = 0; n < gen_arity(a->kind); n++)
      if (!gen_expr_equal(a->argument[n], b->argument[n]))
        return false;
    return true;
  }
}

bool gen_reads_scalar(const struct gen_expr *expr, int scalar)
{
  if (expr->kind == GEN_SCALAR && expr->scalar == scalar)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_reads_scalar(expr->argument[n], scalar))
      return true;
  return false;
}

int gen_find_array(const struct gen_kernel *kernel, const char *name)
{
  for (int n = 0; n < kernel->arrays; n++)
    if (strcmp(kernel->array[n].name, name) == 0)
      return n;
  return -1;
}

int gen_find_scalar(const struct gen_kernel *kernel, const char *name)
{
  for (int n = 0; n < kernel->scalars; n++)
    if (strcmp(kernel->scalar[n].name, name) == 0)
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
  for (int n = 0; n < gen_arity(expr->kind); n++)
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
