#include "info.h"

#include <hdf5.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "gmg.h"
#include "common/parallel.h"
#include "tuning/wisdom_file.h"

static void print_build(void)
{
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  printf("gmg                %s\n", GMG_VERSION);
#ifdef __clang__
  printf("compiler           clang %s\n", __clang_version__);
#else
  printf("compiler           gcc %s\n", __VERSION__);
#endif
  printf("build              %s, OpenMP %d\n", GMG_BUILD_TYPE, _OPENMP);
  printf("MPI                %s\n", parallel_version());
  printf("HDF5               %u.%u.%u%s\n", major, minor, release,
         GMG_WITH_MPI ? ", files in parallel" : "");
  printf("jansson            %s\n", JANSSON_VERSION);
}

/* The instruction sets whose kernels were built, and those of them that run here. */
static void print_isas(gmg_context *context)
{
  char built[200] = GMG_BUILT_ISAS, here[220] = "";
  for (char *isa = strtok(built, ";"); isa; isa = strtok(NULL, ";"))
    if (gmg_context_set_isa(context, isa) == GMG_OK)
      snprintf(here + strlen(here), sizeof here - strlen(here), "%s%s", *here ? ", " : "", isa);
  gmg_context_set_isa(context, "auto");
  snprintf(built, sizeof built, "%s", GMG_BUILT_ISAS);
  for (char *at = built; (at = strchr(at, ';')); at++)
    *at = ' ';
  printf("instruction sets   built: %s; run here: %s; in use: %s\n", built, here,
         gmg_context_isa(context));
}

/* What the system says of the processor; nothing where it does not. */
static void print_machine(void)
{
  char line[400];
  FILE *stream = fopen("/proc/cpuinfo", "r");
  while (stream && fgets(line, sizeof line, stream)) {
    const char *colon = strchr(line, ':');
    if (colon && strncmp(line, "model name", 10) == 0) {
      printf("processor         %s", colon + 1);
      break;
    }
  }
  if (stream)
    fclose(stream);
  printf("machine            %ld cores, %.1f GB of memory\n", sysconf(_SC_NPROCESSORS_ONLN),
         1e-9 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
}

static void print_device(gmg_context *context)
{
  int found;
  const char *device = gmg_context_device(context, &found);
  printf("back ends          openmp: here; cuda: %s\n",
         found             ? "here"
           : GMG_WITH_CUDA ? "built, not here"
                           : "not built");
  printf("devices            %s%s\n", found ? "" : "none: ", device);
}

/* On all ranks. */
static void print_wisdom(gmg_context *context)
{
  char path[400];
  const char *sentence = gmg_context_wisdom(context);
  if (parallel_rank() != 0)
    return;
  printf("wisdom             %s\n", sentence);
  if (gmg_wisdom_user_path(path, sizeof path) == GMG_WISDOM_OK)
    printf("                   gmg tune saves to %s, which %s\n", path,
           access(path, F_OK) == 0 ? "is there" : "is not there yet");
  else
    printf("                   gmg tune needs --wisdom FILE: neither XDG_CACHE_HOME nor HOME is "
           "set\n");
}

static void print_help(void)
{
  if (parallel_rank() == 0)
    printf("gmg info says what this build, this machine and its GPU have, and what wisdom there "
           "is for it; it takes no arguments.\n");
}

int info_run(int count, char **words, struct failure *failure)
{
  if (count == 1 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
    print_help();
    return 0;
  }
  if (count)
    return failure_set(failure, STATUS_INPUT, "gmg info takes no arguments: '%s'", words[0]);
  gmg_context *context = NULL;
  gmg_status status = parallel_context(0, &context);
  if (status != GMG_OK)
    return failure_set(failure, STATUS_MACHINE, "%s", gmg_status_text(status));
  if (parallel_rank() == 0) {
    print_build();
    print_isas(context);
    print_machine();
    printf("threads            %d on each of %d rank%s\n", gmg_context_threads(context),
           parallel_ranks(), parallel_ranks() == 1 ? "" : "s");
    print_device(context);
  }
  print_wisdom(context);
  gmg_context_destroy(&context);
  return 0;
}
