/* Every launch form of every generated CUDA kernel compiles by NVRTC in its default shape for
 * sm_90, sm_80 and sm_100. Skipped where there is no NVRTC. Must vanish: as in nvrtc.
 *
 * label: long
 * sanitizers: no */
#include "nvrtc_table.h"

int main(void)
{
  static const char *const architecture[] = {"sm_90", "sm_80", "sm_100"};
  const int failures = nvrtc_table(architecture, 3, 1);
  return failures < 0 ? 77 : failures > 0;
}
