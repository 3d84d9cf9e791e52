/* refused: calls a function other than fma, fabs, fmax, fmin and sqrt */
static double u[66][66], v[66][66];
static double mean(double a, double b)
{
  return 0.5 * (a + b);
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = mean(u[j][i - 1], u[j][i + 1]); /* here */
  }
}
