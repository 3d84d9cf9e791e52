#include "frontend.h"

#include "frontend_notes.h"
#include "frontend_scalars.h"

#include <clang-c/Index.h>
#include <stdio.h>
#include <string.h>

enum { MAX_VARIABLES = 256, MAX_CHILDREN = 256 };

/* What a declared name stands for while a function is lowered. */
enum meaning { UNSET, AFFINE, SCALAR, ARRAY };
struct variable {
  CXCursor declaration;
  enum meaning meaning;
  struct gen_affine value; /* AFFINE */
  int index;               /* SCALAR, ARRAY */
};

struct reader {
  struct gen_session *session;
  CXTranslationUnit unit;
  struct gen_kernel *kernel;
  bool in_loops, loops_done;
  struct gen_prelude prelude;
  int variables;
  struct variable variable[MAX_VARIABLES];
};

struct list {
  int count;
  CXCursor item[MAX_CHILDREN];
};

static enum CXChildVisitResult add_child(CXCursor child, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct list *list = data;
  if (list->count < MAX_CHILDREN)
    list->item[list->count++] = child;
  return CXChildVisit_Continue;
}

static struct list children(CXCursor cursor)
{
  struct list list = {0};
  clang_visitChildren(cursor, add_child, &list);
  return list;
}

static const char *keep(struct gen_session *session, CXString string)
{
  const char *text = clang_getCString(string);
  text = gen_text(session, "%s", text ? text : "");
  clang_disposeString(string);
  return text;
}

static const char *spelling(struct reader *reader, CXCursor cursor)
{
  return keep(reader->session, clang_getCursorSpelling(cursor));
}

static struct gen_location place_of(struct gen_session *session, CXSourceLocation source)
{
  CXFile file;
  unsigned line, column;
  clang_getFileLocation(source, &file, &line, &column, NULL);
  struct gen_location where = {keep(session, clang_getFileName(file)), (int)line, (int)column};
  return where;
}

static struct gen_location where(struct reader *reader, CXCursor cursor)
{
  return place_of(reader->session, clang_getCursorLocation(cursor));
}

static struct gen_location start_of(struct reader *reader, CXCursor cursor)
{
  return place_of(reader->session, clang_getRangeStart(clang_getCursorExtent(cursor)));
}

/* The cursor's text as it stands in the file. */
static const char *source(struct reader *reader, CXCursor cursor)
{
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile first, last;
  unsigned start, end;
  clang_getFileLocation(clang_getRangeStart(range), &first, NULL, NULL, &start);
  clang_getFileLocation(clang_getRangeEnd(range), &last, NULL, NULL, &end);
  size_t length = 0;
  const char *text = first ? clang_getFileContents(reader->unit, first, &length) : NULL;
  if (!text || !last || !clang_File_isEqual(first, last) || end > length || end <= start)
    return spelling(reader, cursor);
  return gen_one_line(reader->session, text, start, end);
}

/* Without parentheses and implicit conversions. */
static CXCursor bare(CXCursor cursor)
{
  for (;;) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr)
      return cursor;
    struct list inner = children(cursor);
    if (inner.count != 1)
      return cursor;
    cursor = inner.item[0];
  }
}

static bool is_integer(CXCursor cursor)
{
  enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  return kind >= CXType_Bool && kind <= CXType_Int128;
}

static CXType element_type(CXType type, int *rank)
{
  *rank = 0;
  for (;;) {
    CXType inner = clang_getArrayElementType(type);
    if (inner.kind == CXType_Invalid)
      return type;
    type = inner;
    ++*rank;
  }
}

static struct variable *find(struct reader *reader, CXCursor declaration)
{
  for (int v = 0; v < reader->variables; v++)
    if (clang_equalCursors(reader->variable[v].declaration, declaration))
      return &reader->variable[v];
  return NULL;
}

static struct variable *named(struct reader *reader, CXCursor cursor)
{
  cursor = bare(cursor);
  return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr ? find(reader, clang_getCursorReferenced(cursor)) : NULL;
}

static struct variable *declare(struct reader *reader, CXCursor cursor, enum meaning meaning)
{
  if (reader->variables == MAX_VARIABLES) {
    gen_reject(reader->session, where(reader, cursor), "more than %d names are declared", MAX_VARIABLES);
    return NULL;
  }
  struct variable *variable = &reader->variable[reader->variables++];
  *variable = (struct variable){.declaration = cursor, .meaning = meaning};
  return variable;
}

/* ---- integer expressions ---- */

static bool affine_of(struct reader *reader, CXCursor cursor, struct gen_affine *out);

static bool affine_binary(struct reader *reader, CXCursor cursor, struct gen_affine *out)
{
  struct list part = children(cursor);
  struct gen_affine a, b;
  if (part.count != 2 || !affine_of(reader, part.item[0], &a) || !affine_of(reader, part.item[1], &b))
    return false;
  const struct gen_affine only_a = gen_affine_constant(a.constant), only_b = gen_affine_constant(b.constant);
  const bool a_fixed = gen_affine_equal(&a, &only_a), b_fixed = gen_affine_equal(&b, &only_b);
  const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  switch (kind) {
  case CXBinaryOperator_Add:
  case CXBinaryOperator_Sub: {
    const int sign = kind == CXBinaryOperator_Add ? 1 : -1;
    a.constant += sign * b.constant;
    for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
      a.coefficient[s] += sign * b.coefficient[s];
    *out = a;
    return true;
  }
  case CXBinaryOperator_Mul: {
    if (!a_fixed && !b_fixed)
      return false;
    const int factor = a_fixed ? a.constant : b.constant;
    *out = a_fixed ? b : a;
    out->constant *= factor;
    for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
      out->coefficient[s] *= factor;
    return true;
  }
  case CXBinaryOperator_Div:
  case CXBinaryOperator_Rem:
    if (!a_fixed || !b_fixed || !b.constant)
      return false;
    *out = gen_affine_constant(kind == CXBinaryOperator_Div ? a.constant / b.constant : a.constant % b.constant);
    return true;
  default:
    return false;
  }
}

/* False, and nothing said, if the expression is not affine in the symbols. */
static bool affine_of(struct reader *reader, CXCursor cursor, struct gen_affine *out)
{
  cursor = bare(cursor);
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_IntegerLiteral: {
    CXEvalResult value = clang_Cursor_Evaluate(cursor);
    const long long number = value ? clang_EvalResult_getAsLongLong(value) : 0;
    if (value)
      clang_EvalResult_dispose(value);
    *out = gen_affine_constant((int)number);
    return value && number == (int)number;
  }
  case CXCursor_DeclRefExpr: {
    CXCursor referenced = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(referenced) == CXCursor_EnumConstantDecl) {
      *out = gen_affine_constant((int)clang_getEnumConstantDeclValue(referenced));
      return true;
    }
    const struct variable *variable = find(reader, referenced);
    if (!variable || variable->meaning != AFFINE)
      return false;
    *out = variable->value;
    return true;
  }
  case CXCursor_UnaryOperator: {
    const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    struct list part = children(cursor);
    if ((kind != CXUnaryOperator_Minus && kind != CXUnaryOperator_Plus) || part.count != 1
        || !affine_of(reader, part.item[0], out))
      return false;
    const int sign = kind == CXUnaryOperator_Minus ? -1 : 1;
    out->constant *= sign;
    for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
      out->coefficient[s] *= sign;
    return true;
  }
  case CXCursor_BinaryOperator:
    return affine_binary(reader, cursor, out);
  default:
    return false;
  }
}

static bool uses_loops(const struct gen_affine *affine)
{
  for (int axis = 0; axis < GEN_AXES; axis++)
    if (affine->coefficient[axis])
      return true;
  return false;
}

/* ---- accesses ---- */

/* table[affine] or table[affine] + constant. False, and nothing said, if it is neither. */
static bool table_subscript(struct reader *reader, CXCursor cursor, struct gen_subscript *out)
{
  cursor = bare(cursor);
  struct list part = children(cursor);
  if (part.count != 2)
    return false;
  if (clang_getCursorKind(cursor) == CXCursor_ArraySubscriptExpr) {
    const struct variable *variable = named(reader, part.item[0]);
    if (!variable || variable->meaning != ARRAY || !reader->kernel->array[variable->index].table)
      return false;
    out->table = variable->index;
    out->offset = 0;
    return affine_of(reader, part.item[1], &out->affine);
  }
  if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator)
    return false;
  const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  struct gen_affine offset;
  int table_first = 0;
  if (kind == CXBinaryOperator_Add && affine_of(reader, part.item[0], &offset))
    table_first = 1;
  else if ((kind != CXBinaryOperator_Add && kind != CXBinaryOperator_Sub) || !affine_of(reader, part.item[1], &offset))
    return false;
  const struct gen_affine fixed = gen_affine_constant(offset.constant);
  if (!gen_affine_equal(&offset, &fixed) || !table_subscript(reader, part.item[table_first], out))
    return false;
  out->offset += kind == CXBinaryOperator_Add ? offset.constant : -offset.constant;
  return true;
}

static bool subscript_of(struct reader *reader, CXCursor cursor, const struct gen_array *array,
                         struct gen_subscript *out)
{
  *out = (struct gen_subscript){.table = -1};
  if (affine_of(reader, cursor, &out->affine) || table_subscript(reader, cursor, out))
    return true;
  return gen_reject(reader->session, start_of(reader, cursor),
                    "subscript '%s' of '%s' is not affine: write sums of loop variables and integer arguments times "
                    "constants, or an element of a TABLE plus a constant",
                    source(reader, cursor), array->name);
}

static bool access_of(struct reader *reader, CXCursor cursor, struct gen_access *access)
{
  const CXCursor whole = cursor;
  CXCursor index[GEN_AXES];
  int count = 0;
  cursor = bare(cursor);
  while (clang_getCursorKind(cursor) == CXCursor_ArraySubscriptExpr && count < GEN_AXES) {
    struct list part = children(cursor);
    if (part.count != 2)
      break;
    index[count++] = part.item[1];
    cursor = bare(part.item[0]);
  }
  const struct variable *variable = named(reader, cursor);
  if (!variable || variable->meaning != ARRAY)
    return gen_reject(reader->session, start_of(reader, whole),
                      "'%s' is no element of an array that this function declares with its centring",
                      source(reader, whole));
  const struct gen_array *array = &reader->kernel->array[variable->index];
  if (count != array->rank)
    return gen_reject(reader->session, start_of(reader, whole), "'%s' has %d subscripts where '%s' has %d dimensions",
                      source(reader, whole), count, array->name, array->rank);
  if (array->table)
    return gen_reject(reader->session, start_of(reader, whole),
                      "'%s' is an element of a table; tables serve as subscripts only", source(reader, whole));
  *access = (struct gen_access){.array = variable->index};
  for (int axis = 0; axis < GEN_AXES; axis++)
    access->subscript[axis].table = -1;
  for (int d = 0; d < count; d++)
    if (!subscript_of(reader, index[d], array, &access->subscript[array->rank == 1 ? (int)array->axis : d]))
      return false;
  return true;
}

/* ---- floating-point expressions; NULL after a rejection ---- */

static const struct gen_expr *real(struct reader *reader, CXCursor cursor);

static const struct gen_expr *refuse(struct reader *reader, CXCursor cursor, const char *why)
{
  gen_reject(reader->session, start_of(reader, cursor), "'%s' %s", source(reader, cursor), why);
  return NULL;
}

static const struct gen_expr *placed(struct reader *reader, CXCursor cursor, const struct gen_expr *made)
{
  struct gen_expr *expr = gen_allocate(reader->session, sizeof *expr);
  *expr = *made;
  expr->where = start_of(reader, cursor);
  return expr;
}

/* Arithmetic on constants is done here, in double, as the C compiler would. */
static const struct gen_expr *combine(struct reader *reader, enum gen_expr_kind kind, const struct gen_expr *a,
                                      const struct gen_expr *b)
{
  if (a->kind != GEN_NUMBER || b->kind != GEN_NUMBER || (kind == GEN_DIVIDE && b->number == 0))
    return gen_binary(reader->session, kind, a, b);
  const double x = a->number, y = b->number;
  return gen_number(reader->session,
                    kind == GEN_ADD          ? x + y
                      : kind == GEN_SUBTRACT ? x - y
                      : kind == GEN_MULTIPLY ? x * y
                                             : x / y);
}

static const struct gen_expr *real_binary(struct reader *reader, CXCursor cursor)
{
  enum gen_expr_kind kind;
  switch (clang_getCursorBinaryOperatorKind(cursor)) {
  case CXBinaryOperator_Add:
    kind = GEN_ADD;
    break;
  case CXBinaryOperator_Sub:
    kind = GEN_SUBTRACT;
    break;
  case CXBinaryOperator_Mul:
    kind = GEN_MULTIPLY;
    break;
  case CXBinaryOperator_Div:
    kind = GEN_DIVIDE;
    break;
  default:
    return refuse(reader, cursor, "uses an operator other than + - * / in a value");
  }
  struct list part = children(cursor);
  const struct gen_expr *a = part.count == 2 ? real(reader, part.item[0]) : NULL;
  const struct gen_expr *b = a ? real(reader, part.item[1]) : NULL;
  return b ? placed(reader, cursor, combine(reader, kind, a, b)) : NULL;
}

static const struct gen_expr *real_unary(struct reader *reader, CXCursor cursor)
{
  const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
  if (kind != CXUnaryOperator_Minus && kind != CXUnaryOperator_Plus)
    return refuse(reader, cursor, "uses an operator other than + - * / in a value");
  struct list part = children(cursor);
  const struct gen_expr *a = part.count == 1 ? real(reader, part.item[0]) : NULL;
  if (!a || kind == CXUnaryOperator_Plus)
    return a;
  return placed(reader, cursor,
                a->kind == GEN_NUMBER ? gen_number(reader->session, -a->number)
                                      : gen_unary(reader->session, GEN_NEGATE, a));
}

static const struct gen_expr *real_call(struct reader *reader, CXCursor cursor)
{
  static const struct {
    const char *name;
    enum gen_expr_kind kind;
  } known[] = {{"fma", GEN_FMA}, {"fabs", GEN_ABS}, {"fmax", GEN_MAXIMUM}, {"fmin", GEN_MINIMUM}, {"sqrt", GEN_SQRT}};
  const char *name = spelling(reader, cursor);
  for (size_t f = 0; f < sizeof known / sizeof *known; f++) {
    if (strcmp(name, known[f].name) || clang_Cursor_getNumArguments(cursor) != gen_arity(known[f].kind))
      continue;
    const struct gen_expr *argument[3] = {NULL};
    for (int a = 0; a < gen_arity(known[f].kind); a++)
      if (!(argument[a] = real(reader, clang_Cursor_getArgument(cursor, (unsigned)a))))
        return NULL;
    struct gen_expr call = {.kind = known[f].kind, .argument = {argument[0], argument[1], argument[2]}};
    return placed(reader, cursor, &call);
  }
  return refuse(reader, cursor, "calls a function other than fma, fabs, fmax, fmin and sqrt");
}

static const struct gen_expr *real_name(struct reader *reader, CXCursor cursor)
{
  const struct variable *variable = named(reader, cursor);
  if (!variable || variable->meaning != SCALAR)
    return refuse(reader, cursor, "is no floating-point argument or local variable of this function");
  return placed(reader, cursor, gen_scalar_ref(reader->session, variable->index));
}

static const struct gen_expr *real(struct reader *reader, CXCursor cursor)
{
  cursor = bare(cursor);
  struct gen_access access;
  if (is_integer(cursor)) {
    struct gen_affine value;
    const bool affine = affine_of(reader, cursor, &value);
    const struct gen_affine fixed = gen_affine_constant(affine ? value.constant : 0);
    if (!affine || !gen_affine_equal(&value, &fixed))
      return refuse(reader, cursor, "is an integer that is not constant; values are floating-point");
    return placed(reader, cursor, gen_number(reader->session, value.constant));
  }
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_FloatingLiteral: {
    CXEvalResult value = clang_Cursor_Evaluate(cursor);
    if (!value)
      return refuse(reader, cursor, "has no value");
    const double number = clang_EvalResult_getAsDouble(value);
    clang_EvalResult_dispose(value);
    return placed(reader, cursor, gen_number(reader->session, number));
  }
  case CXCursor_DeclRefExpr:
    return real_name(reader, cursor);
  case CXCursor_ArraySubscriptExpr:
    return access_of(reader, cursor, &access) ? placed(reader, cursor, gen_access_ref(reader->session, access)) : NULL;
  case CXCursor_UnaryOperator:
    return real_unary(reader, cursor);
  case CXCursor_BinaryOperator:
    return real_binary(reader, cursor);
  case CXCursor_CallExpr:
    return real_call(reader, cursor);
  default:
    return refuse(reader, cursor, "is an expression of a kind that kernels do not have");
  }
}

/* ---- declarations ---- */

static bool declare_array(struct reader *reader, CXCursor cursor, CXType element, int rank, bool local)
{
  struct gen_kernel *kernel = reader->kernel;
  struct gen_array array = {.name = spelling(reader, cursor), .where = where(reader, cursor), .rank = 0};
  struct list part = children(cursor);
  CXCursor length[MAX_CHILDREN];
  int lengths = 0;
  const char *note = NULL;
  for (int p = 0; p < part.count; p++) {
    if (clang_getCursorKind(part.item[p]) == CXCursor_AnnotateAttr) {
      if (note)
        return gen_reject(reader->session, array.where, "array '%s' has two centring notes", array.name);
      note = spelling(reader, part.item[p]);
    } else if (clang_isExpression(clang_getCursorKind(part.item[p]))) {
      length[lengths++] = part.item[p];
    }
  }
  if (!note)
    return gen_reject(reader->session, array.where,
                      "array '%s' has no centring note: write CELL(first), FACE_I(first), LINE_I(first), ... behind it",
                      array.name);
  if (!gen_read_note(note, &array))
    return gen_reject(reader->session, array.where, "array '%s': the note '%s' is none of stencil.h", array.name, note);
  if (array.rank != rank)
    return gen_reject(reader->session, array.where, "array '%s' has %d dimensions; with the note '%s' it has %d%s",
                      array.name, rank, note + strlen("gmg: "), array.rank, array.rank == 4 ? ": [box][k][j][i]" : "");
  if (lengths != rank)
    return gen_reject(reader->session, array.where, "array '%s': write the length of every dimension, and no values",
                      array.name);
  const enum CXTypeKind kind = clang_getCanonicalType(element).kind;
  if (kind != (array.table ? CXType_Int : CXType_Double) && (array.table || kind != CXType_Float))
    return gen_reject(reader->session, array.where, "array '%s' must hold %s", array.name,
                      array.table ? "int, as a table" : "double or float (int subscripts are a TABLE)");
  array.type = kind == CXType_Int ? GEN_INT : kind == CXType_Float ? GEN_FLOAT : GEN_DOUBLE;
  for (int d = 0; d < rank; d++) {
    struct gen_affine *extent = &array.extent[rank == 1 ? (int)array.axis : d];
    if (!affine_of(reader, length[d], extent) || uses_loops(extent))
      return gen_reject(reader->session, start_of(reader, length[d]),
                        "length '%s' of '%s' is not affine in the integer arguments", source(reader, length[d]),
                        array.name);
  }
  array.restricted =
    local || strstr(keep(reader->session, clang_getTypeSpelling(clang_getCursorType(cursor))), "restrict");
  array.constant = clang_isConstQualifiedType(element);
  if (kernel->arrays == GEN_MAX_ARRAYS)
    return gen_reject(reader->session, array.where, "more than %d arrays", GEN_MAX_ARRAYS);
  struct variable *variable = declare(reader, cursor, ARRAY);
  if (!variable)
    return false;
  variable->index = kernel->arrays;
  kernel->array[kernel->arrays++] = array;
  return true;
}

static bool declare_scalar(struct reader *reader, CXCursor cursor, enum gen_scalar_role role)
{
  struct gen_kernel *kernel = reader->kernel;
  if (kernel->scalars == GEN_MAX_SCALARS)
    return gen_reject(reader->session, where(reader, cursor), "more than %d scalars", GEN_MAX_SCALARS);
  struct variable *variable = declare(reader, cursor, SCALAR);
  if (!variable)
    return false;
  variable->index = kernel->scalars++;
  kernel->scalar[variable->index] =
    (struct gen_scalar){.name = spelling(reader, cursor), .where = where(reader, cursor), .role = role};
  return true;
}

static bool declare_integer(struct reader *reader, CXCursor cursor, bool argument)
{
  struct gen_kernel *kernel = reader->kernel;
  struct variable *variable = declare(reader, cursor, UNSET);
  if (!variable)
    return false;
  CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
  if (argument) {
    if (kernel->symbols == GEN_MAX_SYMBOLS)
      return gen_reject(reader->session, where(reader, cursor), "more than %d integer arguments",
                        GEN_MAX_SYMBOLS - GEN_AXES);
    kernel->symbol[kernel->symbols].name = spelling(reader, cursor);
    variable->value.coefficient[kernel->symbols++] = 1;
    variable->meaning = AFFINE;
  } else if (!clang_Cursor_isNull(initial)) {
    if (!affine_of(reader, initial, &variable->value))
      return gen_reject(reader->session, start_of(reader, initial),
                        "'%s', the value of the integer '%s', is not affine in loop variables and integer arguments",
                        source(reader, initial), spelling(reader, cursor));
    variable->meaning = AFFINE;
  }
  return true;
}

static bool declare_any(struct reader *reader, CXCursor cursor, bool argument)
{
  int rank;
  CXType element = element_type(clang_getCursorType(cursor), &rank);
  const enum CXTypeKind kind = clang_getCanonicalType(element).kind;
  if (rank && reader->in_loops)
    return gen_reject(reader->session, where(reader, cursor), "array '%s' is declared inside the loops",
                      spelling(reader, cursor));
  if (rank)
    return declare_array(reader, cursor, element, rank, !argument);
  if (kind == CXType_Double)
    return declare_scalar(reader, cursor, argument ? GEN_PARAMETER : GEN_PRIVATE);
  if (kind == CXType_Int)
    return declare_integer(reader, cursor, argument);
  return gen_reject(reader->session, where(reader, cursor),
                    "'%s' is a '%s'; kernels have int, double, and arrays with declared lengths",
                    spelling(reader, cursor),
                    keep(reader->session, clang_getTypeSpelling(clang_getCursorType(cursor))));
}

/* ---- statements ---- */

static bool add_statement(struct reader *reader, struct gen_statement statement)
{
  struct gen_kernel *kernel = reader->kernel;
  if (kernel->statements == GEN_MAX_STATEMENTS)
    return gen_reject(reader->session, statement.where, "more than %d statements", GEN_MAX_STATEMENTS);
  kernel->statement[kernel->statements++] = statement;
  return true;
}

/* A scalar takes a value: in every iteration, or once before the loops. */
static bool set_scalar(struct reader *reader, CXCursor cursor, int scalar, const struct gen_expr *value)
{
  struct gen_prelude *prelude = &reader->prelude;
  struct gen_statement set = {.kind = GEN_SET, .where = where(reader, cursor), .scalar = scalar, .value = value};
  if (reader->kernel->scalar[scalar].role == GEN_PARAMETER)
    return gen_reject(reader->session, set.where, "argument '%s' is changed; copy it to a local variable",
                      reader->kernel->scalar[scalar].name);
  if (reader->in_loops)
    return add_statement(reader, set);
  for (int s = 0; s < prelude->initials; s++)
    if (prelude->initial[s].scalar == scalar)
      return gen_reject(reader->session, set.where, "'%s' is given two values before the loops",
                        reader->kernel->scalar[scalar].name);
  prelude->initial[prelude->initials].scalar = scalar;
  prelude->initial[prelude->initials++].value = value;
  return true;
}

static bool assign(struct reader *reader, CXCursor cursor)
{
  struct list part = children(cursor);
  const enum CXBinaryOperatorKind operation = clang_getCursorBinaryOperatorKind(cursor);
  const CXCursor left = bare(part.item[0]);
  const struct variable *variable = named(reader, left);
  struct gen_access target = {.array = -1};
  if (part.count != 2 || (variable && variable->meaning != SCALAR && variable->meaning != ARRAY))
    return refuse(reader, cursor, "changes an integer; integers are fixed where they are declared") != NULL;
  const bool scalar = variable && variable->meaning == SCALAR;
  if (!scalar && !access_of(reader, left, &target))
    return false;
  const struct gen_expr *value = real(reader, part.item[1]);
  if (!value)
    return false;
  if (operation != CXBinaryOperator_Assign) {
    const enum gen_expr_kind kind = operation == CXBinaryOperator_AddAssign ? GEN_ADD
      : operation == CXBinaryOperator_SubAssign                             ? GEN_SUBTRACT
      : operation == CXBinaryOperator_MulAssign                             ? GEN_MULTIPLY
                                                                            : GEN_DIVIDE;
    const struct gen_expr *before =
      scalar ? gen_scalar_ref(reader->session, variable->index) : gen_access_ref(reader->session, target);
    value = placed(reader, cursor, gen_binary(reader->session, kind, placed(reader, left, before), value));
  }
  if (scalar)
    return set_scalar(reader, cursor, variable->index, value);
  if (!reader->in_loops)
    return refuse(reader, cursor, "writes an array outside the loops") != NULL;
  struct gen_statement store = {
    .kind = GEN_STORE, .where = start_of(reader, cursor), .target = target, .scalar = -1, .value = value};
  return add_statement(reader, store);
}

static bool declaration(struct reader *reader, CXCursor cursor)
{
  struct list names = children(cursor);
  for (int n = 0; n < names.count; n++) {
    CXCursor name = names.item[n];
    if (clang_getCursorKind(name) != CXCursor_VarDecl) /* an enum or a struct: its constants evaluate themselves */
      continue;
    if (!declare_any(reader, name, false))
      return false;
    const struct variable *variable = find(reader, name);
    CXCursor initial = clang_Cursor_getVarDeclInitializer(name);
    if (variable->meaning != SCALAR || clang_Cursor_isNull(initial))
      continue;
    const struct gen_expr *value = real(reader, initial);
    if (!value || !set_scalar(reader, name, variable->index, value))
      return false;
  }
  return true;
}

static const char *statement_words(enum CXCursorKind kind)
{
  switch (kind) {
  case CXCursor_WhileStmt:
  case CXCursor_DoStmt:
    return "a while loop";
  case CXCursor_ForStmt:
    return "a loop";
  case CXCursor_GotoStmt:
  case CXCursor_LabelStmt:
    return "a goto or its label";
  case CXCursor_IfStmt:
    return "an if";
  case CXCursor_SwitchStmt:
    return "a switch";
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt:
    return "a break or continue";
  case CXCursor_ReturnStmt:
    return "a return";
  case CXCursor_CallExpr:
    return "a call";
  default:
    return "a statement";
  }
}

/* A statement of the innermost loop, or one outside the loops. */
static bool statement(struct reader *reader, CXCursor cursor)
{
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_CompoundStmt) {
    struct list inner = children(cursor);
    for (int s = 0; s < inner.count; s++)
      if (!statement(reader, inner.item[s]))
        return false;
    return true;
  }
  if (kind == CXCursor_NullStmt)
    return true;
  if (kind == CXCursor_DeclStmt)
    return declaration(reader, cursor);
  const enum CXBinaryOperatorKind operation = clang_getCursorBinaryOperatorKind(cursor);
  if ((kind == CXCursor_BinaryOperator && operation == CXBinaryOperator_Assign)
      || (kind == CXCursor_CompoundAssignOperator && operation >= CXBinaryOperator_MulAssign
          && operation <= CXBinaryOperator_SubAssign && operation != CXBinaryOperator_RemAssign))
    return assign(reader, cursor);
  return gen_reject(
    reader->session, start_of(reader, cursor), "'%s' is %s; %s", source(reader, cursor), statement_words(kind),
    reader->in_loops ? "inside the four loops there are assignments, at most under one if ((sum) % 2 == "
                       "0 or 1) around all of them"
                     : "outside the four loops there are declarations and assignments to scalars");
}

/* if ((sum) % 2 == remainder) */
static bool guard(struct reader *reader, CXCursor condition)
{
  struct gen_guard *out = &reader->kernel->guard;
  condition = bare(condition);
  struct list side = children(condition);
  struct gen_affine remainder = {0}, two = {0};
  for (int s = 0; s < side.count && s < 2; s++) {
    CXCursor modulo = bare(side.item[s]);
    if (clang_getCursorBinaryOperatorKind(condition) != CXBinaryOperator_EQ
        || clang_getCursorBinaryOperatorKind(modulo) != CXBinaryOperator_Rem)
      continue;
    struct list part = children(modulo);
    const struct gen_affine is_two = gen_affine_constant(2);
    if (part.count != 2 || !affine_of(reader, part.item[0], &out->sum) || !affine_of(reader, part.item[1], &two)
        || !gen_affine_equal(&two, &is_two) || !affine_of(reader, side.item[1 - s], &remainder))
      break;
    const struct gen_affine fixed = gen_affine_constant(remainder.constant);
    if (!gen_affine_equal(&remainder, &fixed) || remainder.constant < 0 || remainder.constant > 1)
      break;
    out->kind = GEN_PARITY;
    out->where = start_of(reader, condition);
    out->remainder = remainder.constant;
    return true;
  }
  return refuse(reader, condition, "is no colour: write (sum of loop variables and integer arguments) % 2 == 0 or 1")
    != NULL;
}

static bool innermost(struct reader *reader, CXCursor body)
{
  struct list inner = children(body);
  CXCursor only = clang_getCursorKind(body) == CXCursor_CompoundStmt && inner.count == 1 ? inner.item[0] : body;
  reader->in_loops = true;
  if (clang_getCursorKind(only) == CXCursor_IfStmt) {
    struct list part = children(only);
    if (part.count != 2)
      return gen_reject(reader->session, start_of(reader, only),
                        "'%s' has an else; a colour selects the iterations of the whole body", source(reader, only));
    if (!guard(reader, part.item[0]))
      return false;
    body = part.item[1];
  }
  const bool fine = statement(reader, body);
  reader->in_loops = false;
  return fine;
}

/* ---- loops ---- */

static const char *const axis_names[GEN_AXES] = {"i", "j", "k", "box"};

static bool bind_loop(struct reader *reader, CXCursor start, enum gen_axis axis, CXCursor *variable_out)
{
  struct gen_loop *loop = &reader->kernel->loop[axis];
  struct list part = children(start);
  CXCursor value = clang_getNullCursor();
  struct variable *variable = NULL;
  if (clang_getCursorKind(start) == CXCursor_DeclStmt && part.count == 1
      && clang_getCanonicalType(clang_getCursorType(part.item[0])).kind == CXType_Int) {
    value = clang_Cursor_getVarDeclInitializer(part.item[0]);
    variable = declare(reader, part.item[0], UNSET);
    if (!variable)
      return false;
  } else if (clang_getCursorBinaryOperatorKind(start) == CXBinaryOperator_Assign && part.count == 2) {
    variable = named(reader, part.item[0]);
    value = part.item[1];
  }
  if (!variable || variable->meaning != UNSET || clang_Cursor_isNull(value))
    return refuse(reader, start, "does not start a loop: write int k = first, or k = first with a new int k") != NULL;
  if (!affine_of(reader, value, &loop->lower) || uses_loops(&loop->lower))
    return refuse(reader, value, "is no loop bound: write an affine expression of integer arguments") != NULL;
  const char *name = spelling(reader, variable->declaration);
  for (int other = 0; other < GEN_AXES; other++)
    if (other != (int)axis && !strcmp(name, axis_names[other]))
      return gen_reject(
        reader->session, loop->where,
        "wrong loop order: the loop over '%s' stands where that over '%s' belongs; loops nest box, k, j, "
        "i from the outermost inwards",
        name, axis_names[axis]);
  reader->kernel->symbol[axis].name = name;
  variable->meaning = AFFINE;
  variable->value = gen_affine_constant(0);
  variable->value.coefficient[axis] = 1;
  *variable_out = variable->declaration;
  return true;
}

/* variable++, ++variable, variable += 1 */
static bool is_step_of_one(struct reader *reader, CXCursor step, CXCursor variable)
{
  struct list part = children(step);
  const struct variable *stepped = part.count ? named(reader, part.item[0]) : NULL;
  if (!stepped || !clang_equalCursors(stepped->declaration, variable))
    return false;
  const enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(step);
  if (unary == CXUnaryOperator_PostInc || unary == CXUnaryOperator_PreInc)
    return true;
  struct gen_affine by;
  const struct gen_affine one = gen_affine_constant(1);
  return clang_getCursorBinaryOperatorKind(step) == CXBinaryOperator_AddAssign && part.count == 2
    && affine_of(reader, part.item[1], &by) && gen_affine_equal(&by, &one);
}

/* The loop `cursor` over `axis` and all within. */
static bool nest(struct reader *reader, CXCursor cursor, enum gen_axis axis)
{
  struct gen_loop *loop = &reader->kernel->loop[axis];
  struct list part = children(cursor);
  CXCursor variable;
  loop->where = start_of(reader, cursor);
  if (part.count != 4)
    return refuse(reader, cursor, "must have a start, a bound, a step and a body") != NULL;
  if (!bind_loop(reader, part.item[0], axis, &variable))
    return false;
  const CXCursor bound = bare(part.item[1]);
  const enum CXBinaryOperatorKind relation = clang_getCursorBinaryOperatorKind(bound);
  struct list side = children(bound);
  const struct variable *bounded = side.count == 2 ? named(reader, side.item[0]) : NULL;
  if ((relation != CXBinaryOperator_LT && relation != CXBinaryOperator_LE) || !bounded
      || !clang_equalCursors(bounded->declaration, variable))
    return refuse(reader, part.item[1], "is no loop bound: write variable < bound or variable <= bound") != NULL;
  if (!affine_of(reader, side.item[1], &loop->upper) || uses_loops(&loop->upper))
    return refuse(reader, side.item[1], "is no loop bound: write an affine expression of integer arguments") != NULL;
  if (relation == CXBinaryOperator_LT)
    loop->upper.constant--;
  if (!is_step_of_one(reader, part.item[2], variable))
    return refuse(reader, part.item[2], "is no step of a loop: loops go up by 1") != NULL;
  CXCursor body = part.item[3];
  if (axis == GEN_I)
    return innermost(reader, body);
  struct list inner = children(body);
  if (clang_getCursorKind(body) == CXCursor_CompoundStmt) {
    for (int s = 0; s < inner.count; s++)
      if (clang_getCursorKind(inner.item[s]) != CXCursor_ForStmt || s > 0)
        return gen_reject(
          reader->session, start_of(reader, inner.item[s]),
          "imperfect loop nest: '%s' stands beside or in place of the loop over '%s'; only the innermost "
          "loop has statements",
          source(reader, inner.item[s]), axis_names[axis - 1]);
    body = inner.count ? inner.item[0] : body;
  }
  if (clang_getCursorKind(body) != CXCursor_ForStmt)
    return gen_reject(reader->session, start_of(reader, body),
                      "imperfect loop nest: '%s' stands where the loop over '%s' belongs; a kernel is four loops over "
                      "box, k, j, i",
                      source(reader, body), axis_names[axis - 1]);
  return nest(reader, body, axis - 1);
}

/* ---- functions ---- */

static bool body(struct reader *reader, CXCursor compound)
{
  struct list part = children(compound);
  for (int s = 0; s < part.count; s++) {
    const CXCursor cursor = part.item[s];
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_ForStmt && !reader->loops_done) {
      if (!nest(reader, cursor, GEN_BOX))
        return false;
      reader->loops_done = true;
    } else if (kind == CXCursor_ReturnStmt && reader->loops_done) {
      struct list value = children(cursor);
      const struct variable *variable = value.count ? named(reader, value.item[0]) : NULL;
      if (value.count && (!variable || variable->meaning != SCALAR))
        return refuse(reader, value.item[0], "is returned; a kernel returns nothing or one sum or maximum") != NULL;
      reader->prelude.returned = variable ? variable->index : -1;
      reader->prelude.return_where = start_of(reader, cursor);
    } else if (reader->loops_done && kind != CXCursor_NullStmt) {
      return gen_reject(reader->session, start_of(reader, cursor),
                        "'%s' is %s behind the loops; only return may follow them: one function, one loop nest",
                        source(reader, cursor), statement_words(kind));
    } else if (!statement(reader, cursor)) {
      return false;
    }
  }
  return reader->loops_done
    || gen_reject(reader->session, reader->kernel->where, "'%s' has no loops", reader->kernel->name);
}

/* "operator" or "kernel" from the function's notes; NULL if it has none. */
static const char *request(struct gen_session *session, CXCursor function)
{
  struct list part = children(function);
  for (int p = 0; p < part.count; p++) {
    if (clang_getCursorKind(part.item[p]) != CXCursor_AnnotateAttr)
      continue;
    const char *note = keep(session, clang_getCursorSpelling(part.item[p]));
    if (!strncmp(note, "gmg: ", 5))
      return note + 5;
  }
  return NULL;
}

static const char *comment_of(struct reader *reader, CXCursor function)
{
  CXFile file;
  unsigned offset;
  size_t length = 0;
  clang_getFileLocation(clang_getCursorLocation(function), &file, NULL, NULL, &offset);
  const char *text = clang_getFileContents(reader->unit, file, &length);
  return text ? gen_comment_before(reader->session, text, length, offset) : "";
}

/* NULL after a rejection. */
static struct gen_kernel *function(struct reader *reader, CXCursor cursor, const char *asked)
{
  struct gen_kernel *kernel = gen_allocate(reader->session, sizeof *kernel);
  reader->kernel = kernel;
  kernel->name = spelling(reader, cursor);
  kernel->where = where(reader, cursor);
  kernel->kind = strcmp(asked, "operator") ? GEN_AS_WRITTEN : GEN_OPERATOR;
  kernel->comment = comment_of(reader, cursor);
  kernel->symbols = GEN_AXES;
  for (int axis = 0; axis < GEN_AXES; axis++)
    kernel->symbol[axis].name = axis_names[axis];
  if (kernel->kind == GEN_AS_WRITTEN && strcmp(asked, "kernel")) {
    gen_reject(reader->session, kernel->where, "'%s': the note '%s' is none of stencil.h", kernel->name, asked);
    return NULL;
  }
  const enum CXTypeKind result = clang_getCanonicalType(clang_getCursorResultType(cursor)).kind;
  if (result != CXType_Void && result != CXType_Double) {
    gen_reject(reader->session, kernel->where, "'%s' returns neither void nor double", kernel->name);
    return NULL;
  }
  for (int a = 0; a < clang_Cursor_getNumArguments(cursor); a++)
    if (!declare_any(reader, clang_Cursor_getArgument(cursor, (unsigned)a), true))
      return NULL;
  struct list part = children(cursor);
  if (!body(reader, part.item[part.count - 1]) || !gen_settle_scalars(reader->session, kernel, &reader->prelude)
      || !gen_settle_accesses(reader->session, kernel))
    return NULL;
  gen_mark_accesses(kernel);
  return kernel;
}

static bool report_errors(struct gen_session *session, CXTranslationUnit unit, const char *path)
{
  bool fine = true;
  for (unsigned d = 0; d < clang_getNumDiagnostics(unit); d++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, d);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      struct gen_location at = place_of(session, clang_getDiagnosticLocation(diagnostic));
      if (!at.line)
        at.file = path;
      fine = gen_reject(session, at, "%s",
                        gen_compiler_error(session, keep(session, clang_getDiagnosticSpelling(diagnostic))));
    }
    clang_disposeDiagnostic(diagnostic);
  }
  return fine;
}

/* Marked definitions of the file itself. */
struct marked {
  struct gen_session *session;
  int count;
  CXCursor function[MAX_CHILDREN];
  const char *asked[MAX_CHILDREN];
};

static enum CXChildVisitResult add_marked(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct marked *marked = data;
  if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor)
      || !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) || marked->count == MAX_CHILDREN)
    return CXChildVisit_Continue;
  const char *asked = request(marked->session, cursor);
  if (asked) {
    marked->function[marked->count] = cursor;
    marked->asked[marked->count++] = asked;
  }
  return CXChildVisit_Continue;
}

static bool lower_unit(struct gen_session *session, CXTranslationUnit unit, const char *path,
                       struct gen_kernel ***kernels, int *count)
{
  struct marked *marked = gen_allocate(session, sizeof *marked);
  struct reader *reader = gen_allocate(session, sizeof *reader);
  bool fine = true;
  marked->session = session;
  clang_visitChildren(clang_getTranslationUnitCursor(unit), add_marked, marked);
  *count = 0;
  *kernels = gen_allocate(session, (size_t)(marked->count + 1) * sizeof **kernels);
  if (!marked->count)
    return gen_reject(session, (struct gen_location){path, 1, 1},
                      "no function is marked GMG_OPERATOR or GMG_KERNEL: there is nothing to compile");
  for (int f = 0; f < marked->count; f++) {
    *reader = (struct reader){.session = session, .unit = unit, .prelude.returned = -1};
    struct gen_kernel *kernel = function(reader, marked->function[f], marked->asked[f]);
    fine = fine && kernel;
    (*kernels)[(*count)++] = kernel;
  }
  return fine;
}

bool gen_parse(struct gen_session *session, const char *path, const char *const *extra_args, int nargs,
               struct gen_kernel ***kernels, int *count)
{
  static const char *const always[] = {
    "-std=c99",      "-DGMG_COMPILER",       "-ferror-limit=0",
#ifdef GMG_CLANG_RESOURCE_DIR
    "-resource-dir", GMG_CLANG_RESOURCE_DIR,
#endif
  };
  const int own = (int)(sizeof always / sizeof *always);
  const char **args = gen_allocate(session, (size_t)(own + nargs) * sizeof *args);
  memcpy(args, always, sizeof always);
  for (int a = 0; a < nargs; a++)
    args[own + a] = extra_args[a];
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = NULL;
  bool fine;
  if (clang_parseTranslationUnit2(index, path, args, own + nargs, NULL, 0, CXTranslationUnit_None, &unit))
    fine = gen_reject(session, (struct gen_location){path, 0, 0}, "the file cannot be read as C");
  else
    fine = report_errors(session, unit, path) && lower_unit(session, unit, path, kernels, count);
  if (unit)
    clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return fine;
}
