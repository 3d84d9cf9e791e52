#include "precision.h"

#include <string.h>

static bool are_floats(const struct gen_translation *translation)
{
  return translation->formula.program->type == GEN_FLOAT;
}

const char *gen_values_name(const struct gen_translation *translation)
{
  return are_floats(translation) ? "float" : "double";
}

bool gen_is_of_values(const struct gen_translation *translation, const struct gen_syntax *syntax)
{
  if (syntax->integer || syntax->single == are_floats(translation))
    return true;
  return gen_decline(
    syntax,
    syntax->single
      ? "is computed in float, and values are doubles: leave out the suffix f"
      : "is computed in double, and the arrays hold floats: write its numbers with the suffix f "
        "(0.5f), and call fabsf, fmaxf, fminf, sqrtf and fmaf");
}

const struct gen_expr *gen_converted(const struct gen_translation *translation,
                                     const struct gen_syntax *syntax, const struct gen_expr *value)
{
  if (value && value->kind == GEN_NUMBER)
    return are_floats(translation) ? gen_number((float)value->number) : value;
  return value && gen_is_of_values(translation, syntax) ? value : NULL;
}

bool gen_compares_alike(const struct gen_translation *translation, const struct gen_syntax *syntax,
                        const struct gen_expr *value)
{
  return !are_floats(translation) || value->kind != GEN_NUMBER
    || (float)value->number == value->number
    || gen_decline(syntax,
                   "is a double that no float equals, compared with floats: write it with "
                   "the suffix f");
}

const struct gen_intrinsic *gen_values_function(const struct gen_translation *translation,
                                                const char *name)
{
  const size_t length = name ? strlen(name) : 0;
  if (!are_floats(translation))
    return gen_find_intrinsic(name);
  return length && name[length - 1] == 'f'
    ? gen_find_intrinsic(gen_text("%.*s", (int)length - 1, name))
    : NULL;
}
