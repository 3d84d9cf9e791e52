/* refused: .0.25 .*is computed in double, and the arrays hold floats: write its numbers with the */
void jacobi(int n, int steps, float *u, float *v)
{
#pragma mint copy(u, toDevice, n + 2, n + 2)
#pragma mint copy(v, toDevice, n + 2, n + 2)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2)
    for (int y = 1; y <= n; y++)
      for (int x = 1; x <= n; x++) {
        const int at = x + (n + 2) * y;
        v[at] = /* here */ 0.25 * (u[at - 1] + u[at + 1] + u[at - n - 2] + u[at + n + 2]);
      }
    float *swap = u;
    u = v;
    v = swap;
  }
#pragma mint copy(u, fromDevice, n + 2, n + 2)
}
