/* accepted: 40 x 30 cells, 50 steps; run over cells; macros in directives and in subscripts, odd
 * spacing. */
#define NX 40
#define NY 30
#define LX (NX + 2)
#define LY (NY + 2)
#define LAPLACE(f, j, i) (f[j][(i) + 1] + f[j][(i)-1] + f[(j) + 1][i] + f[(j)-1][i] - 4. * f[j][i])
#define STEPS (10 * 5)
static double f[LY][LX], g[LY][LX];
int main(void)
{
  const double D = 1. / 8;
#pragma mint copy(f, toDevice, LX, LY)
#pragma mint copy(g, toDevice, LX, LY)
#pragma mint parallel default(shared)
  {
    for (int it = 0; it < STEPS; it += 1) {
#pragma mint for nest(all) tile(16, 16, 1)
      for (int j = 1; j <= NY; ++j)
        for (int i = 1; i <= NX; ++i)
          g[j][i] = f[j][i] + D * LAPLACE(f, j, i);
#pragma mint for nest(all)
      for (int j = 1; j <= NY; ++j)
        for (int i = 1; i <= NX; ++i) {
          f[j][i] = g[j][i] + D * 0.5 * 0;
        }
    }
  }
#pragma mint copy(f, fromDevice, LX, LY)
  return 0;
}
