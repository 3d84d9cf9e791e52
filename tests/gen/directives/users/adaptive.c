/* refused: 'dt' has no value that stays the same while steps are taken: line 15 changes it */
static double u[66][66], v[66][66];
void run(double end)
{
  double time = 0, dt = 0.1;
#pragma mint parallel
  while (time < end) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = u[j][i] + dt * (u[j][i - 1] + u[j][i + 1] - 2 * u[j][i]); /* here */
#pragma mint single
    {
      time += dt;
      dt = 0.99 * dt;
    }
  }
}
