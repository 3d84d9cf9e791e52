/* refused: compares whole numbers that are not the same for all cells, or not known */
static double u[66][66], f[66][66];
void relax(int n)
{
#pragma mint parallel
  for (int t = 0; t < n; t++) {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        if ((i + j) % 2 == t % 2) /* here */
          u[j][i] = f[j][i];
  }
}
