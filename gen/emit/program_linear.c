/* The terms of a program's kernels (gen/derive/step_terms.h), as the table has them. */
#include "program.h"

#include "derive/step_terms.h"

#include <string.h>

/* A weight is computed in double. */
static const char *special(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  const struct gen_steps *steps = style->data;
  (void)least;
  if (expr->kind == GEN_NUMBER) {
    const char *text = gen_text("%.17g", expr->number);
    text = strpbrk(text, ".en") ? text : gen_text("%s.0", text);
    return expr->number < 0 ? gen_text("(%s)", text) : text;
  }
  if (expr->kind != GEN_SCALAR)
    return NULL;
  int s = 0;
  while (strcmp(steps->program->scalar[s].name, steps->kernel->scalar[expr->scalar].name) != 0)
    s++;
  return gen_text("parameter[%d]", s);
}

static const char *product_text(const struct gen_steps *steps, const struct gen_product *product)
{
  const struct gen_style style = {special, steps, ""};
  const char *text = gen_words(&style, gen_number(product->factor), 4);
  for (int n = 0; n < product->degree; n++)
    text =
      gen_text("%s * %s", text, gen_words(&style, steps->atoms.atom[product->atom[n]].value, 4));
  return text;
}

static void emit_weights(struct gen_writer *writer, const struct gen_step_terms *all)
{
  gen_line(writer,
           "static void gmg_made_weights(const double *parameter, double *weight)\n"
           "{\n"
           "(void)parameter, (void)weight;");
  for (int n = 0; n < all->terms; n++) {
    const struct gen_polynomial *weight = all->term[n].weight;
    for (int p = 0; p < weight->products; p++)
      gen_line(writer, "weight[%d] %s %s;", n, p ? "+=" : "=",
               product_text(&all->steps, &weight->product[p]));
  }
  gen_line(writer, "}");
}

/* The text within a C string. */
static const char *quoted(const char *text)
{
  const char *result = "";
  for (; *text; text++)
    result = gen_text("%s%s%c", result, strchr("\"\\", *text) ? "\\" : "", *text);
  return result;
}

const char *gen_emit_program_linear(struct gen_writer *writer, const struct gen_program *program)
{
  const struct gen_step_terms *all = gen_find_step_terms(program);
  if (all->reason)
    return gen_text("{.reason = \"%s\"}", quoted(all->reason));
  emit_weights(writer, all);
  gen_line(writer, "static const struct gmg_program_term gmg_made_terms[] = {");
  for (int n = 0; n < all->terms; n++) {
    const struct gen_step_term *term = &all->term[n];
    gen_line(writer, "{.kernel = %d, .to = %d, .from = %d, .offset = {%d, %d, %d}},", term->kernel,
             term->to, term->from, term->offset[0], term->offset[1], term->offset[2]);
  }
  gen_line(writer, "{.from = -1}\n};");
  return gen_text("{.reason = \"\", .terms = %d, .term = gmg_made_terms, .weights = "
                  "gmg_made_weights}",
                  all->terms);
}
