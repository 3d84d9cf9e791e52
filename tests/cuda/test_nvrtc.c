/* Every launch form of the generated CUDA kernels in double with split rows compiles by NVRTC in its default shape, without a
 * spill, for one architecture, and the coarse tail for three. Skipped where there is no NVRTC.
 * Must vanish: forms that do not compile, and forms that spill registers.
 * sanitizers: no */
#include "nvrtc_table.h"

int main(void)
{
  static const char *const architecture[] = {"sm_90", "sm_80", "sm_100"};
  const int failures = nvrtc_table(architecture, 1, 0);
  return failures < 0 ? 77 : failures + nvrtc_tail(architecture, 3) > 0;
}
