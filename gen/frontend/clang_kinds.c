#include "clang_kinds.h"

enum gen_type gen_clang_type(CXType type)
{
  switch (clang_getCanonicalType(type).kind) {
  case CXType_Int:
    return GEN_INT;
  case CXType_Float:
    return GEN_FLOAT;
  case CXType_Double:
    return GEN_DOUBLE;
  default:
    return GEN_NO_TYPE;
  }
}

enum gen_syntax_kind gen_clang_kind(CXCursor cursor)
{
  static const struct {
    enum CXCursorKind clang;
    enum gen_syntax_kind kind;
  } kinds[] = {
    {CXCursor_CompoundStmt, GEN_SYNTAX_BLOCK},
    {CXCursor_DeclStmt, GEN_SYNTAX_DECLARE},
    {CXCursor_ForStmt, GEN_SYNTAX_FOR},
    {CXCursor_IfStmt, GEN_SYNTAX_IF},
    {CXCursor_WhileStmt, GEN_SYNTAX_WHILE},
    {CXCursor_DoStmt, GEN_SYNTAX_WHILE},
    {CXCursor_GotoStmt, GEN_SYNTAX_GOTO},
    {CXCursor_LabelStmt, GEN_SYNTAX_GOTO},
    {CXCursor_SwitchStmt, GEN_SYNTAX_SWITCH},
    {CXCursor_BreakStmt, GEN_SYNTAX_BREAK},
    {CXCursor_ContinueStmt, GEN_SYNTAX_BREAK},
    {CXCursor_ReturnStmt, GEN_SYNTAX_RETURN},
    {CXCursor_NullStmt, GEN_SYNTAX_EMPTY},
    {CXCursor_IntegerLiteral, GEN_SYNTAX_WHOLE},
    {CXCursor_FloatingLiteral, GEN_SYNTAX_REAL},
    {CXCursor_DeclRefExpr, GEN_SYNTAX_NAME},
    {CXCursor_ArraySubscriptExpr, GEN_SYNTAX_ELEMENT},
    {CXCursor_CallExpr, GEN_SYNTAX_CALL},
    {CXCursor_UnaryOperator, GEN_SYNTAX_UNARY},
    {CXCursor_BinaryOperator, GEN_SYNTAX_BINARY},
    {CXCursor_ConditionalOperator, GEN_SYNTAX_CHOICE},
    {CXCursor_CompoundAssignOperator, GEN_SYNTAX_ASSIGN},
    {CXCursor_VarDecl, GEN_SYNTAX_VARIABLE},
    {CXCursor_ParmDecl, GEN_SYNTAX_VARIABLE},
  };
  if (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign)
    return GEN_SYNTAX_ASSIGN;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (clang_getCursorKind(cursor) == kinds[k].clang)
      return kinds[k].kind;
  return GEN_SYNTAX_OTHER;
}

enum gen_syntax_operation gen_clang_binary(enum CXBinaryOperatorKind kind)
{
  switch (kind) {
  case CXBinaryOperator_Assign:
    return GEN_SYNTAX_NONE;
  case CXBinaryOperator_Add:
  case CXBinaryOperator_AddAssign:
    return GEN_SYNTAX_ADD;
  case CXBinaryOperator_Sub:
  case CXBinaryOperator_SubAssign:
    return GEN_SYNTAX_SUBTRACT;
  case CXBinaryOperator_Mul:
  case CXBinaryOperator_MulAssign:
    return GEN_SYNTAX_MULTIPLY;
  case CXBinaryOperator_Div:
  case CXBinaryOperator_DivAssign:
    return GEN_SYNTAX_DIVIDE;
  case CXBinaryOperator_Rem:
    return GEN_SYNTAX_REMAINDER;
  case CXBinaryOperator_LT:
    return GEN_SYNTAX_LESS;
  case CXBinaryOperator_LE:
    return GEN_SYNTAX_LESS_EQUAL;
  case CXBinaryOperator_GT:
    return GEN_SYNTAX_GREATER;
  case CXBinaryOperator_GE:
    return GEN_SYNTAX_GREATER_EQUAL;
  case CXBinaryOperator_NE:
    return GEN_SYNTAX_UNEQUAL;
  case CXBinaryOperator_LAnd:
    return GEN_SYNTAX_AND;
  case CXBinaryOperator_LOr:
    return GEN_SYNTAX_OR;
  case CXBinaryOperator_Comma:
    return GEN_SYNTAX_COMMA;
  case CXBinaryOperator_EQ:
    return GEN_SYNTAX_EQUAL;
  default:
    return GEN_SYNTAX_UNKNOWN;
  }
}

enum gen_syntax_operation gen_clang_unary(enum CXUnaryOperatorKind kind)
{
  switch (kind) {
  case CXUnaryOperator_Plus:
    return GEN_SYNTAX_ADD;
  case CXUnaryOperator_Minus:
    return GEN_SYNTAX_SUBTRACT;
  case CXUnaryOperator_LNot:
    return GEN_SYNTAX_NOT;
  case CXUnaryOperator_PostInc:
  case CXUnaryOperator_PreInc:
    return GEN_SYNTAX_INCREMENT;
  default:
    return GEN_SYNTAX_UNKNOWN;
  }
}
