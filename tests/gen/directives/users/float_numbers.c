/* accepted: permute u <- v <- u; weights typed as floats: two of them make a float, as in C. */
/* tree: 0.10000000149011612 * u[box][k][j][i] + 0.030000001192092896 * u[box][k][j][i + 1] */
/* tree: + 0.3333333432674408 * u[box][k][j][i - 1] */
void smooth(int n, int steps, double (*u)[n + 2], double (*v)[n + 2])
{
  const double third = 1 / 3.0f;
#pragma mint copy(u, toDevice, n + 2, n + 2)
#pragma mint copy(v, toDevice, n + 2, n + 2)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2)
    for (int y = 1; y <= n; y++)
      for (int x = 1; x <= n; x++)
        v[y][x] =
          0.1f * u[y][x] + 0.1f * 0.3f * u[y][x + 1] + 1 / 3.0f * u[y][x - 1] + third * u[y + 1][x];
    double(*swap)[n + 2] = u;
    u = v;
    v = swap;
  }
#pragma mint copy(u, fromDevice, n + 2, n + 2)
}
