#include "random_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

/* A bijection of 64 bits that spreads every input bit over all output bits. */
static uint64_t mix(uint64_t x)
{
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93u;
  x ^= x >> 29;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ x >> 32;
}

uint64_t random_hash(uint64_t seed, int64_t i, int64_t j, int64_t k)
{
  uint64_t state = mix(seed + 0x9E3779B97F4A7C15u);
  state = mix(state + (uint64_t)i * 0xC2B2AE3D27D4EB4Fu);
  state = mix(state + (uint64_t)j * 0x165667B19E3779F9u);
  return mix(state + (uint64_t)k * 0x27D4EB2F165667C5u);
}

/* Uniform in (0, 1). */
static double uniform(uint64_t seed, int wave, int which)
{
  return ((double)(random_hash(seed, wave, which, 0) >> 12) + 0.5) / 4503599627370496.0;
}

/* Normal, by Box and Muller's formula. */
static double normal(uint64_t seed, int wave, int which)
{
  return sqrt(-2 * log(uniform(seed, wave, 2 * which)))
    * cos(two_pi * uniform(seed, wave, 2 * which + 1));
}

/* A wave vector of the spectrum of exp(-distance / length), 1 / (1 + (k length)²)² in three
 * dimensions: Cauchy's distribution, a normal vector over a normal number. */
static void wave_vector(uint64_t seed, int wave, double length, double k[3])
{
  const double divisor = fabs(normal(seed, wave, 3)) * length;
  for (int d = 0; d < 3; d++)
    k[d] = normal(seed, wave, d) / divisor;
}

int random_field_start(uint64_t seed, double length, const int cells[3], double *const centre[3],
                       struct random_field *field, struct failure *failure)
{
  memset(field, 0, sizeof *field);
  memcpy(field->cells, cells, sizeof field->cells);
  for (int d = 0; d < 3; d++) {
    const size_t count = (size_t)RANDOM_WAVES * 2 * (size_t)cells[d];
    field->table[d] = malloc(count * sizeof(double));
    if (!field->table[d])
      return failure_memory(failure, (double)count * sizeof(double),
                            "the waves of the random field");
  }
  for (int wave = 0; wave < RANDOM_WAVES; wave++) {
    double k[3];
    wave_vector(seed, wave, length, k);
    const double phase = two_pi * uniform(seed, wave, 8), amplitude = sqrt(2.0 / RANDOM_WAVES);
    for (int d = 0; d < 3; d++) {
      double *cosine = field->table[d] + (size_t)wave * 2 * (size_t)cells[d],
             *sine = cosine + cells[d];
      for (int i = 0; i < cells[d]; i++) {
        const double angle = k[d] * centre[d][i] + (d == 2 ? phase : 0);
        cosine[i] = (d == 2 ? amplitude : 1) * cos(angle);
        sine[i] = (d == 2 ? amplitude : 1) * sin(angle);
      }
    }
  }
  return 0;
}

void random_field_clear(struct random_field *field)
{
  for (int d = 0; d < 3; d++)
    free(field->table[d]);
  memset(field, 0, sizeof *field);
}

void random_field_row(const struct random_field *field, int from, int to, int j, int k, double *row)
{
  const size_t nx = (size_t)field->cells[0], ny = (size_t)field->cells[1],
               nz = (size_t)field->cells[2];
  for (int i = from; i < to; i++)
    row[i - from] = 0;
  for (size_t wave = 0; wave < RANDOM_WAVES; wave++) {
    const double *x = field->table[0] + wave * 2 * nx, *y = field->table[1] + wave * 2 * ny,
                 *z = field->table[2] + wave * 2 * nz;
    /* cosine and sine of the sum of the angles along y and z, then along x too */
    const double cosine = y[j] * z[k] - y[(size_t)j + ny] * z[(size_t)k + nz],
                 sine = y[(size_t)j + ny] * z[k] + y[j] * z[(size_t)k + nz];
    for (int i = from; i < to; i++)
      row[i - from] += cosine * x[i] - sine * x[(size_t)i + nx];
  }
}
