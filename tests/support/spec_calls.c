#include "spec_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void spec_set_array(struct spec_arguments *arguments, const char *name, void *value)
{
  int n = 0;
  while (n < arguments->arrays && strcmp(arguments->array[n].name, name) != 0)
    n++;
  if (n == SPEC_ARRAYS)
    abort();
  arguments->array[n].name = name;
  arguments->array[n].value = value;
  arguments->arrays += n == arguments->arrays;
}

void spec_set_scalar(struct spec_arguments *arguments, const char *name, double value)
{
  int n = 0;
  while (n < arguments->scalars && strcmp(arguments->scalar[n].name, name) != 0)
    n++;
  if (n == SPEC_SCALARS)
    abort();
  arguments->scalar[n].name = name;
  arguments->scalar[n].value = value;
  arguments->scalars += n == arguments->scalars;
}

static void *array_of(const struct spec_arguments *arguments, const char *name)
{
  for (int n = 0; n < arguments->arrays; n++)
    if (strcmp(arguments->array[n].name, name) == 0)
      return arguments->array[n].value;
  fprintf(stderr, "the call of a spec lacks array '%s'\n", name);
  abort();
}

static double scalar_of(const struct spec_arguments *arguments, const char *name)
{
  for (int n = 0; n < arguments->scalars; n++)
    if (strcmp(arguments->scalar[n].name, name) == 0)
      return arguments->scalar[n].value;
  fprintf(stderr, "the call of a spec lacks scalar '%s'\n", name);
  abort();
}

/* Prototypes: an array with sizes of its own is, to the caller, a pointer. */
typedef const double *in_line;
typedef const int *in_table;
#define OUT double(*)[*][*][*]
#define IN const double(*)[*][*][*]
#define BOX int, int, int, int /* boxes, nk, nj, ni */
#define OTHER int, int, int    /* mk, mj, mi */

void variable7(BOX, OUT, IN, IN, IN, IN, IN, in_line, in_line, in_line);
void constant7(BOX, double, OUT, IN, IN, in_line, in_line, in_line, in_line, in_line, in_line);
void constant27(BOX, double, OUT, IN, IN, in_line, in_line, in_line, in_line, in_line, in_line);
void linked27(BOX, OUT, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN);
void interpolate_owned(BOX, OTHER, double, OUT, IN, IN, in_table, in_table, in_table, in_table,
                       in_table, in_table);
void restrict_owned(BOX, OTHER, OUT, IN, IN, in_table, in_table, in_table, in_table, in_table,
                    in_table, in_table, in_table, in_line, in_line, in_line);
void unit_vectors(BOX, OUT, OUT, OUT, OUT, OUT, OUT, OUT, OUT, OUT, in_line, in_line, in_line,
                  in_line, in_line, in_line);
void eliminate(BOX, OTHER, double, double, OUT, OUT, OUT, OUT, OUT, OUT, OUT, OUT, OUT, IN, IN, IN,
               IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, IN, in_table, in_table, in_table,
               in_line, in_line, in_line);
void apply_inverse(BOX, OTHER, OUT, IN, IN, IN, IN, IN, IN, IN, IN, IN, in_table, in_table,
                   in_table, in_table, in_table, in_table);
void face_harmonic_i(BOX, OUT, IN, in_line);
void face_harmonic_j(BOX, OUT, IN, in_line);
void face_harmonic_k(BOX, OUT, IN, in_line);
void face_arithmetic_i(BOX, OUT, IN);
void face_arithmetic_j(BOX, OUT, IN);
void face_arithmetic_k(BOX, OUT, IN);
void conductance_i(BOX, double, OUT, in_line, in_line, in_line);
void conductance_j(BOX, double, OUT, in_line, in_line, in_line);
void conductance_k(BOX, double, OUT, in_line, in_line, in_line);
void flux_variable_i(BOX, double, OUT, IN, IN, in_line, in_line);
void flux_variable_j(BOX, double, OUT, IN, IN, in_line, in_line);
void flux_variable_k(BOX, double, OUT, IN, IN, in_line, in_line);
void flux_constant_i(BOX, double, double, OUT, IN, in_line);
void flux_constant_j(BOX, double, double, OUT, IN, in_line);
void flux_constant_k(BOX, double, double, OUT, IN, in_line);
void restrict_cell(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_table,
                   in_line, in_line, in_line, in_line, in_line, in_line);
void restrict_face_i(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line);
void restrict_face_j(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line);
void restrict_face_k(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line);
void harmonic_cell(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_table,
                   in_line, in_line, in_line, in_line, in_line, in_line);
void mean_face_i(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                 in_line, in_line, in_line);
void mean_face_j(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                 in_line, in_line, in_line);
void mean_face_k(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                 in_line, in_line, in_line);
void harmonic_face_i(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line, in_line);
void harmonic_face_j(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line, in_line);
void harmonic_face_k(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table, in_line,
                     in_line, in_line, in_line);
void add_values(BOX, OTHER, double, OUT, IN, in_table, in_table, in_table);
void add_values_single(BOX, OTHER, double, OUT, IN, in_table, in_table, in_table);
void move(BOX, OTHER, double, OUT, IN, in_table, in_table, in_table);
void reflect(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_line, in_line, in_line, in_line,
             in_line, in_line);
void divide_spectrum(BOX, double, double, double, OUT, in_line, in_line, in_line, in_line, in_line,
                     in_line);
void interpolate_constant(BOX, OTHER, double, OUT, IN, in_table, in_table, in_table);
void interpolate_linear(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table,
                        in_table, in_line, in_line, in_line, in_line, in_line, in_line);
void interpolate_cubic(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table,
                       in_table, in_table, in_table, in_table, in_table, in_table, in_table,
                       in_line, in_line, in_line, in_line, in_line, in_line, in_line, in_line,
                       in_line, in_line, in_line, in_line);
void interpolate_cubic_add(BOX, OTHER, OUT, IN, in_table, in_table, in_table, in_table, in_table,
                           in_table, in_table, in_table, in_table, in_table, in_table, in_table,
                           in_line, in_line, in_line, in_line, in_line, in_line, in_line, in_line,
                           in_line, in_line, in_line, in_line);
double dot(BOX, IN, IN);
double sum(BOX, IN);
double integral(BOX, IN, in_line, in_line, in_line);
double density_squares(BOX, IN, in_line, in_line, in_line);
double face_ratio_i(BOX, IN);
double face_ratio_j(BOX, IN);
double face_ratio_k(BOX, IN);
double low_face_ratio(BOX, IN, IN, IN);
double look_steps_i(BOX, double, IN);
double look_steps_j(BOX, double, IN);
double look_steps_k(BOX, double, IN);
double look_positive(BOX, IN);
double look_not_negative(BOX, double, IN);
double look_finite(BOX, IN);
double look_difference(BOX, double, double, IN);
void narrow(BOX, double, OUT, IN);
void narrow_i(BOX, double, OUT, IN);
void narrow_j(BOX, double, OUT, IN);
void narrow_k(BOX, double, OUT, IN);
void widen(BOX, double, IN, OUT);
void add_single(BOX, double, IN, OUT);
void axpy(BOX, double, OUT, IN);
void xpay(BOX, double, OUT, IN);
void xpay_add(BOX, double, double, OUT, IN, IN);
void set(BOX, double, OUT);
void copy(BOX, OUT, IN);
void multiply(BOX, OUT, IN, IN);
void integrate(BOX, OUT, IN, in_line, in_line, in_line);
void add_volume(BOX, double, OUT, in_line, in_line, in_line);
void add_constant(BOX, double, OUT);
void density(BOX, OUT, IN, in_line, in_line, in_line);

/* The calls. Order of arguments: that of the text in operators/. */
#define HERE 1, arguments->cells[2], arguments->cells[1], arguments->cells[0]
#define THERE arguments->other_cells[2], arguments->other_cells[1], arguments->other_cells[0]
#define A(name) array_of(arguments, #name)
#define S(name) scalar_of(arguments, #name)
#define CALL(name, ...) \
  static double call_##name(const struct spec_arguments *arguments) \
  { \
    name(__VA_ARGS__); \
    return 0; \
  }
#define VALUE(name, ...) \
  static double call_##name(const struct spec_arguments *arguments) \
  { \
    return name(__VA_ARGS__); \
  }

CALL(variable7, HERE, A(w), A(u), A(alpha), A(beta_i), A(beta_j), A(beta_k), A(h_i), A(h_j), A(h_k))
CALL(constant7, HERE, S(b), A(w), A(u), A(alpha), A(h_i), A(h_j), A(h_k), A(g_i), A(g_j), A(g_k))
CALL(constant27, HERE, S(b), A(w), A(u), A(alpha), A(h_i), A(h_j), A(h_k), A(g_i), A(g_j), A(g_k))
CALL(linked27, HERE, A(w), A(u), A(anchor), A(link_0), A(link_1), A(link_2), A(link_3), A(link_4),
     A(link_5), A(link_6), A(link_7), A(link_8), A(link_9), A(link_10), A(link_11), A(link_12))
CALL(interpolate_owned, HERE, THERE, S(s), A(fine), A(owner), A(coarse), A(parent_i), A(near_i),
     A(parent_j), A(near_j), A(parent_k), A(near_k))
CALL(restrict_owned, HERE, THERE, A(coarse), A(fine), A(owner), A(lo_i), A(hi_i), A(before_i),
     A(after_i), A(lo_j), A(hi_j), A(lo_k), A(hi_k), A(high_i), A(high_j), A(high_k))
CALL(unit_vectors, HERE, A(unit_0), A(unit_1), A(unit_2), A(unit_3), A(unit_4), A(unit_5),
     A(unit_6), A(unit_7), A(ones), A(is_first_i), A(is_last_i), A(is_first_j), A(is_last_j),
     A(is_first_k), A(is_last_k))
CALL(eliminate, HERE, THERE, S(s), S(c1), A(next_0), A(next_1), A(next_2), A(next_3), A(next_4),
     A(next_5), A(next_6), A(next_7), A(next_rest), A(now_0), A(now_1), A(now_2), A(now_3),
     A(now_4), A(now_5), A(now_6), A(now_7), A(rest), A(row_1), A(row_2), A(row_3), A(row_4),
     A(row_5), A(row_6), A(row_7), A(row_rest), A(pivot_i), A(pivot_j), A(pivot_k), A(is_pivot_i),
     A(is_pivot_j), A(is_pivot_k))
CALL(apply_inverse, HERE, THERE, A(u), A(inverse_0), A(inverse_1), A(inverse_2), A(inverse_3),
     A(inverse_4), A(inverse_5), A(inverse_6), A(inverse_7), A(right), A(first_i), A(last_i),
     A(first_j), A(last_j), A(first_k), A(last_k))
CALL(face_harmonic_i, HERE, A(beta_i), A(beta), A(h_i))
CALL(face_harmonic_j, HERE, A(beta_j), A(beta), A(h_j))
CALL(face_harmonic_k, HERE, A(beta_k), A(beta), A(h_k))
CALL(face_arithmetic_i, HERE, A(beta_i), A(beta))
CALL(face_arithmetic_j, HERE, A(beta_j), A(beta))
CALL(face_arithmetic_k, HERE, A(beta_k), A(beta))
CALL(conductance_i, HERE, S(b), A(beta_i), A(h_k), A(h_j), A(g_i))
CALL(conductance_j, HERE, S(b), A(beta_j), A(h_k), A(h_i), A(g_j))
CALL(conductance_k, HERE, S(b), A(beta_k), A(h_j), A(h_i), A(g_k))
CALL(restrict_cell, HERE, THERE, A(coarse), A(fine), A(lo_i), A(hi_i), A(lo_j), A(hi_j), A(lo_k),
     A(hi_k), A(low_i), A(high_i), A(low_j), A(high_j), A(low_k), A(high_k))
CALL(restrict_face_i, HERE, THERE, A(coarse), A(fine), A(at_i), A(lo_k), A(hi_k), A(lo_j), A(hi_j),
     A(scale_i), A(high_k), A(high_j))
CALL(restrict_face_j, HERE, THERE, A(coarse), A(fine), A(at_j), A(lo_k), A(hi_k), A(lo_i), A(hi_i),
     A(scale_j), A(high_k), A(high_i))
CALL(restrict_face_k, HERE, THERE, A(coarse), A(fine), A(at_k), A(lo_j), A(hi_j), A(lo_i), A(hi_i),
     A(scale_k), A(high_j), A(high_i))
CALL(harmonic_cell, HERE, THERE, A(coarse), A(positive), A(lo_i), A(hi_i), A(lo_j), A(hi_j),
     A(lo_k), A(hi_k), A(low_i), A(high_i), A(low_j), A(high_j), A(low_k), A(high_k))
CALL(mean_face_i, HERE, THERE, A(coarse), A(fine), A(at_i), A(lo_k), A(hi_k), A(lo_j), A(hi_j),
     A(low_k), A(high_k), A(low_j), A(high_j))
CALL(mean_face_j, HERE, THERE, A(coarse), A(fine), A(at_j), A(lo_k), A(hi_k), A(lo_i), A(hi_i),
     A(low_k), A(high_k), A(low_i), A(high_i))
CALL(mean_face_k, HERE, THERE, A(coarse), A(fine), A(at_k), A(lo_j), A(hi_j), A(lo_i), A(hi_i),
     A(low_j), A(high_j), A(low_i), A(high_i))
CALL(harmonic_face_i, HERE, THERE, A(coarse), A(positive), A(at_i), A(lo_k), A(hi_k), A(lo_j),
     A(hi_j), A(low_k), A(high_k), A(low_j), A(high_j))
CALL(harmonic_face_j, HERE, THERE, A(coarse), A(positive), A(at_j), A(lo_k), A(hi_k), A(lo_i),
     A(hi_i), A(low_k), A(high_k), A(low_i), A(high_i))
CALL(harmonic_face_k, HERE, THERE, A(coarse), A(positive), A(at_k), A(lo_j), A(hi_j), A(lo_i),
     A(hi_i), A(low_j), A(high_j), A(low_i), A(high_i))
CALL(add_values, HERE, THERE, S(s), A(y), A(x), A(at_i), A(at_j), A(at_k))
CALL(add_values_single, HERE, THERE, S(s), A(single), A(x), A(at_i), A(at_j), A(at_k))
CALL(move, HERE, THERE, S(s), A(y), A(x), A(at_i), A(at_j), A(at_k))
CALL(reflect, HERE, THERE, A(y), A(x), A(at_i), A(at_j), A(at_k), A(sign_i), A(sign_j), A(sign_k),
     A(constant_i), A(constant_j), A(constant_k))
CALL(divide_spectrum, HERE, S(s), S(c1), S(c2), A(y), A(lambda_i), A(lambda_j), A(lambda_k),
     A(mean_i), A(mean_j), A(mean_k))
CALL(interpolate_constant, HERE, THERE, S(s), A(fine), A(coarse), A(parent_i), A(parent_j),
     A(parent_k))
CALL(interpolate_linear, HERE, THERE, A(fine), A(coarse), A(parent_i), A(near_i), A(parent_j),
     A(near_j), A(parent_k), A(near_k), A(own_i), A(other_i), A(own_j), A(other_j), A(own_k),
     A(other_k))
CALL(interpolate_cubic, HERE, THERE, A(fine), A(coarse), A(node_0_i), A(node_1_i), A(node_2_i),
     A(node_3_i), A(node_0_j), A(node_1_j), A(node_2_j), A(node_3_j), A(node_0_k), A(node_1_k),
     A(node_2_k), A(node_3_k), A(weight_0_i), A(weight_1_i), A(weight_2_i), A(weight_3_i),
     A(weight_0_j), A(weight_1_j), A(weight_2_j), A(weight_3_j), A(weight_0_k), A(weight_1_k),
     A(weight_2_k), A(weight_3_k))
CALL(interpolate_cubic_add, HERE, THERE, A(fine), A(coarse), A(node_0_i), A(node_1_i), A(node_2_i),
     A(node_3_i), A(node_0_j), A(node_1_j), A(node_2_j), A(node_3_j), A(node_0_k), A(node_1_k),
     A(node_2_k), A(node_3_k), A(weight_0_i), A(weight_1_i), A(weight_2_i), A(weight_3_i),
     A(weight_0_j), A(weight_1_j), A(weight_2_j), A(weight_3_j), A(weight_0_k), A(weight_1_k),
     A(weight_2_k), A(weight_3_k))
VALUE(dot, HERE, A(x), A(y))
VALUE(sum, HERE, A(x))
VALUE(integral, HERE, A(x), A(h_i), A(h_j), A(h_k))
VALUE(density_squares, HERE, A(x), A(h_i), A(h_j), A(h_k))
VALUE(face_ratio_i, HERE, A(beta_i))
VALUE(face_ratio_j, HERE, A(beta_j))
VALUE(face_ratio_k, HERE, A(beta_k))
VALUE(low_face_ratio, HERE, A(beta_i), A(beta_j), A(beta_k))
VALUE(look_steps_i, HERE, S(ratio), A(beta_i))
VALUE(look_steps_j, HERE, S(ratio), A(beta_j))
VALUE(look_steps_k, HERE, S(ratio), A(beta_k))
VALUE(look_positive, HERE, A(positive))
VALUE(look_not_negative, HERE, S(factor), A(positive))
VALUE(look_finite, HERE, A(x))
VALUE(look_difference, HERE, S(factor), S(constant), A(x))
CALL(narrow, HERE, S(s), A(single), A(wide))
CALL(narrow_i, HERE, S(s), A(single), A(wide))
CALL(narrow_j, HERE, S(s), A(single), A(wide))
CALL(narrow_k, HERE, S(s), A(single), A(wide))
CALL(widen, HERE, S(s), A(single), A(wide))
CALL(add_single, HERE, S(s), A(single), A(wide))
CALL(axpy, HERE, S(s), A(y), A(x))
CALL(xpay, HERE, S(s), A(y), A(x))
CALL(xpay_add, HERE, S(s), S(c1), A(y), A(x), A(w))
CALL(set, HERE, S(s), A(y))
CALL(copy, HERE, A(y), A(x))
CALL(multiply, HERE, A(y), A(x), A(z))
CALL(integrate, HERE, A(y), A(x), A(h_i), A(h_j), A(h_k))
CALL(add_volume, HERE, S(s), A(y), A(h_i), A(h_j), A(h_k))
CALL(add_constant, HERE, S(s), A(y))
CALL(density, HERE, A(y), A(x), A(h_i), A(h_j), A(h_k))
CALL(flux_variable_i, HERE, S(s), A(flux_i), A(u), A(beta_i), A(h_k), A(h_j))
CALL(flux_variable_j, HERE, S(s), A(flux_j), A(u), A(beta_j), A(h_k), A(h_i))
CALL(flux_variable_k, HERE, S(s), A(flux_k), A(u), A(beta_k), A(h_j), A(h_i))
CALL(flux_constant_i, HERE, S(s), S(b), A(flux_i), A(u), A(g_i))
CALL(flux_constant_j, HERE, S(s), S(b), A(flux_j), A(u), A(g_j))
CALL(flux_constant_k, HERE, S(s), S(b), A(flux_k), A(u), A(g_k))

#define ENTRY(name) \
  { \
#name, call_##name \
  }
static const struct {
  const char *name;
  spec_function *call;
} specs[] = {
  ENTRY(variable7),
  ENTRY(constant7),
  ENTRY(constant27),
  ENTRY(linked27),
  ENTRY(interpolate_owned),
  ENTRY(restrict_owned),
  ENTRY(unit_vectors),
  ENTRY(eliminate),
  ENTRY(apply_inverse),
  ENTRY(face_harmonic_i),
  ENTRY(face_harmonic_j),
  ENTRY(face_harmonic_k),
  ENTRY(face_arithmetic_i),
  ENTRY(face_arithmetic_j),
  ENTRY(face_arithmetic_k),
  ENTRY(conductance_i),
  ENTRY(conductance_j),
  ENTRY(conductance_k),
  ENTRY(restrict_cell),
  ENTRY(restrict_face_i),
  ENTRY(restrict_face_j),
  ENTRY(restrict_face_k),
  ENTRY(harmonic_cell),
  ENTRY(mean_face_i),
  ENTRY(mean_face_j),
  ENTRY(mean_face_k),
  ENTRY(harmonic_face_i),
  ENTRY(harmonic_face_j),
  ENTRY(harmonic_face_k),
  ENTRY(add_values),
  ENTRY(add_values_single),
  ENTRY(move),
  ENTRY(reflect),
  ENTRY(divide_spectrum),
  ENTRY(interpolate_constant),
  ENTRY(interpolate_linear),
  ENTRY(interpolate_cubic),
  ENTRY(interpolate_cubic_add),
  ENTRY(dot),
  ENTRY(sum),
  ENTRY(integral),
  ENTRY(density_squares),
  ENTRY(face_ratio_i),
  ENTRY(face_ratio_j),
  ENTRY(face_ratio_k),
  ENTRY(low_face_ratio),
  ENTRY(look_steps_i),
  ENTRY(look_steps_j),
  ENTRY(look_steps_k),
  ENTRY(look_positive),
  ENTRY(look_not_negative),
  ENTRY(look_finite),
  ENTRY(look_difference),
  ENTRY(narrow),
  ENTRY(narrow_i),
  ENTRY(narrow_j),
  ENTRY(narrow_k),
  ENTRY(widen),
  ENTRY(add_single),
  ENTRY(axpy),
  ENTRY(xpay),
  ENTRY(xpay_add),
  ENTRY(set),
  ENTRY(copy),
  ENTRY(multiply),
  ENTRY(integrate),
  ENTRY(add_volume),
  ENTRY(add_constant),
  ENTRY(density),
  ENTRY(flux_variable_i),
  ENTRY(flux_variable_j),
  ENTRY(flux_variable_k),
  ENTRY(flux_constant_i),
  ENTRY(flux_constant_j),
  ENTRY(flux_constant_k),
};

spec_function *spec_find(const char *name)
{
  for (size_t n = 0; n < sizeof specs / sizeof *specs; n++)
    if (strcmp(specs[n].name, name) == 0)
      return specs[n].call;
  return NULL;
}
