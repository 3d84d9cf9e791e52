/* refused: is no whole number made of variables */
static double u[66][66], v[66][66];
static int near(double x)
{
  return x + 0.5;
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = 0.5 * near(u[j][i]); /* here */
  }
}
