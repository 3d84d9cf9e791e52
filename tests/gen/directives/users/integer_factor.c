/* refused: 'n' is an integer that is not known here, among values */
void scale(double *a, int n, int m)
{
#pragma mint copy(a, toDevice, n, m)
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        a[j * n + i] = a[j * n + i] / n; /* here */
  }
#pragma mint copy(a, fromDevice, n, m)
}
