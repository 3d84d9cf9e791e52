/* refused: is element n along x of 'v', .* nothing shows that it is one of them */
static double u[66][66], v[66][66];
static int n = 64;
void resize(int cells)
{
  n = cells;
}
void smooth(void)
{
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j <= 64; j++)
      for (int i = 1; i <= n; i++)
        v[j][i] = 0.5 * u[j][i]; /* here */
  }
}
