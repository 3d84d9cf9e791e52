/* accepted: permute old <- next <- old; all in single precision. */
/* tree: r = 0.10000000149011612 */
#include <math.h>

#define NX 62
#define NY 30

static float u[NY + 2][NX + 2], v[NY + 2][NX + 2];

static float around(float (*a)[NX + 2], int j, int i)
{
  return a[j][i - 1] + a[j][i + 1] + a[j - 1][i] + a[j + 1][i];
}

void heat(int steps, float source)
{
  float(*old)[NX + 2] = u, (*next)[NX + 2] = v;
#pragma mint copy(old, toDevice, NX + 2, NY + 2)
#pragma mint copy(next, toDevice, NX + 2, NY + 2)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2) tile(16, 16)
    for (int j = 1; j <= NY; j++)
      for (int i = 1; i <= NX; i++) {
        float r = 0.1;
        r *= sqrtf(1 + source);
        next[j][i] = old[j][i] + r * (around(old, j, i) - 4 * old[j][i]) / 2;
      }
    float(*swap)[NX + 2] = old;
    old = next;
    next = swap;
  }
#pragma mint copy(old, fromDevice, NX + 2, NY + 2)
}
