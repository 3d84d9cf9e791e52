/* refused: found at the end of a step, and these loops of line 14 store 'u' */
static double u[34][34], v[34][34];
double go(void)
{
  double s = 0;
#pragma mint parallel
  {
    for (int t = 0; t < 9; t++) {
#pragma mint for nest(2)
      for (int j = 1; j < 33; j++)
        for (int i = 1; i < 33; i++)
          s += u[j][i]; /* here */
#pragma mint for nest(2)
      for (int j = 1; j < 33; j++)
        for (int i = 1; i < 33; i++)
          u[j][i] = 0.5 * u[j][i];
    }
  }
  return s;
}
