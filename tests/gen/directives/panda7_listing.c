/* Seven points: listing 1 of Panda (Sourouri, Baden and Cai, 2017), its 13 lines as printed, in a
 * function that declares its names. Mends: none; std::swap is read as swap. */
/* clang-format off */
void stencil(double *u_old, double *u_new, int Nx, int Ny, int Nz, int iterations, double kC0,
             double kC1)
{
#pragma panda distribute(u_old, u_new) size(Nx+2,Ny+2,Nz+2)
for(int t = 0; t < iterations; t++) {
  for (int k = 1; k < Nz+1; k++)
    for (int j = 1; j < Ny+1; j++)
      for (int i = 1; i < Nx+1; i++) {
        int idx = i + j*(Nx+2) + k*(Nx+2)*(Ny+2);
        u_new[idx] = kC1 * u_old[idx] + kC0 *
          (u_old[idx-1] + u_old[idx+1] + u_old[idx-(Nx+2)]
           + u_old[idx+(Nx+2)] + u_old[idx-(Nx+2)*(Ny+2)]
          + u_old[idx+(Nx+2)*(Ny+2)]); }
#pragma panda wait
std::swap(u_old, u_new);
}
}
