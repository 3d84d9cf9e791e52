/* accepted: x_lo periodic, x_hi periodic; a drop that moves around. */
enum { N = 64, M = 48 };
static double c[M + 2][N + 2], d[M + 2][N + 2];
void advect(double u, double v)
{
  int t, i, j;
#pragma mint parallel
  for (t = 0; t < 200; t++) {
#pragma mint for nest(1)
    for (j = 0; j <= M + 1; j++) {
      c[j][0] = c[j][N];
      c[j][N + 1] = c[j][1];
    }
#pragma mint for nest(1)
    for (i = 1; i <= N; i++) {
      c[0][i] = c[M][i];
      c[M + 1][i] = c[1][i];
    }
#pragma mint for nest(2)
    for (j = 1; j <= M; j++)
      for (i = 1; i <= N; i++)
        d[j][i] = c[j][i] - u * (c[j][i] - c[j][i - 1]) - v * (c[j][i] - c[j - 1][i]);
#pragma mint for nest(2)
    for (j = 1; j <= M; j++)
      for (i = 1; i <= N; i++)
        c[j][i] = d[j][i];
  }
}
