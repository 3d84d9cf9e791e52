/* here: A file without a marked function.
 * reject: no function is marked GMG_OPERATOR or GMG_KERNEL */
void nothing(int n, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
