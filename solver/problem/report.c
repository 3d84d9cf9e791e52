#include "report.h"

#include <stdarg.h>
#include <stdio.h>

void gmg_report_fallback(struct gmg_report *report, const char *format, ...)
{
  if (report->fallbacks == GMG_FALLBACKS)
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(report->fallback[report->fallbacks++], sizeof report->fallback[0], format, list);
  va_end(list);
}
