/* The directives of a C file: what their text says, and the file's text with a mark in the place of
 * each, which a C compiler understands. */
#ifndef GEN_DIRECTIVE_H
#define GEN_DIRECTIVE_H

#include "ir/tree.h"

enum { GEN_MAX_DIRECTIVES = 128, GEN_NEST_OUTERMOST = 1, GEN_NEST_ALL = 0 };

/* What marks begin with. */
#define GEN_MARK "directive_"

enum gen_directive_kind {
  GEN_DIRECTIVE_PARALLEL, /* the statement after it is a region whose nests run in parallel */
  GEN_DIRECTIVE_FOR,      /* the loops after it do */
  GEN_DIRECTIVE_SINGLE,   /* the statement after it runs once */
  GEN_DIRECTIVE_BARRIER,  /* nothing: kernels follow one another anyway */
  GEN_DIRECTIVE_COPY,     /* an array, its extents, and where it is copied to */
  GEN_DIRECTIVE_ARRAYS, /* arrays and their extents: from here on loops that store them are nests */
  GEN_DIRECTIVE_WALLS,  /* the loops after it fill ghosts beyond these walls */
  GEN_DIRECTIVE_SUMS    /* the loops after it gather values in these variables */
};

struct gen_directive {
  enum gen_directive_kind kind;
  struct gen_location where;
  int last_line; /* of its lines */
  int nest;      /* of a loop nest: how many loops are said to be parallel, or GEN_NEST_ALL */
  struct gen_location nest_where;
  int tile[3], chunk[3];        /* of a loop nest; 0: not said */
  bool to_device;               /* of a copy */
  int walls;                    /* bits 2 d + side */
  const char *operation, *sums; /* of sums: + min max; the variables, with commas between */
};

struct gen_directives {
  const char *path;
  bool finds_loops; /* loops need no directive */
  int from_line;    /* where the first directive for arrays is, which that holds after; 0: none */
  int count;
  struct gen_directive directive[GEN_MAX_DIRECTIVES];
  const char *marked; /* the file's text with marks */
};

/* Whether there are directives "#pragma WORD ...": mint, panda. */
bool gen_directives_known(const char *word);
/* Reads the directives "#pragma WORD ..." of a text, which ends in 0. In the marked text, n being
 * its number, a directive that belongs to a statement is a label directive_n before it; a copy is a
 * call directive_n(array, 0, extents); a barrier is gone, and so is std:: before swap. Lines stay
 * where they are. Memory:  keeps path and text; all lives until gen_clear Errors:  false after a
 * rejection with line and column */
bool gen_read_directives(const char *path, const char *text, const char *word,
                         struct gen_directives *directives);
/* The directive whose mark a label or a function's name is; NULL: it is none. */
const struct gen_directive *gen_marked(const struct gen_directives *directives, const char *name);

#endif
