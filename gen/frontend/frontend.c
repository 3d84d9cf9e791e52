#include "frontend.h"

#include "clang_kinds.h"
#include "frontend_notes.h"
#include "lower.h"

#include <clang-c/Index.h>
#include <string.h>

/* Turns the compiler's cursors into syntax (syntax.h). */

enum { MAX_DECLARATIONS = 256 };

struct reader {
  CXTranslationUnit unit;
  bool columns;     /* whether locations say the column */
  int outer;        /* variables of the file, which all functions see */
  int declarations; /* these, and those of the function that is read */
  CXCursor declaration[MAX_DECLARATIONS];
  const struct gen_syntax *variable[MAX_DECLARATIONS];
};

/* ---- cursors ---- */

struct list {
  int count;
  CXCursor *item; /* NULL while counting */
};

static enum CXChildVisitResult add_child(CXCursor child, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct list *list = data;
  if (list->item)
    list->item[list->count] = child;
  list->count++;
  return CXChildVisit_Continue;
}

static struct list children(CXCursor cursor)
{
  struct list list = {0, NULL};
  clang_visitChildren(cursor, add_child, &list);
  list.item = gen_allocate((size_t)(list.count + 1) * sizeof *list.item);
  list.count = 0;
  clang_visitChildren(cursor, add_child, &list);
  return list;
}

static const char *keep(CXString string)
{
  const char *text = clang_getCString(string);
  text = gen_text("%s", text ? text : "");
  clang_disposeString(string);
  return text;
}

static const char *spelling(CXCursor cursor)
{
  return keep(clang_getCursorSpelling(cursor));
}

static struct gen_location place_of(const struct reader *reader, CXSourceLocation source)
{
  CXFile file;
  unsigned line, column;
  clang_getFileLocation(source, &file, &line, &column, NULL);
  return (struct gen_location){.file = keep(clang_getFileName(file)),
                               .line = (int)line,
                               .column = reader->columns ? (int)column : 0};
}

/* The cursor's text as it stands in the file. */
static const char *source(struct reader *reader, CXCursor cursor)
{
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile first, last;
  unsigned start, end;
  size_t length = 0;
  clang_getFileLocation(clang_getRangeStart(range), &first, NULL, NULL, &start);
  clang_getFileLocation(clang_getRangeEnd(range), &last, NULL, NULL, &end);
  const char *text = first ? clang_getFileContents(reader->unit, first, &length) : NULL;
  if (!text || !last || !clang_File_isEqual(first, last) || end > length || end <= start)
    return spelling(cursor);
  return gen_one_line(text, start, end);
}

/* Without parentheses and implicit conversions. */
static CXCursor bare(CXCursor cursor)
{
  for (;;) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr)
      return cursor;
    struct list inner = children(cursor);
    if (inner.count != 1)
      return cursor;
    cursor = inner.item[0];
  }
}

/* ---- syntax ---- */

static const struct gen_syntax *read(struct reader *reader, CXCursor cursor);

/* No double holds a long double. */
static void read_literal(CXCursor cursor, enum CXTypeKind type, struct gen_syntax *syntax)
{
  CXEvalResult value = type == CXType_LongDouble ? NULL : clang_Cursor_Evaluate(cursor);
  if (!value)
    syntax->kind = GEN_SYNTAX_OTHER;
  else if (syntax->kind == GEN_SYNTAX_WHOLE)
    syntax->whole = clang_EvalResult_getAsLongLong(value);
  else
    syntax->real = clang_EvalResult_getAsDouble(value);
  clang_EvalResult_dispose(value);
}

static void read_name(struct reader *reader, CXCursor cursor, struct gen_syntax *syntax)
{
  CXCursor referenced = clang_getCursorReferenced(cursor);
  syntax->name = spelling(cursor);
  if (clang_getCursorKind(referenced) == CXCursor_EnumConstantDecl) {
    syntax->kind = GEN_SYNTAX_WHOLE;
    syntax->whole = clang_getEnumConstantDeclValue(referenced);
  }
  for (int d = 0; d < reader->declarations; d++)
    if (clang_equalCursors(reader->declaration[d], referenced))
      syntax->declared = reader->variable[d];
}

/* What stands at the end of pointers and arrays, and how long these are. */
static void read_storage(CXType type, struct gen_storage *storage)
{
  for (;;) {
    if (type.kind == CXType_Typedef || type.kind == CXType_Elaborated)
      type = clang_getCanonicalType(type);
    if (clang_getArrayElementType(type).kind != CXType_Invalid) {
      if (storage->rank < GEN_MAX_LENGTHS)
        storage->length[storage->rank] = clang_getArraySize(type);
      storage->rank++;
      type = clang_getArrayElementType(type);
    } else if (clang_getCanonicalType(type).kind == CXType_Pointer) {
      storage->pointers++;
      type = clang_getPointeeType(clang_getCanonicalType(type));
    } else {
      break;
    }
  }
  storage->type = gen_clang_type(type);
}

static void read_variable(struct reader *reader, CXCursor cursor, struct gen_syntax *syntax)
{
  struct list part = children(cursor);
  CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
  CXType type = clang_getCursorType(cursor);
  syntax->where = place_of(reader, clang_getCursorLocation(cursor));
  syntax->name = spelling(cursor);
  syntax->variable.type_text = keep(clang_getTypeSpelling(type));
  syntax->variable.restricted = strstr(syntax->variable.type_text, "restrict") != NULL;
  syntax->variable.argument = clang_getCursorKind(cursor) == CXCursor_ParmDecl;
  while (clang_getArrayElementType(type).kind != CXType_Invalid) {
    type = clang_getArrayElementType(type);
    syntax->variable.rank++;
  }
  syntax->variable.type = gen_clang_type(type);
  read_storage(clang_getCursorType(cursor), &syntax->variable.storage);
  syntax->variable.constant = clang_isConstQualifiedType(type);
  syntax->part = gen_allocate((size_t)(part.count + 1) * sizeof *syntax->part);
  for (int p = 0; p < part.count; p++) {
    const enum CXCursorKind kind = clang_getCursorKind(part.item[p]);
    if (kind == CXCursor_AnnotateAttr) {
      syntax->variable.note = spelling(part.item[p]);
      syntax->variable.notes++;
    } else if (clang_isExpression(kind)
               && (clang_Cursor_isNull(initial) || !clang_equalCursors(part.item[p], initial))) {
      syntax->part[syntax->count++] = read(reader, part.item[p]);
    }
  }
  if (!clang_Cursor_isNull(initial))
    syntax->variable.initial = read(reader, initial);
  if (reader->declarations < MAX_DECLARATIONS) {
    reader->declaration[reader->declarations] = cursor;
    reader->variable[reader->declarations++] = syntax;
  }
}

static void read_parts(struct reader *reader, CXCursor cursor, struct gen_syntax *syntax)
{
  struct list part = children(cursor);
  if (syntax->kind == GEN_SYNTAX_CALL) { /* the first child is the function */
    part.count = clang_Cursor_getNumArguments(cursor);
    for (int p = 0; p < part.count; p++)
      part.item[p] = clang_Cursor_getArgument(cursor, (unsigned)p);
    syntax->name = spelling(cursor);
  }
  syntax->part = gen_allocate((size_t)(part.count + 1) * sizeof *syntax->part);
  for (int p = 0; p < part.count; p++)
    if (syntax->kind != GEN_SYNTAX_DECLARE || clang_getCursorKind(part.item[p]) == CXCursor_VarDecl)
      syntax->part[syntax->count++] =
        read(reader, part.item[p]); /* constants of an enum evaluate themselves */
}

static const struct gen_syntax *read(struct reader *reader, CXCursor cursor)
{
  struct gen_syntax *syntax = gen_allocate(sizeof *syntax);
  cursor = bare(cursor);
  const enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  syntax->kind = gen_clang_kind(cursor);
  syntax->where = place_of(reader, clang_getRangeStart(clang_getCursorExtent(cursor)));
  syntax->text = source(reader, cursor);
  syntax->integer = type >= CXType_Bool && type <= CXType_Int128;
  syntax->single = type == CXType_Float;
  switch (syntax->kind) {
  case GEN_SYNTAX_WHOLE:
  case GEN_SYNTAX_REAL:
    read_literal(cursor, type, syntax);
    break;
  case GEN_SYNTAX_NAME:
    read_name(reader, cursor, syntax);
    break;
  case GEN_SYNTAX_VARIABLE:
    read_variable(reader, cursor, syntax);
    break;
  default:
    if (syntax->kind == GEN_SYNTAX_GOTO)
      syntax->name = spelling(cursor);
    if (syntax->kind == GEN_SYNTAX_UNARY)
      syntax->operation = gen_clang_unary(clang_getCursorUnaryOperatorKind(cursor));
    else if (syntax->kind == GEN_SYNTAX_BINARY || syntax->kind == GEN_SYNTAX_ASSIGN)
      syntax->operation = gen_clang_binary(clang_getCursorBinaryOperatorKind(cursor));
    read_parts(reader, cursor, syntax);
  }
  return syntax;
}

/* ---- functions ---- */

/* "operator" or "kernel" from the function's notes; NULL if it has none. */
static const char *asked_of(CXCursor function)
{
  struct list part = children(function);
  for (int p = 0; p < part.count; p++) {
    if (clang_getCursorKind(part.item[p]) != CXCursor_AnnotateAttr)
      continue;
    const char *note = spelling(part.item[p]);
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
  return text ? gen_comment_before(text, length, offset) : "";
}

static const struct gen_function *read_function(struct reader *reader, CXCursor cursor,
                                                const char *asked)
{
  struct gen_function *function = gen_allocate(sizeof *function);
  const CXType result = clang_getCursorResultType(cursor);
  function->name = spelling(cursor);
  function->asked = asked;
  function->comment = comment_of(reader, cursor);
  function->where = place_of(reader, clang_getCursorLocation(cursor));
  function->returns_nothing = clang_getCanonicalType(result).kind == CXType_Void;
  function->returns = gen_clang_type(result);
  function->arguments = clang_Cursor_getNumArguments(cursor);
  function->argument = gen_allocate((size_t)(function->arguments + 1) * sizeof *function->argument);
  reader->declarations = reader->outer;
  for (int a = 0; a < function->arguments; a++)
    function->argument[a] = read(reader, clang_Cursor_getArgument(cursor, (unsigned)a));
  struct list part = children(cursor);
  function->body = read(reader, part.item[part.count - 1]);
  return function;
}

/* Marked definitions of the file itself. */
static bool lower_unit(struct reader *reader, const char *path, struct gen_kernel ***kernels,
                       int *count)
{
  struct list all = children(clang_getTranslationUnitCursor(reader->unit));
  bool fine = true;
  *count = 0;
  *kernels = gen_allocate((size_t)(all.count + 1) * sizeof **kernels);
  for (int c = 0; c < all.count; c++) {
    if (clang_getCursorKind(all.item[c]) != CXCursor_FunctionDecl
        || !clang_isCursorDefinition(all.item[c])
        || !clang_Location_isFromMainFile(clang_getCursorLocation(all.item[c])))
      continue;
    const char *asked = asked_of(all.item[c]);
    if (!asked)
      continue;
    (*kernels)[*count] = gen_lower(read_function(reader, all.item[c], asked));
    fine = fine && (*kernels)[*count];
    ++*count;
  }
  if (!*count)
    return gen_reject(
      (struct gen_location){.file = path, .line = 1},
      "no function is marked GMG_OPERATOR or GMG_KERNEL: there is nothing to compile");
  return fine;
}

/* All definitions of the file itself, marked or not, and its variables. */
static void read_unit(struct reader *reader, const struct gen_function ***functions, int *count)
{
  struct list all = children(clang_getTranslationUnitCursor(reader->unit));
  *count = 0;
  *functions = gen_allocate((size_t)(all.count + 1) * sizeof **functions);
  for (int c = 0; c < all.count; c++) {
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(all.item[c])))
      continue;
    reader->declarations = reader->outer;
    if (clang_getCursorKind(all.item[c]) == CXCursor_VarDecl) {
      read(reader, all.item[c]);
      reader->outer = reader->declarations;
    } else if (clang_getCursorKind(all.item[c]) == CXCursor_FunctionDecl
               && clang_isCursorDefinition(all.item[c])) {
      (*functions)[(*count)++] = read_function(reader, all.item[c], "");
    }
  }
}

static bool report_errors(const struct reader *reader, const char *path)
{
  const CXTranslationUnit unit = reader->unit;
  bool fine = true;
  for (unsigned d = 0; d < clang_getNumDiagnostics(unit); d++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, d);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      struct gen_location at = place_of(reader, clang_getDiagnosticLocation(diagnostic));
      if (!at.line)
        at.file = path;
      fine =
        gen_reject(at, "%s", gen_compiler_error(keep(clang_getDiagnosticSpelling(diagnostic))));
    }
    clang_disposeDiagnostic(diagnostic);
  }
  return fine;
}

/* Makes the unit; NULL as text: the file's. False after a rejection. */
static bool parse(struct reader *reader, CXIndex index, const char *path, const char *text,
                  const char *const *extra_args, int nargs)
{
  static const char *const always[] = {
    "-std=c99",      "-DGMG_COMPILER",       "-ferror-limit=0",
#ifdef GMG_CLANG_RESOURCE_DIR
    "-resource-dir", GMG_CLANG_RESOURCE_DIR,
#endif
  };
  const int own = (int)(sizeof always / sizeof *always);
  const char **args = gen_allocate((size_t)(own + nargs) * sizeof *args);
  struct CXUnsavedFile file = {.Filename = path, .Contents = text};
  memcpy(args, always, sizeof always);
  for (int a = 0; a < nargs; a++)
    args[own + a] = extra_args[a];
  file.Length = text ? (unsigned long)strlen(text) : 0;
  if (clang_parseTranslationUnit2(index, path, args, own + nargs, text ? &file : NULL, text != NULL,
                                  CXTranslationUnit_None, &reader->unit))
    return gen_reject((struct gen_location){.file = path}, "the file cannot be read as C");
  return report_errors(reader, path);
}

bool gen_parse(const char *path, const char *const *extra_args, int nargs,
               struct gen_kernel ***kernels, int *count)
{
  struct reader *reader = gen_allocate(sizeof *reader);
  CXIndex index = clang_createIndex(0, 0);
  const bool fine =
    parse(reader, index, path, NULL, extra_args, nargs) && lower_unit(reader, path, kernels, count);
  if (reader->unit)
    clang_disposeTranslationUnit(reader->unit);
  clang_disposeIndex(index);
  return fine;
}

bool gen_read_functions(const char *path, const char *text, const char *const *extra_args,
                        int nargs, const struct gen_function ***functions, int *count)
{
  struct reader *reader = gen_allocate(sizeof *reader);
  CXIndex index = clang_createIndex(0, 0);
  reader->columns = true;
  const bool fine = parse(reader, index, path, text, extra_args, nargs);
  if (fine)
    read_unit(reader, functions, count);
  if (reader->unit)
    clang_disposeTranslationUnit(reader->unit);
  clang_disposeIndex(index);
  return fine;
}
