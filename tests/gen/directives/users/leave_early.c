/* refused: may leave the time loop before the loops or the swap of line 23 */
static double u[34][34], v[34][34];
double go(void)
{
  double s = 0;
  double(*a)[34] = u, (*b)[34] = v, (*t)[34];
#pragma mint copy(a, toDevice, 34, 34)
#pragma mint copy(b, toDevice, 34, 34)
#pragma mint parallel
  {
    for (int n = 0; n < 9; n++) {
      s = 0;
#pragma mint for nest(2)
      for (int j = 1; j < 33; j++)
        for (int i = 1; i < 33; i++) {
          b[j][i] = 0.5 * a[j][i];
          s += b[j][i];
        }
      if (s < 3) /* here */
        break;
#pragma mint single
      {
        t = a;
        a = b;
        b = t;
      }
    }
  }
#pragma mint copy(a, fromDevice, 34, 34)
  return s;
}
