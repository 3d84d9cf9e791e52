/* Sums that do not depend on the order of their terms, and maxima. */
#include "emit.h"

int gen_bins(const struct gen_schedule *schedule)
{
  const bool norm = gen_reduces(schedule, GEN_SUM) && gen_reduces(schedule, GEN_MAX);
  return norm && schedule->precision == GEN_FLOAT ? 1 : 2;
}

void gen_emit_simd(struct gen_emitter *emitter, bool sum, bool most)
{
  const char *bins =
    gen_bins(emitter->schedule) > 1 ? " reduction(+ : bin0, bin1)" : " reduction(+ : bin0)";
  gen_line(emitter->writer, "#pragma omp simd%s%s", sum ? bins : "",
           most ? " reduction(max : most_of)" : "");
}

/* "[lane]" where there is a sum for every lane. */
static const char *lane_of(const struct gen_emitter *emitter)
{
  return !emitter->cuda && gen_in_lanes(emitter->schedule) ? "[lane]" : "";
}

/* counted: the number of terms is known at the end of a tile, and what the cuts add is taken off
 * there. */
static void emit_bins(struct gen_emitter *emitter, bool counted)
{
  const char *lane = lane_of(emitter);
  if (gen_bins(emitter->schedule) == 1) {
    gen_line(emitter->writer, "bin0%s += gmg_bits(term + cut0)%s;", lane,
             counted ? "" : " - gmg_bits(cut0)");
    return;
  }
  gen_line(emitter->writer,
           "const double shifted = term + cut0;\n"
           "bin0%s += gmg_bits(shifted)%s;\n"
           "term -= shifted - cut0;\n"
           "bin1%s += gmg_bits(term + cut1)%s;",
           lane, counted ? "" : " - gmg_bits(cut0)", lane, counted ? "" : " - gmg_bits(cut1)");
}

static void emit_most(struct gen_emitter *emitter, const char *value, bool single)
{
  gen_line(emitter->writer, "const %s size = gmg_size%s(%s);", single ? "int32_t" : "int64_t",
           single ? "_single" : "", value);
  const char *lane = lane_of(emitter);
  gen_line(emitter->writer, "most_of%s = size > most_of%s ? size : most_of%s;", lane, lane, lane);
}

/* A maximum's own value has a sign only where it is no absolute value: what is below 0 does not
 * count. */
static const char *size_of(struct gen_emitter *emitter, const struct gen_expr *value)
{
  if (value->kind == GEN_ABS)
    return gen_emit_expr(emitter, value->argument[0]);
  const char *text = gen_emit_expr(emitter, value);
  return gen_text("%s < 0 ? 0 : %s", text, text);
}

void gen_emit_reduce(struct gen_emitter *emitter, const struct gen_statement *statement)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const enum gen_scalar_role role = schedule->kernel->scalar[statement->scalar].role;
  if (role == GEN_LARGEST) {
    gen_line(emitter->writer,
             "const int64_t place = gmg_order(%s);\n"
             "most_of = place > most_of ? place : most_of;",
             gen_emit_expr(emitter, statement->value));
    return;
  }
  if (role != GEN_SUM) {
    emit_most(emitter, size_of(emitter, statement->value), gen_most_in_single(schedule));
    return;
  }
  /* Where the cells of a tile are not all visited their number is not known at its end. */
  const bool counted = schedule->kernel->guard.kind == GEN_EVERYWHERE && !emitter->cuda;
  gen_line(emitter->writer, "%sdouble term = %s;", gen_bins(schedule) > 1 ? "" : "const ",
           gen_emit_expr(emitter, statement->value));
  if (!gen_reduces(schedule, GEN_MAX))
    emit_most(emitter, "term", false);
  emit_bins(emitter, counted);
}

void gen_emit_cuda_sums_begin(struct gen_writer *writer, const struct gen_schedule *schedule)
{
  if (gen_finds_most(schedule))
    gen_line(writer, "struct gmg_partial partial = %s;",
             gen_reduces(schedule, GEN_LARGEST) ? "gmg_no_largest()" : "{}");
}

void gen_emit_cuda_sums_end(struct gen_writer *writer, const struct gen_schedule *schedule,
                            const char *args)
{
  if (gen_finds_most(schedule))
    gen_line(writer, "gmg_add%s(%sreduction, &partial);",
             gen_reduces(schedule, GEN_LARGEST) ? "_largest" : "", args);
}

void gen_emit_norm(struct gen_emitter *emitter, const struct gen_expr *value)
{
  gen_line(emitter->writer,
           "{\n"
           "const %s value = %s;\n"
           "%sdouble term = value * value;",
           gen_real(emitter->schedule), gen_emit_expr(emitter, value),
           gen_bins(emitter->schedule) > 1 ? "" : "const ");
  emit_most(emitter, "value", gen_most_in_single(emitter->schedule));
  emit_bins(emitter, !emitter->cuda);
  gen_line(emitter->writer, "}");
}
