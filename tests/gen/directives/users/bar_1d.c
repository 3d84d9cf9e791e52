/* refused: has one dimension; programs have 2 or 3 */
void bar(double *t, double *s, int n, double r)
{
#pragma mint copy(t, toDevice, n)
#pragma mint copy(s, toDevice, n)
#pragma mint parallel
  {
#pragma mint for
    for (int i = 1; i < n - 1; i++) /* here */
      s[i] = t[i] + r * (t[i - 1] - 2 * t[i] + t[i + 1]);
  }
#pragma mint copy(s, fromDevice, n)
}
