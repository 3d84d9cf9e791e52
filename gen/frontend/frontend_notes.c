#include "frontend_notes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct note_word {
  const char *word;
  int rank;
  enum gen_axis axis;
  enum gen_place place;
  bool table;
};

static const struct note_word note_words[] = {
  {"cell", 4, GEN_I, GEN_CELL, false},          {"face_i", 4, GEN_I, GEN_FACE_I, false},
  {"face_j", 4, GEN_J, GEN_FACE_J, false},      {"face_k", 4, GEN_K, GEN_FACE_K, false},
  {"line_i", 1, GEN_I, GEN_CELL, false},        {"line_j", 1, GEN_J, GEN_CELL, false},
  {"line_k", 1, GEN_K, GEN_CELL, false},        {"line_face_i", 1, GEN_I, GEN_FACE_I, false},
  {"line_face_j", 1, GEN_J, GEN_FACE_J, false}, {"line_face_k", 1, GEN_K, GEN_FACE_K, false},
  {"table_i", 1, GEN_I, GEN_CELL, true},        {"table_j", 1, GEN_J, GEN_CELL, true},
  {"table_k", 1, GEN_K, GEN_CELL, true},
};

/* What a table holds where cells pair two by two. */
static bool read_rule(const char *word, enum gen_table_rule *rule)
{
  static const char *const words[] = {
    [GEN_EVEN_CHILD] = "even child", [GEN_ODD_CHILD] = "odd child", [GEN_PARENT] = "parent",
    [GEN_BESIDE] = "beside",         [GEN_AROUND_0] = "around 0",   [GEN_AROUND_1] = "around 1",
    [GEN_AROUND_2] = "around 2",     [GEN_AROUND_3] = "around 3"};
  for (int w = GEN_EVEN_CHILD; w <= GEN_AROUND_3; w++)
    if (strcmp(word, words[w]) == 0) {
      *rule = (enum gen_table_rule)w;
      return true;
    }
  return false;
}

bool gen_read_note(const char *note, struct gen_array *array)
{
  char word[32];
  int used = 0, end = 0;
  if (sscanf(note, "gmg: %31s %n", word, &used) != 1)
    return false;
  bool other = !strcmp(word, "fine") || !strcmp(word, "coarse");
  if (other) {
    array->level = word[0] == 'f' ? GEN_FINER : GEN_COARSER;
    note += used;
    if (sscanf(note, "%31s %n", word, &used) != 1)
      return false;
  }
  note += used;
  for (size_t w = 0; w < sizeof note_words / sizeof *note_words; w++) {
    const struct note_word *known = &note_words[w];
    if (strcmp(word, known->word) || (other && known->rank == 1))
      continue;
    array->rank = known->rank;
    array->axis = known->axis;
    array->place = known->place;
    array->table = known->table;
    int wanted = known->table ? 2 : 1;
    int found = known->table ? sscanf(note, "%d %d %n", &array->first, &array->table_halo, &end)
                             : sscanf(note, "%d %n", &array->first, &end);
    return found == wanted && array->first >= 0 && array->table_halo >= 0
      && (!note[end] || (known->table && read_rule(note + end, &array->rule)));
  }
  return false;
}

/* Skips a preprocessor line with its continuations. */
static size_t skip_directive(const char *text, size_t at, size_t end)
{
  while (at < end && (text[at] != '\n' || text[at - 1] == '\\'))
    at++;
  return at;
}

static const char *strip_marks(const char *text, size_t start, size_t end)
{
  char *words = gen_allocate(end - start + 1);
  size_t length = 0;
  bool line_start = true;
  for (size_t at = start; at < end; at++) {
    if (line_start && (isspace((unsigned char)text[at]) || text[at] == '*'))
      continue;
    line_start = text[at] == '\n';
    if (line_start)
      while (length && words[length - 1] == ' ')
        length--;
    words[length++] = text[at];
  }
  while (length && isspace((unsigned char)words[length - 1]))
    length--;
  words[length] = 0;
  return words;
}

const char *gen_comment_before(const char *text, size_t length, size_t offset)
{
  size_t start = 0, end = 0;
  if (offset > length)
    offset = length;
  for (size_t at = 0; at < offset; at++) {
    if (text[at] == '#') {
      at = skip_directive(text, at, offset);
    } else if (text[at] == '/' && at + 1 < offset && text[at + 1] == '*') {
      const char *close = strstr(text + at + 2, "*/");
      if (!close || (size_t)(close - text) > offset)
        break;
      if (!strstr(strip_marks(text, at + 2, (size_t)(close - text)), "clang-format")) {
        start = at + 2;
        end = (size_t)(close - text);
      }
      at = (size_t)(close - text) + 1;
    } else if (text[at] == ';' || text[at] == '}') {
      start = end = 0;
    }
  }
  return start < end ? strip_marks(text, start, end) : "";
}

/* The end of the comment that starts at `at`, or `at` if none does. */
static size_t skip_comment(const char *text, size_t at, size_t end)
{
  if (at + 1 >= end || text[at] != '/' || (text[at + 1] != '*' && text[at + 1] != '/'))
    return at;
  const char *close = strstr(text + at + 2, text[at + 1] == '*' ? "*/" : "\n");
  const size_t behind = close ? (size_t)(close - text) + (text[at + 1] == '*' ? 2 : 0) : end;
  return behind < end ? behind : end;
}

const char *gen_one_line(const char *text, size_t start, size_t end)
{
  enum { LONGEST = 80 };
  char line[LONGEST + 4];
  size_t length = 0, at = start;
  while (at < end && length < LONGEST) {
    const size_t behind = skip_comment(text, at, end);
    const bool space = behind > at || isspace((unsigned char)text[at]);
    if (!space)
      line[length++] = text[at];
    else if (length && line[length - 1] != ' ')
      line[length++] = ' ';
    at = behind > at ? behind : at + 1;
  }
  line[length] = 0;
  if (length == LONGEST)
    strcat(line, "...");
  return gen_text("%s", line);
}

const char *gen_compiler_error(const char *spelling)
{
  char name[128];
  if (strstr(spelling, "'directive_"))
    return "a directive that stands before no statement";
  if (sscanf(spelling, "use of undeclared identifier '%127[^']'", name) == 1)
    return gen_text(
      "undeclared name '%s': no argument and no local variable of this function is called so",
      name);
  if (sscanf(spelling, "call to undeclared function '%127[^']'", name) == 1
      || sscanf(spelling, "call to undeclared library function '%127[^']'", name) == 1)
    return gen_text("undeclared name '%s': no such function is declared (fma, fabs, fmax, fmin and "
                    "sqrt need #include <math.h>)",
                    name);
  return spelling;
}
