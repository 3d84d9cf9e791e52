/* refused: because 'often' of line 3 calls itself */
static double u[66][66], v[66][66];
static double often(double a)
{
  return 0.5 * often(0.5 * a);
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = often(u[j][i - 1]); /* here */
  }
}
