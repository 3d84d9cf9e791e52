/* refused: '[ij] / 2' is no whole number made of */
static double u[66][66], v[34][34];
void coarsen(void)
{
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        u[j][i] = v[j / 2][i / 2]; /* here */
  }
}
