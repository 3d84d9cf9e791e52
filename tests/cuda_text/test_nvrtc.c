/* Every launch form of every generated CUDA kernel compiles by NVRTC in its default shape for
 * sm_80, sm_90 and sm_100, and so does the coarse tail; with a table of registers, shared memory
 * and occupancy. Skipped where there is no NVRTC. Must vanish: forms that do not compile, and forms
 * with split rows, the solver's default, that spill registers.
 *
 * timeout: 600
 * sanitizers: no */
#include "nvrtc_table.h"

int main(void)
{
  static const char *const architecture[] = {"sm_80", "sm_90", "sm_100"};
  const int failures = nvrtc_table(architecture, 3);
  return failures < 0 ? 77 : failures + nvrtc_tail(architecture, 3) > 0;
}
