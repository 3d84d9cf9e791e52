/* accepted: run printf_inside;
 * What is printed between steps changes none of them; standalone files print it, too. */
#include <stdio.h>
static double u[66][66], v[66][66];
void smooth(int n)
{
  const double a = 0.5;
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = a * (u[j][i - 1] + u[j][i + 1]);
    if (t % 100 == 0) {
      printf("step %d of %d, %g %s\n", t, n - 1, 2 * a, t ? "on" : "first");
      fflush(stdout);
    } else if (!(t % 10)) {
      fputs(".", stderr);
    }
  }
}
