#include "template.h"

#include <string.h>

/* The word that the text begins with; the one after the last if it is none. */
static const struct gen_word *word_at(const char *text, const struct gen_word *words)
{
  while (words->word && strncmp(text, words->word, strlen(words->word)) != 0)
    words++;
  return words;
}

/* The line with its words replaced; NULL if it is left out. */
static const char *replace(const char *line, size_t length, const struct gen_word *words)
{
  const char *text = "", *done = line;
  for (const char *at = line; at < line + length; at++) {
    const struct gen_word *found = word_at(at, words);
    if (found->word && !found->text)
      return NULL;
    if (!found->word)
      continue;
    text = gen_text("%s%.*s%s", text, (int)(at - done), done, found->text);
    done = at + strlen(found->word);
    at = done - 1;
  }
  return gen_text("%s%.*s", text, (int)(line + length - done), done);
}

const char *gen_emit_template(struct gen_writer *writer, const char *template_,
                              const struct gen_word *words)
{
  while (*template_) {
    const size_t length = strcspn(template_, "\n");
    const char *line = template_;
    template_ += length + 1;
    if (strncmp(line + strspn(line, " "), "// (", 4) == 0)
      return template_;
    const char *text = replace(line, length, words);
    if (text)
      gen_raw(writer, text);
  }
  return NULL;
}
