/* refused: cannot be taken into the loops, because 'limited' of line 3 has more */
static double u[66][66], v[66][66];
static double limited(double a, double b)
{
  if (a > b)
    return a;
  return b;
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = limited(u[j][i - 1], u[j][i + 1]); /* here */
  }
}
