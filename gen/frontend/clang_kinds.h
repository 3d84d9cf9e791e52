/* The kinds of the C compiler's cursors, types and operators in the words of syntax.h. */
#ifndef GEN_CLANG_KINDS_H
#define GEN_CLANG_KINDS_H

#include "syntax.h"

#include <clang-c/Index.h>

enum gen_type gen_clang_type(CXType type);
enum gen_syntax_kind gen_clang_kind(CXCursor cursor);
enum gen_syntax_operation gen_clang_binary(enum CXBinaryOperatorKind kind);
enum gen_syntax_operation gen_clang_unary(enum CXUnaryOperatorKind kind);

#endif
