/* refused: is no step of a parallel loop: these go up by 1 */
static double u[66][66], v[66][66];
void smooth(void)
{
#pragma mint parallel
  {
#pragma mint for nest(1)
    for (int jj = 1; jj < 65; jj += 8) /* here */
      for (int j = jj; j < jj + 8; j++)
        for (int i = 1; i < 65; i++)
          v[j][i] = 0.5 * (u[j][i - 1] + u[j][i + 1]);
  }
}
