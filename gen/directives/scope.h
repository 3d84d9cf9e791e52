/* What the names of a function stand for where directives are: whole numbers, known values. */
#ifndef GEN_SCOPE_H
#define GEN_SCOPE_H

#include "directive.h"
#include "integer.h"

enum { GEN_MAX_CHANGES = 2048, GEN_MAX_LOOPS = 3 };

/* A statement that changes a variable. */
struct gen_change {
  const struct gen_syntax *variable, *value; /* value: of a plain assignment, else NULL */
  struct gen_location where;
  bool by_one; /* v++, ++v or v += 1 */
  bool maybe;  /* in a loop or under a condition */
  bool inside; /* in a marked region, or in a loop around one */
};

struct gen_scope {
  const struct gen_directives *directives;
  int changes;
  struct gen_change change[GEN_MAX_CHANGES];
  int loops; /* around what is read: variables that run */
  const struct gen_syntax *loop[GEN_MAX_LOOPS];
  int line, end; /* where these loops begin and end */
  int depth;     /* of variables whose values are made of each other */
};

/* The directive that marks a statement, or that a call stands for; NULL: none. */
const struct gen_directive *gen_directive_of(const struct gen_directives *directives,
                                             const struct gen_syntax *syntax);
/* Whether a statement has such a one, or a statement in it. */
bool gen_has_marks(const struct gen_directives *directives, const struct gen_syntax *syntax);
/* Whether there is a loop in a statement, or it is one. */
bool gen_has_loops(const struct gen_syntax *syntax);
/* Whether a statement has directives in it, or, where loops need none, stores elements. */
bool gen_is_working(const struct gen_directives *directives, const struct gen_syntax *syntax);
/* Notes all changes in a function's body; elsewhere: not in the function that has the directives.
 * False after a rejection. */
bool gen_note_changes(struct gen_scope *scope, const struct gen_syntax *body, bool elsewhere);
/* How many statements change the variable; where one of those inside is, or NULL. */
int gen_times_changed(const struct gen_scope *scope, const struct gen_syntax *variable);
const struct gen_change *gen_changed_inside(const struct gen_scope *scope,
                                            const struct gen_syntax *variable);
/* Of one of the variables in an expression. */
const struct gen_change *gen_moved_inside(const struct gen_scope *scope,
                                          const struct gen_syntax *syntax);

/* The value of an integer expression. False after a rejection. */
bool gen_scope_integer(struct gen_scope *scope, const struct gen_syntax *syntax,
                       struct gen_integer *integer);
/* Whether the value of a number is known, from declarations and assignments that happen once; says
 * nothing. */
bool gen_scope_number(struct gen_scope *scope, const struct gen_syntax *syntax, double *value);
/* Whether a statement is v++, ++v or v += 1. */
bool gen_steps_by_one(const struct gen_syntax *step, const struct gen_syntax *variable);
/* The variable that a name stands for; NULL: it is no name of one. */
const struct gen_syntax *gen_variable_of(const struct gen_syntax *syntax);
/* A statement's or value's text for messages: up to a directive in it. */
const char *gen_shown(const struct gen_syntax *syntax);
/* Rejects with "'text' why". */
bool gen_decline(const struct gen_syntax *syntax, const char *why);

#endif
