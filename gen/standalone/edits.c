#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

size_t gen_line_at(const char *text, int line)
{
  const char *at = text;
  for (int n = 1; n < line && *at; n++) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return (size_t)(at - text);
}

size_t gen_place_at(const char *text, struct gen_location where)
{
  return gen_line_at(text, where.line) + (size_t)(where.column > 1 ? where.column - 1 : 0);
}

const char *gen_indent_of(const char *text, size_t at)
{
  while (at && text[at - 1] != '\n')
    at--;
  return gen_text("%.*s", (int)strspn(text + at, " \t"), text + at);
}

static bool is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

bool gen_has_word(const char *text, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
      return true;
  return false;
}

const char *gen_free_name(const char *text, const char *name)
{
  while (gen_has_word(text, name))
    name = gen_text("%s_", name);
  return name;
}

/* ---- statements ---- */

/* Past the comment, the string or the character that begins here, or past one character. */
static const char *next(const char *at)
{
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (at[0] == '/' && at[1] == '/')
    return at + strcspn(at, "\n");
  if (*at != '"' && *at != '\'')
    return at + 1;
  const char *end = at + 1;
  while (*end && *end != *at)
    end += *end == '\\' && end[1] ? 2 : 1;
  return *end ? end + 1 : end;
}

/* The end of a preprocessor line: lines that end in \ go on. */
static const char *line_end(const char *at)
{
  while (*at && *at != '\n')
    at += at[0] == '\\' && at[1] == '\n' ? 2 : 1;
  return at;
}

/* Past blanks, comments and preprocessor lines. */
static const char *blanks(const char *at)
{
  for (;;) {
    if (isspace((unsigned char)*at))
      at++;
    else if (at[0] == '/' && (at[1] == '*' || at[1] == '/'))
      at = next(at);
    else if (*at == '#')
      at = line_end(at);
    else
      return at;
  }
}

/* Past the bracket that closes the one here. */
static const char *closed(const char *at)
{
  int depth = 0;
  while (*at) {
    depth += strchr("({[", *at) != NULL;
    depth -= strchr(")}]", *at) != NULL;
    at = next(at);
    if (!depth)
      break;
  }
  return at;
}

static size_t word_at(const char *at)
{
  size_t length = 0;
  while (is_letter(at[length]))
    length++;
  return length;
}

/* Past the statement. Words with parentheses that another word or a block follows are heads of
 * loops, as they are or as macros; a word with a colon is a label. */
static const char *ended(const char *at)
{
  at = blanks(at);
  if (*at == '{')
    return closed(at);
  const size_t length = word_at(at);
  const char *after = blanks(at + length);
  if (length && *after == ':')
    return ended(after + 1);
  if (length && *after == '(') {
    const char *body = blanks(closed(after));
    if (*body == '{' || is_letter(*body))
      return ended(body);
  }
  while (*at && *at != ';' && *at != '}')
    at = strchr("({[", *at) ? closed(at) : next(at);
  return *at == ';' ? at + 1 : at;
}

/* Of a byte of the marked text in the file: lines are the same. */
static size_t in_file(const struct gen_edits *edits, const char *at)
{
  const char *marked = edits->directives->marked, *line = marked;
  int number = 1;
  for (const char *end; (end = strchr(line, '\n')) && end < at; line = end + 1)
    number++;
  return gen_line_at(edits->text, number) + (size_t)(at - line);
}

bool gen_find_word(const char *text, const char *word, struct gen_location *where)
{
  const size_t length = strlen(word);
  for (const char *at = blanks(text); *at; at = blanks(at)) {
    const size_t found = word_at(at);
    if (found == length && strncmp(at, word, length) == 0) {
      where->line = 1;
      for (const char *c = text; c < at; c++) {
        where->line += *c == '\n';
        text = *c == '\n' ? c + 1 : text;
      }
      where->column = (int)(at - text) + 1;
      return true;
    }
    at = found ? at + found : next(at);
  }
  return false;
}

size_t gen_statement_end(const struct gen_edits *edits, struct gen_location where)
{
  const char *marked = edits->directives->marked;
  return in_file(edits, ended(marked + gen_place_at(marked, where)));
}

/* Past blanks and preprocessor lines; *after: past the last of the latter. */
static const char *lines(const char *at, const char **after)
{
  while (isspace((unsigned char)*at) || *at == '#') {
    const bool line = *at == '#';
    at = line ? line_end(at) : at + 1;
    *after = line ? at : *after;
  }
  return at;
}

size_t gen_function_start(const struct gen_edits *edits, struct gen_location where)
{
  const char *marked = edits->directives->marked, *name = marked + gen_place_at(marked, where),
             *after = marked; /* what stands before the function and its comment */
  const char *at = lines(marked, &after);
  while (at < name) {
    if (at[0] != '/' || (at[1] != '*' && at[1] != '/')) {
      const char *end = at;
      while (*end && *end != ';' && *end != '{')
        end = *end == '(' ? closed(end) : next(end);
      end = *end == '{' ? closed(end) : *end ? end + 1 : end;
      if (end > name)
        break;
      after = end;
      at = end;
    } else {
      at = next(at);
    }
    at = lines(at, &after);
  }
  if (after == marked)
    return 0;
  after += strcspn(after, "\n");
  return in_file(edits, *after ? after + 1 : after);
}

/* ---- edits ---- */

bool gen_replace(struct gen_edits *edits, size_t from, size_t to, const char *text)
{
  if (edits->count == GEN_MAX_EDITS)
    return gen_reject((struct gen_location){.file = edits->directives->path, .line = 1},
                      "more than %d places that --standalone replaces", GEN_MAX_EDITS);
  edits->edit[edits->count++] = (struct gen_edit){from, to, text};
  return true;
}

const char *gen_indented(const char *indent, const char *lines)
{
  const char *text = "";
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    text = gen_text("%s%s%.*s\n", text, length ? indent : "", (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
  return text;
}

bool gen_replace_directive(struct gen_edits *edits, const struct gen_directive *directive,
                           const char *text)
{
  const char *marked = edits->directives->marked;
  const size_t from = gen_line_at(edits->text, directive->where.line),
               to = gen_line_at(edits->text, directive->last_line + 1);
  const char *line = marked + gen_line_at(marked, directive->where.line),
             *end = marked + gen_line_at(marked, directive->last_line + 1);
  const bool copies =
    directive->kind == GEN_DIRECTIVE_COPY || directive->kind == GEN_DIRECTIVE_ARRAYS;
  while (line < end && *line != '{')
    line++;
  if (line < end && !copies) /* the block begins on the directive's line */
    text = gen_text("%s%s{\n", text,
                    gen_indent_of(edits->text, gen_line_at(edits->text, directive->last_line + 1)));
  return gen_replace(edits, from, to, text);
}

bool gen_put_before(struct gen_edits *edits, struct gen_location where, const char *indent,
                    const char *lines)
{
  size_t at = gen_place_at(edits->text, where), line = at;
  while (line && edits->text[line - 1] != '\n' && isspace((unsigned char)edits->text[line - 1]))
    line--;
  if (!line || edits->text[line - 1] == '\n' || edits->text[at] == '#')
    return gen_replace(edits, gen_line_at(edits->text, where.line),
                       gen_line_at(edits->text, where.line), gen_indented(indent, lines));
  if (at >= 5 && strncmp(edits->text + at - 5, "std::", 5) == 0)
    at -= 5;
  return gen_replace(edits, at, at, gen_text("\n%s%s", gen_indented(indent, lines), indent));
}

bool gen_put_after(struct gen_edits *edits, struct gen_location where, const char *indent,
                   const char *lines)
{
  const size_t end = gen_statement_end(edits, where);
  size_t after = end + strspn(edits->text + end, " \t");
  if (edits->text[after] == '/' && (edits->text[after + 1] == '/' || edits->text[after + 1] == '*'))
    after = (size_t)(next(edits->text + after) - edits->text);
  lines = gen_indented(indent, lines);
  return edits->text[after] == '\n'
    ? gen_replace(edits, after + 1, after + 1, lines)
    : gen_replace(edits, end, end, gen_text("\n%s%s", lines, indent));
}

/* In the marked text there are blanks in the place of std::, but in comments. */
bool gen_replace_exchanges(struct gen_edits *edits, const char *name, bool *any)
{
  static const char space[] = "std::", word[] = "std::swap";
  const char *marked = edits->directives->marked;
  *any = false;
  for (const char *at = strstr(marked, "swap"); at; at = strstr(at + 1, "swap")) {
    const size_t place = in_file(edits, at);
    const size_t from = place - (sizeof space - 1);
    if (place < sizeof space - 1 || strncmp(edits->text + from, word, sizeof word - 1) != 0
        || at[-1] == ':' || is_letter(at[4]))
      continue;
    *any = true;
    if (!gen_replace(edits, from, from + sizeof word - 1, name))
      return false;
  }
  return true;
}

static int by_place(const void *a, const void *b)
{
  const struct gen_edit *one = a, *other = b;
  return one->from < other->from ? -1 : one->from > other->from;
}

void gen_write_edited(struct gen_edits *edits, struct gen_writer *writer)
{
  size_t at = 0;
  /* in the order of places, and of one place in that of asking */
  for (int n = 1; n < edits->count; n++)
    for (int m = n; m > 0 && by_place(&edits->edit[m - 1], &edits->edit[m]) > 0; m--) {
      const struct gen_edit other = edits->edit[m];
      edits->edit[m] = edits->edit[m - 1];
      edits->edit[m - 1] = other;
    }
  for (int n = 0; n < edits->count; n++) {
    const struct gen_edit *edit = &edits->edit[n];
    if (edit->from > at)
      gen_write_bytes(writer, edits->text + at, edit->from - at);
    gen_write_bytes(writer, edit->text, strlen(edit->text));
    at = edit->to > at ? edit->to : at;
  }
  gen_write_bytes(writer, edits->text + at, strlen(edits->text + at));
}
