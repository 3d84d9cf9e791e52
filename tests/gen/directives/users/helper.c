/* accepted: 64 x 64 cells; functions of the file that return a value, one of a whole number */
/* tree: v[box][k][j][i] = (3 * u[box][k][j][i - 1] + u[box][k][j][i + 1]) * 0.25 */
static double u[66][66], v[66][66];
static int left(int i)
{
  return i - 1;
}
static double mean(const double a[66][66], int j, int i, double weight)
{
  const double sum = weight * a[j][left(i)] + a[j][i + 1];
  return sum * 0.25;
}
void smooth(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = mean(u, j, i, 3);
  }
}
