#include "bytes.h"

#include <stdio.h>

void gmg_bytes_text(double bytes, char *text, size_t size)
{
  static const char *const unit[] = {"KiB", "MiB", "GiB", "TiB"};
  double count = bytes / 1024;
  int n = 0;
  for (; n < 3 && count >= (n < 2 ? 0.1 * 1024 : 1000);
       n++) /* memory of some hundred GiB is not told in TiB */
    count /= 1024;
  if (bytes < 1024)
    snprintf(text, size, "%.0f bytes", bytes);
  else
    snprintf(text, size, "%.3g %s", count, unit[n]);
}
