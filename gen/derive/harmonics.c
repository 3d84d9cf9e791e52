#include "harmonics.h"

#include "check/colouring.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

double gen_stencil_diagonal(const struct gen_stencil *stencil)
{
  for (int n = 0; n < stencil->points; n++) {
    const int *offset = stencil->point[n].offset;
    if (!offset[0] && !offset[1] && !offset[2])
      return stencil->point[n].weight;
  }
  return 0;
}

int gen_coupled_axes(const struct gen_stencil *stencil)
{
  int axes = 0;
  for (int n = 0; n < stencil->points; n++)
    for (int a = 0; a < 3; a++)
      axes |= (stencil->point[n].offset[a] != 0) << a;
  return axes;
}

double gen_symbol(const struct gen_stencil *stencil, const double theta[3])
{
  double sum = 0;
  for (int n = 0; n < stencil->points; n++) {
    const int *offset = stencil->point[n].offset;
    sum += stencil->point[n].weight
      * cos(theta[0] * offset[0] + theta[1] * offset[1] + theta[2] * offset[2]);
  }
  return sum / gen_stencil_diagonal(stencil);
}

void gen_symbols_at(const struct gen_stencil *stencil, const double theta[3],
                    double value[GEN_HARMONICS])
{
  for (int h = 0; h < GEN_HARMONICS; h++) {
    const double there[3] = {theta[0] + pi * (h & 1), theta[1] + pi * (h >> 1 & 1),
                             theta[2] + pi * (h >> 2 & 1)};
    value[h] = gen_symbol(stencil, there);
  }
}

int gen_frequencies(const int steps[3])
{
  return (2 * steps[0] + 1) * (2 * steps[1] + 1) * (2 * steps[2] + 1);
}

void gen_frequency(int axes, const int steps[3], int index, double theta[3])
{
  for (int a = 0; a < 3; index /= 2 * steps[a] + 1, a++)
    theta[a] = axes >> a & 1 ? pi / 2 * (index % (2 * steps[a] + 1) - steps[a]) / steps[a] : 0;
}

bool gen_colour_cells(const struct gen_guard *colouring, int axes, struct gen_cell_colours *cells)
{
  cells->colours = gen_colours(colouring);
  for (int c = 0; c < GEN_HARMONICS; c++) {
    const int at[3] = {c & axes & 1, (c & axes) >> 1 & 1, (c & axes) >> 2 & 1},
              *m = colouring->modulus;
    cells->of[c] = colouring->kind == GEN_PARITY
      ? (at[0] + at[1] + at[2]) % 2
      : at[0] % m[0] + m[0] * (at[1] % m[1] + m[1] * (at[2] % m[2]));
  }
  return cells->colours <= GEN_MAX_COLOURS;
}

/* From what harmonics hold to what the cells of a block hold, each over the phase of its place, or
 * back, but for a factor 8 in all (Walsh and Hadamard's transform of the columns). */
static void transform(double column[GEN_HARMONICS][GEN_HARMONICS])
{
  for (int bit = 1; bit < GEN_HARMONICS; bit *= 2)
    for (int h = 0; h < GEN_HARMONICS; h++)
      for (int n = 0; n < GEN_HARMONICS && !(h & bit); n++) {
        const double low = column[h][n], high = column[h | bit][n];
        column[h][n] = low + high;
        column[h | bit][n] = low - high;
      }
}

/* One colour, on cells. coupling: of two cells that differ in these bits, times 8. */
static void sweep_cells(const struct gen_cell_colours *cells, int colour,
                        const double coupling[GEN_HARMONICS][GEN_HARMONICS], double omega,
                        double m[GEN_HARMONICS][GEN_HARMONICS])
{
  double change[GEN_HARMONICS][GEN_HARMONICS];
  for (int to = 0; to < GEN_HARMONICS; to++) {
    double row[GEN_HARMONICS] = {0};
    for (int from = 0; from < GEN_HARMONICS && cells->of[to] == colour; from++)
      for (int n = 0; n < GEN_HARMONICS; n++)
        row[n] += coupling[to ^ from][0] * m[from][n];
    if (cells->of[to] == colour)
      memcpy(change[to], row, sizeof row);
  }
  for (int to = 0; to < GEN_HARMONICS; to++)
    for (int n = 0; n < GEN_HARMONICS && cells->of[to] == colour; n++)
      m[to][n] -= omega / GEN_HARMONICS * change[to][n];
}

static void sweep_part(const struct gen_cell_colours *cells,
                       const double coupling[GEN_HARMONICS][GEN_HARMONICS], const double omega[],
                       double m[GEN_HARMONICS][GEN_HARMONICS])
{
  transform(m);
  for (int colour = 0; colour < cells->colours; colour++)
    sweep_cells(cells, colour, coupling, omega[colour], m);
  transform(m);
  for (int n = 0; n < GEN_HARMONICS * GEN_HARMONICS; n++)
    m[n / GEN_HARMONICS][n % GEN_HARMONICS] /= GEN_HARMONICS;
}

void gen_sweep_colours(const struct gen_cell_colours *cells, const double value[GEN_HARMONICS],
                       const double omega[], struct gen_matrix *m)
{
  double coupling[GEN_HARMONICS][GEN_HARMONICS] = {{0}};
  for (int h = 0; h < GEN_HARMONICS; h++)
    coupling[h][0] = value[h];
  transform(coupling);
  sweep_part(cells, coupling, omega, m->real);
  sweep_part(cells, coupling, omega, m->imaginary);
}

static void square(const struct gen_matrix *a, struct gen_matrix *restrict result)
{
  for (int i = 0; i < GEN_HARMONICS; i++) {
    double real[GEN_HARMONICS] = {0}, imaginary[GEN_HARMONICS] = {0};
    for (int k = 0; k < GEN_HARMONICS; k++) {
      const double x = a->real[i][k], y = a->imaginary[i][k];
      for (int j = 0; j < GEN_HARMONICS; j++) {
        real[j] += x * a->real[k][j] - y * a->imaginary[k][j];
        imaginary[j] += x * a->imaginary[k][j] + y * a->real[k][j];
      }
    }
    memcpy(result->real[i], real, sizeof real);
    memcpy(result->imaginary[i], imaginary, sizeof imaginary);
  }
}

double gen_spectral_radius(struct gen_matrix matrix, int squarings, double enough)
{
  const double low = log(enough);
  double logarithm = 0, share = 1;
  double *const real = &matrix.real[0][0], *const imaginary = &matrix.imaginary[0][0];
  for (int s = 0; s <= squarings; s++, share /= 2) {
    struct gen_matrix next;
    double size = 0;
    for (int n = 0; n < GEN_HARMONICS * GEN_HARMONICS; n++)
      size += real[n] * real[n] + imaginary[n] * imaginary[n];
    size = sqrt(size);
    if (size < 1e-100)
      return 0;
    for (int n = 0; n < GEN_HARMONICS * GEN_HARMONICS; n++) {
      real[n] /= size;
      imaginary[n] /= size;
    }
    logarithm += share * log(size);
    if (s == squarings || logarithm <= low)
      break;
    square(&matrix, &next);
    matrix = next;
  }
  return exp(logarithm);
}
