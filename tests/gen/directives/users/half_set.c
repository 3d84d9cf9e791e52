/* refused: 'w' is set above under a condition, and has no value here */
static double u[66][66], v[66][66];
void sharpen(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++) {
        double w;
        if (u[j][i] > 0.5)
          w = 2 * u[j][i];
        v[j][i] = w; /* here */
      }
  }
}
