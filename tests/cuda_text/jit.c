#include "jit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of nvrtc.h that is used. */
typedef struct jit_program *program;
static struct {
  int (*create)(program *, const char *, const char *, int, const char *const *,
                const char *const *);
  int (*compile)(program, int, const char *const *);
  int (*log_size)(program, size_t *);
  int (*log)(program, char *);
  int (*cubin_size)(program, size_t *);
  int (*cubin)(program, char *);
  int (*destroy)(program *);
  const char *(*error)(int);
} nvrtc;

static void *open_library(char *why, size_t size)
{
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                      "/usr/local/cuda/lib64/libnvrtc.so"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    void *library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
    if (library)
      return library;
  }
  snprintf(why, size, "%s", dlerror());
  return NULL;
}

int jit_open(char *why, size_t size)
{
  void *library = open_library(why, size);
  if (!library)
    return 0;
  const struct {
    const char *name;
    void *to;
  } wanted[] = {
    {"nvrtcCreateProgram", &nvrtc.create},       {"nvrtcCompileProgram", &nvrtc.compile},
    {"nvrtcGetProgramLogSize", &nvrtc.log_size}, {"nvrtcGetProgramLog", &nvrtc.log},
    {"nvrtcGetCUBINSize", &nvrtc.cubin_size},    {"nvrtcGetCUBIN", &nvrtc.cubin},
    {"nvrtcDestroyProgram", &nvrtc.destroy},     {"nvrtcGetErrorString", &nvrtc.error},
  };
  for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
    void *symbol = dlsym(library, wanted[n].name);
    if (!symbol) {
      snprintf(why, size, "%s", dlerror());
      return 0;
    }
    memcpy(wanted[n].to, &symbol, sizeof symbol);
  }
  return 1;
}

static char *give(size_t bytes)
{
  char *memory = calloc(bytes + 1, 1);
  if (!memory)
    abort();
  return memory;
}

void jit_compile(const char *text, const char *architecture, struct jit_result *result)
{
  char target[64];
  program compiled = NULL;
  size_t length = 0;
  memset(result, 0, sizeof *result);
  snprintf(target, sizeof target, "--gpu-architecture=%s", architecture);
  const char *const options[] = {
    target,        "--fmad=false",      "--prec-div=true", "--prec-sqrt=true",
    "--ftz=false", "--ptxas-options=-v"};
  int status = nvrtc.create(&compiled, text, "kernels.cu", 0, NULL, NULL);
  if (!status)
    status = nvrtc.compile(compiled, sizeof options / sizeof *options, options);
  if (compiled && !nvrtc.log_size(compiled, &length)) {
    result->log = give(length);
    nvrtc.log(compiled, result->log);
  } else {
    result->log = give(strlen(nvrtc.error(status)));
    strcpy(result->log, nvrtc.error(status));
  }
  if (!status && !nvrtc.cubin_size(compiled, &result->bytes)) {
    result->cubin = give(result->bytes);
    nvrtc.cubin(compiled, result->cubin);
  }
  if (compiled)
    nvrtc.destroy(&compiled);
}

void jit_clear(struct jit_result *result)
{
  free(result->cubin);
  free(result->log);
  memset(result, 0, sizeof *result);
}

/* The number in front of `what` in a line. */
static int number_before(const char *line, const char *end, const char *what)
{
  const char *at = strstr(line, what);
  if (!at || at > end)
    return 0;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return atoi(at);
}

int jit_usage(const char *log, const char *kernel, struct jit_usage *usage)
{
  char entry[300];
  snprintf(entry, sizeof entry, "'%s'", kernel);
  const char *at = strstr(log, entry);
  memset(usage, 0, sizeof *usage);
  if (!at)
    return 0;
  const char *next = strstr(at, "Compiling entry"), *end = next ? next : at + strlen(at);
  usage->registers = number_before(at, end, " registers");
  usage->shared = number_before(at, end, " bytes smem");
  usage->spilled =
    number_before(at, end, " bytes spill stores") + number_before(at, end, " bytes spill loads");
  return usage->registers > 0;
}
