/* refused: is no element of an array */
struct grid {
  double u[66][66], v[66][66];
};
void smooth(struct grid *g)
{
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        g->v[j][i] = 0.5 * (g->u[j][i - 1] + g->u[j][i + 1]); /* here */
  }
}
