/* refused: no value that stays the same */
void relax(double *p, double *q, int nx, int ny, int nz, int nsteps, double w)
{
  int i, j, k, l, plane, row, n;
  double sum;
#pragma mint copy(p, toDevice, nx, ny, nz)
#pragma mint copy(q, toDevice, nx, ny, nz)
  for (n = 0; n < nsteps; n++) {
#pragma mint parallel
    {
#pragma mint for nest(all)
      for (k = 1; k < nz - 1; k++) {
        plane = k * ny * nx;
        for (j = 1; j < ny - 1; j++) {
          row = plane + j * nx;
          for (i = 1; i < nx - 1; i++) {
            q[l] = 0; /* here */
            l = row + i;
            sum = p[l - 1] + p[l + 1];
            sum += p[l - nx] + p[l + nx];
            sum += p[l - nx * ny] + p[l + nx * ny];
            q[l] = w * sum;
          }
        }
      }
#pragma mint for nest(all)
      for (k = 1; k < nz - 1; k++)
        for (j = 1; j < ny - 1; j++)
          for (i = 1; i < nx - 1; i++) {
            l = i + nx * (j + ny * k);
            p[l] = q[l];
          }
    }
  }
#pragma mint copy(p, fromDevice, nx, ny, nz)
}
