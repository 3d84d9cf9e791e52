/* refused: is read for 's' before these loops store it */
#include <math.h>
static double u[34][34], v[34][34];
double go(void)
{
  double s = 0;
  int n = 0;
#pragma mint parallel
  {
    for (int t = 0; t < 9; t++) {
#pragma mint for nest(2)
      for (int j = 1; j < 33; j++)
        for (int i = 1; i < 33; i++) {
          double r = v[j][i] - u[j][i]; /* here */
          u[j][i] += r;
          s += fabs(r);
        }
    }
  }
  return s;
}
