/* refused: iterations depend on each other.* iteration i - 1 stores */
static double u[66][66], f[66][66];
void relax(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        u[j][i] =
          0.25 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i] - f[j][i]); /* here */
  }
}
