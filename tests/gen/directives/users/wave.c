/* accepted: permute old <- now <- new <- old; three arrays rotate, of fourth order, two ghosts. */
void wave(int nx, int ny, int nz, double (*old)[ny + 4][nx + 4], double (*now)[ny + 4][nx + 4],
          double (*new)[ny + 4][nx + 4], double c2, int nt)
{
  const double a = 4. / 3, b = -1. / 12;
  double(*spare)[ny + 4][nx + 4];
#pragma mint copy(old, toDevice, nx + 4, ny + 4, nz + 4)
#pragma mint copy(now, toDevice, nx + 4, ny + 4, nz + 4)
#pragma mint copy(new, toDevice, nx + 4, ny + 4, nz + 4)
#pragma mint parallel
  for (int n = 0; n < nt; n++) {
#pragma mint for nest(all) tile(32, 4, 1)
    for (int k = 2; k < nz + 2; k++)
      for (int j = 2; j < ny + 2; j++)
        for (int i = 2; i < nx + 2; i++) {
          double near, far;
          near = now[k][j][i - 1] + now[k][j][i + 1] + now[k][j - 1][i] + now[k][j + 1][i]
            + now[k - 1][j][i] + now[k + 1][j][i];
          far = now[k][j][i - 2] + now[k][j][i + 2] + now[k][j - 2][i] + now[k][j + 2][i]
            + now[k - 2][j][i] + now[k + 2][j][i];
          new[k][j][i] =
            2 * now[k][j][i] - old[k][j][i] + c2 *(a * near + b * far - 7.5 * now[k][j][i]);
        }
    spare = old;
    old = now;
    now = new;
    new = spare;
  }
#pragma mint copy(now, fromDevice, nx + 4, ny + 4, nz + 4)
}
