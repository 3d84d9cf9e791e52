/* refused: 'inner' is used in a parallel region, but not copied */
void heat(double *u, double *v, int n, int m)
{
  double *inner = u + n + 1;
#pragma mint copy(u, toDevice, n, m)
#pragma mint copy(v, toDevice, n, m)
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < m - 1; j++)
      for (int i = 1; i < n - 1; i++)
        v[j * n + i] = inner[(j - 1) * n + i - 1]; /* here */
  }
#pragma mint copy(v, fromDevice, n, m)
}
