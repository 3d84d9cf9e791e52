#include "clauses.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct gen_location place(const struct gen_clauses *clauses, const char *at)
{
  struct gen_location where = clauses->where;
  for (const char *raw = clauses->raw; raw < clauses->raw + (at - clauses->text); raw++) {
    where.column++;
    if (*raw == '\n') {
      where.line++;
      where.column = 1;
    }
  }
  return where;
}

static void skip_blanks(struct gen_clauses *clauses)
{
  while (isspace((unsigned char)*clauses->at) || *clauses->at == ',')
    clauses->at++;
}

static size_t word_length(const char *at)
{
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || at[length] == '_'
         || (at[length] == '-' && length && isalpha((unsigned char)at[length + 1])))
    length++;
  return length;
}

/* The next word in messages. */
static const char *shown(const struct gen_clauses *clauses)
{
  const size_t length = word_length(clauses->at);
  if (!*clauses->at)
    return "the end of the line";
  return gen_text("'%.*s'", length ? (int)length : 1, clauses->at);
}

static bool wrong(const struct gen_clauses *clauses, const char *expected)
{
  return gen_reject(place(clauses, clauses->at), "found %s where %s was expected", shown(clauses),
                    expected);
}

/* Whether the next word is this one, and goes past it. */
static bool take_word(struct gen_clauses *clauses, const char *word)
{
  const size_t length = word_length(clauses->at);
  if (length != strlen(word) || strncmp(clauses->at, word, length) != 0)
    return false;
  clauses->at += length;
  return true;
}

/* no-wait, also with blanks around the sign, as formatters write it. */
static bool take_no_wait(struct gen_clauses *clauses)
{
  const char *start = clauses->at;
  if (take_word(clauses, "no-wait") || take_word(clauses, "nowait"))
    return true;
  if (take_word(clauses, "no")) {
    clauses->at += strspn(clauses->at, " \t");
    clauses->at += *clauses->at == '-';
    clauses->at += strspn(clauses->at, " \t");
    if (take_word(clauses, "wait"))
      return true;
  }
  clauses->at = start;
  return false;
}

static bool take_sign(struct gen_clauses *clauses, char sign)
{
  clauses->at += strspn(clauses->at, " \t");
  if (*clauses->at != sign)
    return wrong(clauses, gen_text("'%c'", sign));
  clauses->at++;
  return true;
}

static bool take_number(struct gen_clauses *clauses, const char *what, int *number)
{
  char *end;
  clauses->at += strspn(clauses->at, " \t");
  const long value = strtol(clauses->at, &end, 10);
  if (end == clauses->at || value < 1 || value > 1 << 20 || isalnum((unsigned char)*end)
      || *end == '_')
    return wrong(clauses, what);
  *number = (int)value;
  clauses->at = end;
  return true;
}

/* (x, y, z), or fewer of them: the others are 1. */
static bool read_three(struct gen_clauses *clauses, const char *what, int number[3])
{
  if (!take_sign(clauses, '('))
    return false;
  for (int d = 0; d < 3; d++) {
    if (!take_number(clauses, gen_text("a number from 1 up, one of '%s',", what), &number[d]))
      return false;
    clauses->at += strspn(clauses->at, " \t");
    if (*clauses->at == ')')
      break;
    if (d < 2 && !take_sign(clauses, ','))
      return false;
  }
  return take_sign(clauses, ')');
}

/* ---- for ---- */

static bool read_nest(struct gen_clauses *clauses, struct gen_directive *directive)
{
  if (!take_sign(clauses, '('))
    return false;
  clauses->at += strspn(clauses->at, " \t");
  directive->nest_where = place(clauses, clauses->at);
  if (take_word(clauses, "all"))
    directive->nest = GEN_NEST_ALL;
  else if (!take_number(clauses, "a number of loops or 'all'", &directive->nest))
    return false;
  return take_sign(clauses, ')');
}

static bool read_for(struct gen_clauses *clauses, struct gen_directive *directive)
{
  int tile[3] = {1, 1, 1}, chunk[3] = {1, 1, 1};
  struct gen_location chunk_where = directive->where;
  bool tiled = false;
  for (skip_blanks(clauses); *clauses->at; skip_blanks(clauses)) {
    const struct gen_location where = place(clauses, clauses->at);
    bool fine = true;
    if (take_word(clauses, "nest")) {
      fine = read_nest(clauses, directive);
    } else if (take_word(clauses, "tile")) {
      fine = tiled = read_three(clauses, "tile", tile);
    } else if (take_word(clauses, "chunksize")) {
      chunk_where = where;
      fine = read_three(clauses, "chunksize", chunk);
    } else if (!take_no_wait(clauses)) {
      return wrong(clauses, "nest, tile, chunksize or no-wait");
    }
    if (!fine)
      return false;
  }
  for (int d = 0; tiled && d < 3; d++)
    if (tile[d] % chunk[d])
      return gen_reject(chunk_where,
                        "the tile has %d points along %c, which is no multiple of the chunksize %d:"
                        " threads of a block are tile / chunksize",
                        tile[d], "xyz"[d], chunk[d]);
  for (int d = 0; d < 3; d++) {
    directive->tile[d] = tiled ? tile[d] : 0;
    directive->chunk[d] = tiled ? chunk[d] : 0;
  }
  return true;
}

/* ---- parallel ---- */

/* (a, b, c): names, which nothing depends on, as every use of a variable is looked at. */
static bool read_names(struct gen_clauses *clauses)
{
  if (!take_sign(clauses, '('))
    return false;
  for (skip_blanks(clauses); *clauses->at != ')'; skip_blanks(clauses)) {
    const size_t length = word_length(clauses->at);
    if (!length)
      return wrong(clauses, "a name or ')'");
    clauses->at += length;
  }
  return take_sign(clauses, ')');
}

static bool read_parallel(struct gen_clauses *clauses)
{
  for (skip_blanks(clauses); *clauses->at && *clauses->at != '{'; skip_blanks(clauses)) {
    if (take_word(clauses, "default")) {
      if (!take_sign(clauses, '('))
        return false;
      if (!take_word(clauses, "shared"))
        return wrong(clauses, "'shared'");
      if (!take_sign(clauses, ')'))
        return false;
    } else if (take_word(clauses, "shared") || take_word(clauses, "private")) {
      clauses->at += strspn(clauses->at, " \t");
      if (*clauses->at == '(' && !read_names(clauses))
        return false;
    } else {
      return wrong(clauses, "shared, private or default(shared)");
    }
  }
  return true;
}

/* ---- copy ---- */

/* Makes what stands between two places of the call's text one character, and blanks. */
static void replace(const struct gen_clauses *clauses, char *call, const char *from, const char *to,
                    char by)
{
  memset(call + (from - clauses->text), ' ', (size_t)(to - from));
  call[from - clauses->text] = by;
}

static bool find_close(struct gen_clauses *clauses, const char *what)
{
  int depth = 1;
  for (; *clauses->at && depth; clauses->at++)
    depth += (*clauses->at == '(') - (*clauses->at == ')');
  clauses->close = clauses->at - 1;
  return !depth || wrong(clauses, what);
}

/* copy(array, toDevice, nx, ny, nz): expressions of C, which the C compiler reads; a number stands
 * for the way. */
static bool read_copy(struct gen_clauses *clauses, struct gen_directive *directive)
{
  char *call = strcpy(gen_allocate(strlen(clauses->text) + 1), clauses->text);
  if (!take_sign(clauses, '('))
    return false;
  clauses->open = clauses->at - 1;
  clauses->at += strspn(clauses->at, " \t");
  const size_t length = word_length(clauses->at);
  if (!length)
    return wrong(clauses, "the name of an array");
  clauses->at += length;
  if (!take_sign(clauses, ','))
    return false;
  clauses->at += strspn(clauses->at, " \t");
  const char *way = clauses->at;
  directive->to_device = take_word(clauses, "toDevice");
  if (!directive->to_device && !take_word(clauses, "fromDevice"))
    return wrong(clauses, "toDevice or fromDevice");
  replace(clauses, call, way, clauses->at, '0');
  clauses->call = call;
  return find_close(clauses, "')' of the copy");
}

/* ---- Panda's ---- */

/* distribute(a, b) size(nx, ny, nz): as the arguments a, b, 0, nx, ny, nz of a call. */
static bool read_distribute(struct gen_clauses *clauses, struct gen_directive *directive)
{
  char *call = strcpy(gen_allocate(strlen(clauses->text) + 1), clauses->text);
  directive->to_device = true;
  clauses->at += strspn(clauses->at, " \t");
  clauses->open = clauses->at;
  if (!read_names(clauses))
    return false;
  const char *after = clauses->at - 1;
  replace(clauses, call, after, clauses->at, ',');
  skip_blanks(clauses);
  const char *size = clauses->at;
  if (!take_word(clauses, "size"))
    return wrong(clauses, "size(nx, ny, nz)");
  replace(clauses, call, size, clauses->at, '0');
  if (!take_sign(clauses, '('))
    return false;
  replace(clauses, call, clauses->at - 1, clauses->at, ',');
  clauses->call = call;
  return find_close(clauses, "')' of the size");
}

/* boundary(xmin, zmax) size(a, b): the size follows from the loops. */
static bool read_boundary(struct gen_clauses *clauses, struct gen_directive *directive)
{
  static const char *const walls[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  if (!take_sign(clauses, '('))
    return false;
  for (skip_blanks(clauses); *clauses->at != ')'; skip_blanks(clauses)) {
    int w = 0;
    while (w < 6 && !take_word(clauses, walls[w]))
      w++;
    if (w == 6)
      return wrong(clauses, "xmin, xmax, ymin, ymax, zmin, zmax or ')'");
    directive->walls |= 1 << w;
  }
  clauses->at++;
  if (!directive->walls)
    return gen_reject(directive->where, "a boundary that names no wall");
  skip_blanks(clauses);
  return !take_word(clauses, "size")
    || (take_sign(clauses, '(') && find_close(clauses, "')' of the size"));
}

/* reduction(+:a, b), or with max or min. */
static bool read_reduction(struct gen_clauses *clauses, struct gen_directive *directive)
{
  if (!take_sign(clauses, '('))
    return false;
  clauses->at += strspn(clauses->at, " \t");
  directive->operation = take_word(clauses, "min") ? "min"
    : take_word(clauses, "max")                    ? "max"
    : *clauses->at == '+'                          ? "+"
                                                   : NULL;
  if (!directive->operation)
    return wrong(clauses, "+, min or max");
  clauses->at += *directive->operation == '+';
  if (!take_sign(clauses, ':'))
    return false;
  const char *first = clauses->at;
  for (skip_blanks(clauses); word_length(clauses->at); skip_blanks(clauses))
    clauses->at += word_length(clauses->at);
  directive->sums = gen_text("%.*s", (int)(clauses->at - first), first);
  return take_sign(clauses, ')');
}

/* ---- all ---- */

static const struct {
  const char *language, *word;
  enum gen_directive_kind kind;
} known[] = {
  {"mint", "parallel", GEN_DIRECTIVE_PARALLEL}, {"mint", "for", GEN_DIRECTIVE_FOR},
  {"mint", "single", GEN_DIRECTIVE_SINGLE},     {"mint", "barrier", GEN_DIRECTIVE_BARRIER},
  {"mint", "copy", GEN_DIRECTIVE_COPY},         {"panda", "distribute", GEN_DIRECTIVE_ARRAYS},
  {"panda", "boundary", GEN_DIRECTIVE_WALLS},   {"panda", "wait", GEN_DIRECTIVE_BARRIER},
  {"panda", "reduction", GEN_DIRECTIVE_SUMS}};
enum { KNOWN = sizeof known / sizeof *known };

bool gen_directives_known(const char *word)
{
  for (int k = 0; k < KNOWN; k++)
    if (strcmp(known[k].language, word) == 0)
      return true;
  return false;
}

static bool read_kind(struct gen_clauses *clauses, struct gen_directive *directive)
{
  switch (directive->kind) {
  case GEN_DIRECTIVE_FOR:
    return read_for(clauses, directive);
  case GEN_DIRECTIVE_PARALLEL:
    return read_parallel(clauses);
  case GEN_DIRECTIVE_COPY:
    return read_copy(clauses, directive);
  case GEN_DIRECTIVE_ARRAYS:
    return read_distribute(clauses, directive);
  case GEN_DIRECTIVE_WALLS:
    return read_boundary(clauses, directive);
  case GEN_DIRECTIVE_SUMS:
    return read_reduction(clauses, directive);
  default:
    return true;
  }
}

bool gen_read_clauses(struct gen_clauses *clauses, const char *word,
                      struct gen_directive *directive)
{
  const char *all = "";
  int k = 0;
  skip_blanks(clauses);
  while (k < KNOWN && (strcmp(known[k].language, word) != 0 || !take_word(clauses, known[k].word)))
    k++;
  for (int n = 0; k == KNOWN && n < KNOWN; n++)
    if (strcmp(known[n].language, word) == 0)
      all = gen_listed(all, known[n].word);
  if (k == KNOWN)
    return wrong(clauses, gen_text("one of %s", all));
  directive->kind = known[k].kind;
  if (!read_kind(clauses, directive))
    return false;
  skip_blanks(clauses);
  if (*clauses->at == '{'
      && (directive->kind == GEN_DIRECTIVE_SINGLE || directive->kind == GEN_DIRECTIVE_PARALLEL))
    clauses->brace = clauses->at++;
  skip_blanks(clauses);
  return !*clauses->at || wrong(clauses, "the end of the directive");
}
