#include "info.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "gmg.h"
#include "parallel.h"

/* The instruction sets whose kernels were built and run here. */
static void print_isas(gmg_context *context)
{
  static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
  printf("instruction sets   ");
  for (int n = 0; n < 3; n++)
    if (gmg_context_set_isa(context, names[n]) == GMG_OK)
      printf("%s, ", names[n]);
  gmg_context_set_isa(context, "auto");
  printf("in use %s\n", gmg_context_isa(context));
}

int info_run(int count, char **words, struct failure *failure)
{
  if (count)
    return failure_set(failure, STATUS_INPUT, "gmg info takes no arguments: '%s'", words[0]);
  gmg_context *context = NULL;
  gmg_status status = parallel_context(0, &context);
  if (status != GMG_OK)
    return failure_set(failure, STATUS_MACHINE, "%s", gmg_status_text(status));
  if (parallel_rank() == 0) {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    printf("gmg                %s\n", GMG_VERSION);
#ifdef __clang__
    printf("compiler           clang %s\n", __clang_version__);
#else
    printf("compiler           gcc %s\n", __VERSION__);
#endif
    printf("MPI                %s\n", parallel_version());
    printf("HDF5               %u.%u.%u\n", major, minor, release);
    print_isas(context);
    printf("threads            %d on each of %d rank%s\n", gmg_context_threads(context), parallel_ranks(),
           parallel_ranks() == 1 ? "" : "s");
    printf("devices            none: this version computes on CPUs\n");
    printf("wisdom             none: this version does not tune\n");
  }
  gmg_context_destroy(&context);
  return 0;
}
