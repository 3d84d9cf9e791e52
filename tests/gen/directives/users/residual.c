/* accepted: reduce change = sum of (v[box][k][j][i] - u; in one nest with a sweep. */
static double u[66][66], v[66][66];
double sweep(void)
{
  double change = 0;
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++) {
        v[j][i] = 0.25 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i]);
        double d = v[j][i] - u[j][i];
        change += d * d;
      }
  }
  return change;
}
