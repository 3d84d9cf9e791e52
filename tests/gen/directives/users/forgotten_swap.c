/* refused: after these assignments 'u' and 'v' are the same array */
void heat(double *u, double *v, int n, int m, int steps)
{
#pragma mint copy(u, toDevice, n, m)
#pragma mint copy(v, toDevice, n, m)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < m - 1; j++)
      for (int i = 1; i < n - 1; i++)
        v[j * n + i] =
          0.25 * (u[j * n + i - 1] + u[j * n + i + 1] + u[j * n - n + i] + u[j * n + n + i]);
    u = v; /* here */
  }
#pragma mint copy(u, fromDevice, n, m)
}
