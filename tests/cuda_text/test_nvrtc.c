/* The launch forms of generated CUDA kernels compile by NVRTC in their default shapes, one in eight
 * for sm_90, one in 32 for sm_80 and sm_100, and so does the coarse tail; with a table of
 * registers, shared memory and occupancy. Skipped where there is no NVRTC. Must vanish: forms that
 * do not compile, and forms with split rows, the solver's default, that spill registers.
 * nvrtc_long compiles all of them for all three.
 *
 * sanitizers: no */
#include "nvrtc_table.h"

int main(void)
{
  static const char *const architecture[] = {"sm_90", "sm_80", "sm_100"};
  const int failures = nvrtc_table(architecture, 1, 8);
  if (failures < 0)
    return 77;
  return failures + nvrtc_table(architecture + 1, 2, 32) + nvrtc_tail(architecture, 3) > 0;
}
