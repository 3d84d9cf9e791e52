#include "wave_power.h"

#include <stddef.h>

/* to = a b, or to + a b where it `adds`; to may be one of them. */
static void multiply(const struct gmg_growth_matrix *a, const struct gmg_growth_matrix *b, int adds,
                     struct gmg_growth_matrix *to)
{
  double complex product[GMG_GROWTH_STATES][GMG_GROWTH_STATES];
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < a->n; j++) {
      double complex sum = adds ? to->a[i][j] : 0;
      for (int k = 0; k < a->n; k++)
        sum += a->a[i][k] * b->a[k][j];
      product[i][j] = sum;
    }
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < a->n; j++)
      to->a[i][j] = product[i][j];
}

/* The value after as many steps as there are in the power. sums: 1 + matrix + matrix² + …, as many
 * terms as steps; NULL: nothing is added. */
static void apply(const struct gmg_growth_matrix *power, const struct gmg_growth_matrix *sums,
                  struct gmg_wave *wave)
{
  double complex result[GMG_GROWTH_STATES];
  for (int i = 0; i < power->n; i++) {
    result[i] = 0;
    for (int j = 0; j < power->n; j++) {
      result[i] += power->a[i][j] * wave->value[j];
      if (sums)
        result[i] += sums->a[i][j] * wave->source[j];
    }
  }
  for (int i = 0; i < power->n; i++)
    wave->value[i] = result[i];
}

void gmg_wave_power(struct gmg_growth_matrix *power, int64_t steps, int sourced,
                    struct gmg_wave *wave)
{
  struct gmg_growth_matrix sums;
  sums.n = power->n;
  for (int i = 0; i < power->n; i++)
    for (int j = 0; j < power->n; j++)
      sums.a[i][j] = i == j;
  while (steps > 0) {
    if (steps % 2)
      apply(power, sourced ? &sums : NULL, wave);
    steps /= 2;
    if (steps && sourced)
      multiply(power, &sums, 1, &sums);
    if (steps)
      multiply(power, power, 0, power);
  }
}
