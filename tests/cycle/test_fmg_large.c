/* label: long */
/* Preconditions: 4 GiB of memory. What must vanish: the number of problems with 128^3 and 256^3
 * cells on which one pass of full multigrid with V(2,2) leaves more than a fifth of the
 * discretization error in double, or more than that error where it rounds to single precision, in
 * the max norm, or where a start by it costs cycles. */
#include <stdio.h>

#include "fmg_check.h"

int main(void)
{
  gmg_context *context;
  if (gmg_context_create(0, &context))
    return 1;
  const int failures =
    fmg_check_all(context, 128, 256, "double", 0.2) + fmg_check_all(context, 128, 256, "mixed", 1);
  gmg_context_destroy(&context);
  return failures != 0;
}
