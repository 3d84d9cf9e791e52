#include "directive.h"

#include "clauses.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = GEN_MARK;

/* Where reading stands in the file, and the marked text. */
struct reading {
  const char *text, *at, *line;
  int number; /* of the line */
  struct gen_directives *into;
  char *out;
  size_t length;
};

static void put(struct reading *reading, char c)
{
  reading->out[reading->length++] = c;
}

/* Goes one character on, and keeps it, or a blank in its place. */
static void pass(struct reading *reading, bool keep)
{
  put(reading, keep || *reading->at == '\n' ? *reading->at : ' ');
  if (*reading->at++ == '\n') {
    reading->line = reading->at;
    reading->number++;
  }
}

/* The end of the comment, string or character that begins here; here if none does. */
static const char *skipped(const char *at)
{
  const char *end = NULL;
  if (at[0] == '/' && at[1] == '*') {
    end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (at[0] == '/' && at[1] == '/')
    return at + strcspn(at, "\n");
  if (*at != '"' && *at != '\'')
    return at;
  for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
    if (*end == '\\' && end[1])
      end++;
  return *end ? end + 1 : end;
}

/* The end of a preprocessor line: lines that end in \ go on. */
static const char *logical_end(const char *at)
{
  while (*at && *at != '\n') {
    const char *after = skipped(at);
    if (after > at && *at == '/' && at[1] == '*')
      at = after;
    else
      at += *at == '\\' && at[1] == '\n' ? 2 : 1;
  }
  return at;
}

/* What stands after "#pragma WORD"; NULL if that is not what begins here. */
static const char *after_word(const char *at, const char *word)
{
  const char *const words[] = {"#", "pragma", word};
  for (int n = 0; n < 3; n++) {
    const size_t length = strlen(words[n]);
    at += strspn(at, " \t");
    if (strncmp(at, words[n], length) != 0 || (n && (isalnum((unsigned char)at[length]) != 0)))
      return NULL;
    at += length;
  }
  return at;
}

/* The text of a directive with its comments and line ends as blanks. */
static char *one_line(const char *start, const char *end)
{
  char *text = gen_allocate((size_t)(end - start) + 1);
  memcpy(text, start, (size_t)(end - start));
  for (char *at = text; *at;) {
    const char *after = skipped(at);
    if (*at == '\\' || *at == '\n')
      *at = ' ';
    if (after == at || *at == '"') {
      at++;
      continue;
    }
    memset(at, ' ', (size_t)(after - at));
    at = text + (after - text);
  }
  return text;
}

/* The marked text of a directive: its label, or the call that a copy is; a brace stays. */
static void put_mark(struct reading *reading, const struct gen_clauses *clauses, const char *end)
{
  const int n = reading->into->count - 1;
  const char *start = reading->at,
             *open = clauses->call ? start + (clauses->open - clauses->text) : end,
             *close = clauses->call ? start + (clauses->close - clauses->text) : end,
             *brace = clauses->brace ? start + (clauses->brace - clauses->text) : NULL;
  const char *head = reading->into->directive[n].kind == GEN_DIRECTIVE_BARRIER
    ? ""
    : gen_text(clauses->call ? "%s%d" : "%s%d:", mark, n);
  size_t length = strlen(head);
  memcpy(reading->out + reading->length, head, length);
  reading->length += length;
  while (reading->at < end) {
    const char *at = reading->at;
    if (at >= open && at <= close && *at != '\n') {
      put(reading, clauses->call[at - start]);
      reading->at++;
    } else if (length && at != brace && *at != '\n') {
      length--; /* columns stay where they can */
      reading->at++;
    } else {
      pass(reading, at == brace);
    }
    if (at == close)
      put(reading, ';');
  }
}

static bool read_directive(struct reading *reading, const char *word, const char *after)
{
  struct gen_directives *into = reading->into;
  const char *end = logical_end(reading->at);
  const struct gen_location where = {
    .file = into->path, .line = reading->number, .column = (int)(reading->at - reading->line) + 1};
  if (into->count == GEN_MAX_DIRECTIVES)
    return gen_reject(where, "more than %d directives", GEN_MAX_DIRECTIVES);
  struct gen_clauses clauses = {.text = one_line(reading->at, end), .raw = reading->at};
  clauses.where = where;
  clauses.at = clauses.text + (after - reading->at);
  struct gen_directive *directive = &into->directive[into->count++];
  *directive = (struct gen_directive){.where = where, .nest = GEN_NEST_OUTERMOST};
  if (!gen_read_clauses(&clauses, word, directive))
    return false;
  into->finds_loops = into->finds_loops || directive->kind == GEN_DIRECTIVE_ARRAYS;
  if (directive->kind == GEN_DIRECTIVE_ARRAYS && !into->from_line)
    into->from_line = where.line;
  put_mark(reading, &clauses, end);
  directive->last_line = reading->number;
  return true;
}

/* Whether a preprocessor line begins with that word, and goes past it. */
static bool is_line(const char **at, const char *word)
{
  const char *after = *at + strspn(*at, "# \t");
  const size_t length = strlen(word);
  if (strncmp(after, word, length) != 0 || isalnum((unsigned char)after[length]))
    return false;
  *at = after + length;
  return true;
}

/* How deep the line is in what "#if 0" takes out, 0: not at all. */
static int depth_after(const char *line, int depth)
{
  if (is_line(&line, "if") || is_line(&line, "ifdef") || is_line(&line, "ifndef"))
    return depth || is_line(&line, "0") ? depth + 1 : 0;
  if (depth == 1 && (is_line(&line, "else") || is_line(&line, "elif")))
    return 0;
  return depth && is_line(&line, "endif") ? depth - 1 : depth;
}

bool gen_read_directives(const char *path, const char *text, const char *word,
                         struct gen_directives *directives)
{
  struct reading reading = {
    .text = text, .at = text, .line = text, .number = 1, .into = directives};
  bool first = true; /* nothing but blanks stands before in the line */
  int out = 0;
  *directives = (struct gen_directives){.path = path};
  reading.out = gen_allocate(strlen(text) + (size_t)GEN_MAX_DIRECTIVES * 32 + 1);
  while (*reading.at) {
    const bool line = first && *reading.at == '#';
    out = line ? depth_after(reading.at, out) : out;
    const char *after = line && !out ? after_word(reading.at, word) : NULL;
    if (after) {
      if (!read_directive(&reading, word, after))
        return false;
      continue;
    }
    const char *end = line ? logical_end(reading.at) : skipped(reading.at);
    end = end > reading.at ? end : reading.at + 1;
    first = *reading.at == '\n' || (first && isspace((unsigned char)*reading.at));
    const char *space = strncmp(reading.at, "std::swap", 9) == 0 ? reading.at + 5 : reading.at;
    while (reading.at < end || reading.at < space)
      pass(&reading, reading.at >= space);
  }
  directives->marked = reading.out;
  return true;
}

const struct gen_directive *gen_marked(const struct gen_directives *directives, const char *name)
{
  if (!name || strncmp(name, mark, sizeof mark - 1) != 0)
    return NULL;
  const int n = atoi(name + sizeof mark - 1);
  return n >= 0 && n < directives->count ? &directives->directive[n] : NULL;
}
