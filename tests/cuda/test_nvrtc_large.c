/* The same as test_nvrtc.c for sm_80, sm_90 and sm_100, with the table of registers, shared memory and occupancy.
 * label: long
 * sanitizers: no */
#include "nvrtc_table.h"

int main(void)
{
  static const char *const architecture[] = {"sm_80", "sm_90", "sm_100"};
  const int failures = nvrtc_table(architecture, 3, 0);
  return failures < 0 ? 77 : failures > 0;
}
