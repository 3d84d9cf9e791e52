/* refused: because .half. of line 3 has more than declarations of numbers */
static double u[66][66], v[66][66];
static double half(double x)
{
  const double factor = 1 / 2;
  return factor * x;
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = half(u[j][i]); /* here */
  }
}
