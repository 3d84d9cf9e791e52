/* refused: 'second' has directives, and 'first' in line 4, too */
static double u[66][66], v[66][66];

void first(void)
{
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        v[j][i] = u[j][i];
  }
}

void second(void) /* here */
{
#pragma mint parallel
  {
#pragma mint for nest(2)
    for (int j = 1; j < 65; j++)
      for (int i = 1; i < 65; i++)
        u[j][i] = v[j][i];
  }
}
