/* refused: is done on the host while steps are taken */
#include <stdio.h>
static double u[66][66], v[66][66];
void smooth(int n)
{
  int shown = 0;
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = 0.5 * (u[j][i - 1] + u[j][i + 1]);
    printf("%d times shown\n", ++shown); /* here */
  }
}
