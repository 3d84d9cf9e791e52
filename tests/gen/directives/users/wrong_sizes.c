/* refused: 'j' is multiplied by m, which is none of the strides 1, n */
void heat(double *u, double *v, int n, int m, int steps)
{
#pragma mint copy(u, toDevice, n, m)
#pragma mint copy(v, toDevice, n, m)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < m - 1; j++)
      for (int i = 1; i < n - 1; i++)
        v[j * n + i] = 0.25 * (u[j * n + i - 1] + u[j * n + i + 1] + u[j * m + i]); /* here */
  }
#pragma mint copy(u, fromDevice, n, m)
}
