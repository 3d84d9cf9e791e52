#include "compiled.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/parallel.h"
#include "config.h"
#include "program_table.h"
#include "tools.h"

/* What compiles a program: as cmake/gmgOperators.cmake compiles kernels. Contraction is off: the
 * order of operations is part of the meaning. */
static const char *const flags[] = {"-O3",
                                    "-std=gnu11",
                                    "-w",
                                    "-fPIC",
                                    "-shared",
                                    "-fopenmp",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-fvisibility=hidden",
                                    "-DGMG_PROGRAM_ENTRY"};
static const char *const gnu_flags[] = {"-funroll-loops", "--param=max-unroll-times=2",
                                        "-fno-tree-pre"};
enum { FLAGS = sizeof flags / sizeof *flags, GNU_FLAGS = sizeof gnu_flags / sizeof *gnu_flags };

struct compiling {
  const char *path, *isa;
  const char *const *generator_options;
  char generator[PATH_MAX], compiler[PATH_MAX], headers[PATH_MAX], folder[PATH_MAX];
  char said[3000]; /* by the last tool */
  char version[3000];
  char *text; /* what gmg-gen wrote */
  char library[PATH_MAX + 120];
};

/* ---- tools ---- */

static int find_tools(struct compiling *c, struct failure *failure)
{
  static const char *const generators[] = {"gmg-gen", NULL},
                           *const compilers[] = {"cc", "gcc", "clang", NULL};
  char here[PATH_MAX], headers[PATH_MAX + sizeof GMG_SHARE + 20] = "";
  if (!tools_find("GMG_GEN", generators, c->generator))
    return failure_set(failure, STATUS_INPUT,
                       "gmg run needs gmg-gen, which an installed gmg has: found none beside this "
                       "program and none on PATH; the variable GMG_GEN may name one");
  if (!tools_find("CC", compilers, c->compiler))
    return failure_set(failure, STATUS_INPUT,
                       "gmg run needs a C compiler: found no cc, gcc or clang on PATH; the "
                       "variable CC may name one");
  if (tools_here(here))
    snprintf(headers, sizeof headers, "%s/%s/operators", here, GMG_SHARE);
  if (!realpath(headers, c->headers))
    return failure_set(failure, STATUS_INPUT,
                       "gmg run needs kernel.h, which an installed gmg has: found no folder %s",
                       headers);
  const char *const words[] = {c->compiler, "--version", NULL};
  if (tools_run(words, c->version, sizeof c->version) != 0)
    return failure_set(failure, STATUS_INPUT, "%s cannot be run: %.500s", c->compiler, c->version);
  return 0;
}

/* Makes a folder and those above it. */
static int make_folders(char *path)
{
  for (char *at = path + 1; *at; at++)
    if (*at == '/') {
      *at = 0;
      mkdir(path, 0777);
      *at = '/';
    }
  return mkdir(path, 0777) != 0 && errno != EEXIST ? -1 : 0;
}

static int find_folder(struct compiling *c, const char *cache, struct failure *failure)
{
  const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache)
    snprintf(c->folder, sizeof c->folder, "%s", cache);
  else if (folder && *folder)
    snprintf(c->folder, sizeof c->folder, "%s/gmg/programs", folder);
  else if (home && *home)
    snprintf(c->folder, sizeof c->folder, "%s/.cache/gmg/programs", home);
  else
    return failure_set(failure, STATUS_INPUT,
                       "there is no folder for compiled programs, as HOME is not set; --cache may "
                       "name one");
  if (make_folders(c->folder) != 0 || access(c->folder, W_OK | X_OK) != 0)
    return failure_set(failure, STATUS_INPUT,
                       "the cache of compiled programs, %s, cannot be written: %s; --cache may "
                       "name another folder",
                       c->folder, strerror(errno));
  return 0;
}

/* ---- text ---- */

/* Without the line end after it. */
static const char *trimmed(char *said)
{
  size_t length = strlen(said);
  while (length && said[length - 1] == '\n')
    said[--length] = 0;
  return said;
}

/* What gmg-gen makes of the file. */
static int generate(struct compiling *c, struct failure *failure)
{
  char output[PATH_MAX + 60];
  snprintf(output, sizeof output, "%s/making-%ld.c", c->folder, (long)getpid());
  enum { OWN = 6, MOST = 8 };
  const char *words[OWN + MOST + 1] = {c->generator, c->path, "--target", "library", "-o", output};
  for (int n = 0; n < MOST && c->generator_options[n]; n++)
    words[OWN + n] = c->generator_options[n];
  const int status = tools_run(words, c->said, sizeof c->said);
  if (status == 0)
    c->text = tools_read(output);
  unlink(output);
  if (status)
    return failure_set(failure, STATUS_INPUT, "%s", trimmed(c->said));
  return c->text ? 0 : failure_set(failure, STATUS_MACHINE, "%s cannot be read", output);
}

static uint64_t hash(uint64_t sum, const char *text)
{
  for (; text && *text; text++)
    sum = (sum ^ (unsigned char)*text) * 1099511628211u;
  return sum * 31;
}

/* The library's name, by all that it depends on. */
static int name_library(struct compiling *c, struct failure *failure)
{
  static const char *const headers[] = {"kernel.h", "relaxation_table.h", "program_table.h",
                                        "cuda/runtime/cuda_kernel.h"};
  uint64_t key = hash(14695981039346656037u, c->text);
  for (int n = 0; n < 4; n++) {
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/%s", c->headers, headers[n]);
    char *text = tools_read(path);
    if (!text)
      return failure_set(failure, STATUS_INPUT, "%s cannot be read", path);
    key = hash(key, text);
    free(text);
  }
  key = hash(hash(hash(key, c->version), c->compiler), GMG_VERSION);
  for (int n = 0; n < FLAGS; n++)
    key = hash(key, flags[n]);
  snprintf(c->library, sizeof c->library, "%s/%016llx-%.40s.so", c->folder, (unsigned long long)key,
           c->isa);
  return 0;
}

/* ---- compiling ---- */

/* Flags of an instruction set, as its kernels are compiled with. */
static int isa_flags(const char *isa, char text[4][60])
{
  int count = 0;
  if (strcmp(isa, "baseline") != 0)
    snprintf(text[count++], 60, "-march=%.40s", isa);
#if defined(__x86_64__)
  else
    snprintf(text[count++], 60, "-march=x86-64");
#endif
  if (strcmp(isa, "x86-64-v3") == 0)
    snprintf(text[count++], 60, "-mtune=haswell");
  if (strcmp(isa, "x86-64-v4") == 0) {
    snprintf(text[count++], 60, "-mtune=skylake-avx512");
    snprintf(text[count++], 60, "-mprefer-vector-width=512");
  }
  return count;
}

static int write_text(const char *path, const char *text)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return -1;
  const int failed = fputs(text, stream) < 0;
  return fclose(stream) != 0 || failed ? -1 : 0;
}

static int compile(struct compiling *c, struct failure *failure)
{
  char source[PATH_MAX + 60], made[PATH_MAX + 60], include[PATH_MAX + 4], defined[2][100],
    tuned[4][60];
  const char *words[FLAGS + GNU_FLAGS + 16];
  int count = 0;
  snprintf(source, sizeof source, "%s/compiling-%ld.c", c->folder, (long)getpid());
  snprintf(made, sizeof made, "%s/compiling-%ld.so", c->folder, (long)getpid());
  snprintf(include, sizeof include, "-I%s", c->headers);
  snprintf(defined[0], sizeof *defined, "-DGMG_ISA=%.60s", c->isa);
  for (char *at = defined[0] + 2; *at; at++)
    *at = *at == '-' ? '_' : *at;
  snprintf(defined[1], sizeof *defined, "-DGMG_ISA_NAME=\"%.60s\"", c->isa);
  words[count++] = c->compiler;
  for (int n = 0; n < FLAGS; n++)
    words[count++] = flags[n];
  for (int n = 0; n < GNU_FLAGS && !strstr(c->version, "clang"); n++)
    words[count++] = gnu_flags[n];
  const int more = isa_flags(c->isa, tuned);
  for (int n = 0; n < more; n++)
    words[count++] = tuned[n];
  const char *const last[] = {include, defined[0], defined[1], source, "-o", made, "-lm", NULL};
  memcpy(&words[count], last, sizeof last);
  const int status = write_text(source, c->text) ? -1 : tools_run(words, c->said, sizeof c->said);
  if (status == 0 && rename(made, c->library) == 0) {
    unlink(source);
    return 0;
  }
  failure_set(failure, status > 0 ? STATUS_INPUT : STATUS_MACHINE, "%s could not be compiled: %s",
              c->path, status ? trimmed(c->said) : strerror(errno));
  unlink(source);
  unlink(made);
  return failure->status;
}

/* ---- loading ---- */

static int load(const struct compiling *c, struct compiled *compiled, struct failure *failure)
{
  compiled->library = dlopen(c->library, RTLD_NOW | RTLD_LOCAL);
  if (!compiled->library)
    return failure_set(failure, STATUS_MACHINE, "%s cannot be loaded: %s", c->library, dlerror());
  compiled->made =
    (const struct gmg_program_descriptor *const *)dlsym(compiled->library, "gmg_program_entry");
  if (!compiled->made)
    return failure_set(failure, STATUS_MACHINE, "%s has no program in it: remove the file",
                       c->library);
  snprintf(compiled->path, sizeof compiled->path, "%s", c->library);
  snprintf(compiled->compiler, sizeof compiled->compiler, "%.*s", (int)strcspn(c->version, "\n"),
           c->version);
  return 0;
}

/* Rank 0's text, to all. */
static int share_text(struct compiling *c, struct failure *failure)
{
  size_t length = c->text ? strlen(c->text) + 1 : 0;
  parallel_broadcast(&length, sizeof length);
  if (parallel_rank() && !(c->text = malloc(length)))
    failure_memory(failure, (double)length, "the text of the program");
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(c->text, length);
  return 0;
}

static int load_steps(struct compiling *c, const char *cache, struct compiled *compiled,
                      struct failure *failure)
{
  if (access(c->path, R_OK) != 0)
    failure_set(failure, STATUS_INPUT, "%s cannot be read: %s", c->path, strerror(errno));
  if (parallel_agree(failure) || find_tools(c, failure) || find_folder(c, cache, failure))
    return parallel_agree(failure);
  if (parallel_agree(failure))
    return failure->status;
  if (parallel_rank() == 0)
    generate(c, failure);
  if (parallel_agree(failure) || share_text(c, failure))
    return failure->status;
  name_library(c, failure);
  /* The others find what rank 0 has compiled, where they see its folder and have its set. */
  for (int turn = 0; turn < 2; turn++) {
    if (!failure->status && (parallel_rank() != 0) == turn) {
      compiled->cached = access(c->library, R_OK) == 0;
      if (!compiled->cached)
        compile(c, failure);
    }
    if (parallel_agree(failure))
      return failure->status;
  }
  load(c, compiled, failure);
  return parallel_agree(failure);
}

int compiled_load(const char *path, const char *const *generator_options, const char *isa,
                  const char *cache, struct compiled *compiled, struct failure *failure)
{
  struct compiling *compiling = calloc(1, sizeof *compiling);
  memset(compiled, 0, sizeof *compiled);
  if (!compiling)
    failure_memory(failure, sizeof *compiling, "compiling");
  if (parallel_agree(failure)) {
    free(compiling);
    return failure->status;
  }
  compiling->path = path;
  compiling->generator_options = generator_options;
  compiling->isa = isa;
  load_steps(compiling, cache, compiled, failure);
  free(compiling->text);
  free(compiling);
  return failure->status;
}

void compiled_unload(struct compiled *compiled)
{
  if (compiled->library)
    dlclose(compiled->library);
  memset(compiled, 0, sizeof *compiled);
}
