/* refused: 'flux' has n \+ 1 elements along x .* expected as many left out before as after them */
void fluxes(double *u, double *flux, int n, int m)
{
#pragma mint copy(u, toDevice, n + 2, m + 2)
#pragma mint copy(flux, toDevice, n + 1, m)
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j <= m; j++)
      for (int i = 1; i <= n; i++)
        u[j * (n + 2) + i] +=
          flux[(j - 1) * (n + 1) + i] - flux[(j - 1) * (n + 1) + i - 1]; /* here */
  }
#pragma mint copy(u, fromDevice, n + 2, m + 2)
}
