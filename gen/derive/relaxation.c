#include "relaxation.h"

#include "check/colouring.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FACTORS = 2 * GEN_HALF_SWEEPS, SPACINGS = 6, SQUARINGS = 7 };
enum { CUBES, NEARLY_CUBES, WIDE, NARROW = WIDE + 3 }; /* shapes, the last two of axis i */

const char *const gen_shape_names[GEN_SHAPES] = {"GMG_CUBES",    "GMG_NEARLY_CUBES", "GMG_WIDE_I",
                                                 "GMG_WIDE_J",   "GMG_WIDE_K",       "GMG_NARROW_I",
                                                 "GMG_NARROW_J", "GMG_NARROW_K"};

/* The spacings that stand for a shape, the odd axis last; it is turned into its place. */
static const struct {
  int count;
  double spacing[SPACINGS][3];
} shapes[] = {
  {1, {{1, 1, 1}}},
  {6, {{1, 1, 1.4}, {1, 1.4, 1}, {1.4, 1, 1}, {1.4, 1.4, 1}, {1.4, 1, 1.4}, {1, 1.4, 1.4}}},
  {3, {{1, 1, 1.6}, {1, 1, 3}, {1, 1, 10}}},
  {4, {{1.6, 1.6, 1}, {3, 3, 1}, {10, 10, 1}, {2, 5, 1}}}};

struct place {
  int grids, number;
};

/* A search. What is to be made small are the factors of some frequencies, those that decided last
 * first; frequencies that turn out to be worse join them. They count over what one factor for all
 * sweeps reaches on cells of that spacing, so that none of a shape's pays for the others. */
struct search {
  const struct gen_operator *op;
  int spacings;
  struct gen_two_grids grids[SPACINGS];
  double scale[SPACINGS];
  int active;
  struct place *place;
  uint32_t random;
};

/* The spacings of a shape with its odd axis. False where the analysis does not hold. */
static bool add_spacings(struct search *s, int kind, int odd)
{
  static const int steps[3] = {6, 6, 6};
  s->place = gen_allocate((size_t)gen_frequencies(steps) * SPACINGS * 2 * sizeof *s->place);
  s->spacings = shapes[kind].count;
  for (int g = 0; g < s->spacings; g++) {
    double spacing[3];
    for (int a = 0; a < 3; a++)
      spacing[(odd + 1 + a) % 3] = shapes[kind].spacing[g][a];
    if (!gen_make_two_grids(s->op, spacing, false, steps, &s->grids[g]))
      return false;
  }
  return true;
}

static struct gen_factors factors_of(const double x[FACTORS])
{
  struct gen_factors factors = {0};
  for (int n = 0; n < FACTORS; n++)
    factors.factor[n / GEN_HALF_SWEEPS][n % GEN_HALF_SWEEPS] = x[n];
  return factors;
}

struct gen_cycle gen_cycle_with(const struct gen_operator *op, const struct gen_factors *factors)
{
  struct gen_cycle cycle = gen_usual_cycle(GEN_GAUSS_SEIDEL, 1);
  for (int sweep = 0; sweep < 2; sweep++)
    for (int colour = 0; colour < op->colours; colour++) {
      const int half = 2 * sweep + (colour >= op->colours / 2);
      cycle.omega_after[sweep][colour] = factors->factor[0][half];
      cycle.omega_before[sweep][colour] = factors->factor[1][half];
    }
  return cycle;
}

static struct gen_cycle cycle_of(const struct search *s, const double x[FACTORS])
{
  const struct gen_factors factors = factors_of(x);
  return gen_cycle_with(s->op, &factors);
}

/* The largest of the factors, or some number that is not below the limit if it is not. */
static double largest(struct search *s, const double x[FACTORS], double limit)
{
  const struct gen_cycle cycle = cycle_of(s, x);
  double most = 0;
  for (int n = 0; n < s->active; n++) {
    const struct place at = s->place[n];
    const double scale = s->scale[at.grids];
    most = fmax(
      most, scale * gen_factor_at(&s->grids[at.grids], at.number, &cycle, SQUARINGS, most / scale));
    if (most >= limit) {
      memmove(s->place + 1, s->place, (size_t)n * sizeof at);
      s->place[0] = at;
      break;
    }
  }
  return most;
}

/* Looks at every third frequency, from number `first` on. Those join that are worse than the search
 * knows, a part of them for every spacing: each that is the worst so far. */
static void widen(struct search *s, const double x[FACTORS], double known, int first)
{
  const struct gen_cycle cycle = cycle_of(s, x);
  for (int g = 0; g < s->spacings; g++) {
    double worst = known;
    for (int n = first; n < s->grids[g].frequencies; n += 3) {
      const double factor =
        s->scale[g] * gen_factor_at(&s->grids[g], n, &cycle, SQUARINGS, worst / s->scale[g]);
      if (factor > worst) {
        s->place[s->active++] = (struct place){g, n};
        worst = factor;
      }
    }
  }
}

/* Between -1 and 1 (a linear congruential generator's upper bits). */
static double random_number(struct search *s)
{
  s->random = s->random * 1664525u + 1013904223u;
  return (double)(s->random >> 8) / (1 << 23) - 1;
}

/* A candidate beside x: one factor more or less, then all of them at random. */
static void move(struct search *s, int trial, double step, int free, const double x[FACTORS],
                 double candidate[FACTORS])
{
  const double least = 0.5, most = 1.75;
  memcpy(candidate, x, FACTORS * sizeof *x);
  for (int n = 0; n < free; n++) {
    const double by = trial >= 2 * free ? random_number(s)
      : trial / 2 != n                  ? 0
      : trial % 2                       ? 1
                                        : -1;
    candidate[n] = fmin(fmax(x[n] + step * by, least), most);
  }
}

static int free_factors(const struct search *s)
{
  return s->op->colours == 2 ? FACTORS - 1 : FACTORS;
}

/* Makes every n-th frequency of a spacing active. */
static void take_some(struct search *s, int g, int every)
{
  for (int n = 0; n < s->grids[g].frequencies; n += every)
    s->place[s->active++] = (struct place){g, n};
}

/* The best single factor. Returns what it reaches. */
static double find_single(struct search *s, double x[FACTORS])
{
  double best = INFINITY;
  for (int n = 0; n < 12; n++) {
    double candidate[FACTORS];
    for (int k = 0; k < FACTORS; k++)
      candidate[k] = k < free_factors(s) ? 0.8 + 0.05 * n : 1;
    const double found = largest(s, candidate, best);
    if (found < best) {
      best = found;
      memcpy(x, candidate, sizeof candidate);
    }
  }
  return best;
}

/* The best single factor, by some of the frequencies. */
static void start(struct search *s, double x[FACTORS])
{
  enum { EVERY = 17 };
  for (int g = 0; g < s->spacings; g++) {
    s->active = 0;
    s->scale[g] = 1;
    take_some(s, g, EVERY);
    s->scale[g] = 1 / find_single(s, x);
  }
  s->active = 0;
  for (int g = 0; g < s->spacings; g++)
    take_some(s, g, EVERY);
  find_single(s, x);
}

/* Improves x from steps of that length on, by gains that are plain, so that rounding decides
 * nothing. Returns the largest factor. */
static double improve(struct search *s, double step, double x[FACTORS])
{
  enum { RANDOM_TRIALS = 10 };
  const double plain = 1 - 1e-4, least_step = 0.012;
  const int free = free_factors(s);
  double best = largest(s, x, INFINITY);
  while (step > least_step) {
    int gains = 0;
    for (int trial = 0; trial < 2 * free + RANDOM_TRIALS; trial++) {
      double candidate[FACTORS];
      move(s, trial, step, free, x, candidate);
      const double found = largest(s, candidate, plain * best);
      if (found < plain * best) {
        best = found;
        memcpy(x, candidate, sizeof candidate);
        gains++;
      }
    }
    step *= gains ? 1 : 0.6;
  }
  return best;
}

static double jacobi_at(const struct search *s, double omega)
{
  const struct gen_cycle cycle = gen_usual_cycle(GEN_JACOBI, omega);
  double most = 0;
  for (int n = 0; n < s->active; n++) {
    const struct place at = s->place[n];
    most = fmax(most, gen_factor_at(&s->grids[at.grids], at.number, &cycle, SQUARINGS, most));
  }
  return most;
}

/* Jacobi's best factor, by golden section, to two decimals. */
static double find_damping(const struct search *s)
{
  const double golden = 0.6180339887498949;
  double low = 0.4, high = 1.4;
  while (high - low > 0.008) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (jacobi_at(s, a) < jacobi_at(s, b))
      high = b;
    else
      low = a;
  }
  return round(50 * (low + high)) / 100;
}

int gen_shape_of(const double spacing[3])
{
  const double equal = 1.1, merged = 1.5 * (1 + 1e-9),
               least = fmin(spacing[0], fmin(spacing[1], spacing[2])),
               most = fmax(spacing[0], fmax(spacing[1], spacing[2]));
  int wide = 0, odd[2] = {0, 0};
  for (int a = 0; a < 3; a++) {
    const int is_wide = spacing[a] > merged * least;
    wide += is_wide;
    odd[is_wide] = a;
  }
  return wide == 0 ? (most <= equal * least ? CUBES : NEARLY_CUBES)
    : wide == 1    ? WIDE + odd[1]
                   : NARROW + odd[0];
}

bool gen_find_factors(const struct gen_operator *op, int shape, struct gen_factors *result)
{
  enum { ROUNDS = 5 };
  const int kind = shape < WIDE ? shape
    : shape < NARROW            ? 2
                                : 3,
            odd = shape < WIDE ? 2 : (shape - WIDE) % 3;
  struct search s = {.op = op, .random = 1};
  double x[FACTORS], known = 0, step = 0.16;
  if ((op->colours != 2 && op->colours != 8) || !add_spacings(&s, kind, odd))
    return false;
  start(&s, x);
  for (int round = 0; round < ROUNDS; round++, step *= 0.7) {
    widen(&s, x, known, round % 3);
    known = improve(&s, step, x);
  }
  for (int n = 0; n < FACTORS; n++)
    x[n] = round(100 * x[n]) / 100;
  *result = factors_of(x);
  s.active = 0;
  for (int g = 0; g < s.spacings; g++) {
    s.scale[g] = 1;
    take_some(&s, g, 5);
  }
  result->jacobi = find_damping(&s);
  return true;
}
