#include "cubin.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Contraction off, division and roots as IEEE has them, subnormal numbers kept: the bits are the
 * CPU's. */
static const char *const options[] = {"--fmad=false", "--prec-div=true", "--prec-sqrt=true",
                                      "--ftz=false", "--std=c++17"};
enum { OPTIONS = sizeof options / sizeof *options };
static const char magic[8] = "gmgcubin";

struct hash {
  uint64_t half[2];
};

/* FNV-1a, twice with different starts. */
static void add(struct hash *hash, const void *bytes, size_t count)
{
  const unsigned char *byte = bytes;
  for (size_t n = 0; n < count; n++)
    for (int h = 0; h < 2; h++)
      hash->half[h] = (hash->half[h] ^ byte[n]) * 0x100000001B3u;
}

static struct hash begin_hash(void)
{
  return (struct hash){{0xCBF29CE484222325u, 0x9E3779B97F4A7C15u}};
}

static struct hash key_of(const struct gmg_cubin_way *way, const char *text)
{
  struct hash hash = begin_hash();
  add(&hash, way->version, sizeof way->version);
  add(&hash, way->architecture, strlen(way->architecture) + 1);
  for (int n = 0; n < OPTIONS; n++)
    add(&hash, options[n], strlen(options[n]) + 1);
  add(&hash, text, strlen(text));
  return hash;
}

/* A folder and those above it. */
static int make_folder(const char *path)
{
  char part[400];
  snprintf(part, sizeof part, "%s", path);
  for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return -1;
    *slash = '/';
  }
  return mkdir(part, 0777) != 0 && errno != EEXIST ? -1 : 0;
}

static void find_folder(char *folder, size_t size)
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  folder[0] = 0;
  if (cache && *cache)
    snprintf(folder, size, "%s/gmg", cache);
  else if (home && *home)
    snprintf(folder, size, "%s/.cache/gmg", home);
  if (folder[0] && make_folder(folder) != 0)
    folder[0] = 0; /* then it is compiled anew every time */
}

int gmg_cubin_find(struct gmg_cubin_way *way, int capability, char *reason, size_t size)
{
  *way = (struct gmg_cubin_way){.compiler = gmg_compiler_open(reason, size)};
  if (!way->compiler)
    return -1;
  if (way->compiler->nvrtcVersion(&way->version[0], &way->version[1]) != NVRTC_SUCCESS) {
    snprintf(reason, size, "the CUDA run-time compiler does not say which version it is");
    return -1;
  }
  snprintf(way->architecture, sizeof way->architecture, "sm_%d", capability);
  find_folder(way->folder, sizeof way->folder);
  return 0;
}

static void path_of(const struct gmg_cubin_way *way, const char *text, char *path, size_t size)
{
  const struct hash key = key_of(way, text);
  snprintf(path, size, "%s/%016llx%016llx.cubin", way->folder, (unsigned long long)key.half[0],
           (unsigned long long)key.half[1]);
}

/* A file of the cache: the magic, the code's length and hash, the code. */
struct head {
  char magic[8];
  uint64_t bytes;
  struct hash hash;
};

static int read_cached(const char *path, struct gmg_cubin *cubin)
{
  struct head head;
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return -1;
  struct hash hash = begin_hash();
  struct stat status;
  int good = fread(&head, sizeof head, 1, stream) == 1
    && memcmp(head.magic, magic, sizeof magic) == 0 && fstat(fileno(stream), &status) == 0
    && (uint64_t)status.st_size == head.bytes + sizeof head;
  cubin->code = good ? malloc(head.bytes + 1) : NULL;
  if (cubin->code) {
    good = fread(cubin->code, 1, head.bytes, stream) == head.bytes;
    add(&hash, cubin->code, good ? head.bytes : 0);
    good = good && memcmp(&hash, &head.hash, sizeof hash) == 0;
    cubin->bytes = head.bytes;
  }
  fclose(stream);
  if (good && cubin->code)
    return 0;
  free(cubin->code); /* it was damaged, or cut short: it is made anew */
  cubin->code = NULL;
  return -1;
}

/* Under a name of its own, then renamed, so that nobody sees half a file. A cache that cannot be
 * written is none. */
static void write_cached(const char *path, const struct gmg_cubin *cubin)
{
  char temporary[520];
  struct head head = {.bytes = cubin->bytes, .hash = begin_hash()};
  memcpy(head.magic, magic, sizeof magic);
  add(&head.hash, cubin->code, cubin->bytes);
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  const int file = mkstemp(temporary);
  FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
  if (!stream) {
    if (file >= 0)
      close(file);
    return;
  }
  int good = fwrite(&head, sizeof head, 1, stream) == 1
    && fwrite(cubin->code, 1, cubin->bytes, stream) == cubin->bytes;
  good = fclose(stream) == 0 && good;
  if (!good || rename(temporary, path) != 0)
    unlink(temporary);
}

static void take_log(const struct gmg_compiler *c, nvrtcProgram program, struct gmg_cubin *cubin)
{
  size_t bytes = 0;
  if (c->nvrtcGetProgramLogSize(program, &bytes) != NVRTC_SUCCESS || bytes < 2)
    return;
  cubin->log = calloc(bytes + 1, 1);
  if (cubin->log)
    c->nvrtcGetProgramLog(program, cubin->log);
}

static void compile(const struct gmg_cubin_way *way, struct gmg_cubin *cubin)
{
  const struct gmg_compiler *c = way->compiler;
  char path[500], architecture[60];
  const char *all[OPTIONS + 1];
  nvrtcProgram program = NULL;
  path_of(way, cubin->text, path, sizeof path);
  cubin->from_cache = way->cached && way->folder[0] && read_cached(path, cubin) == 0;
  if (cubin->from_cache)
    return;
  memcpy(all, options, sizeof options);
  snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", way->architecture);
  all[OPTIONS] = architecture;
  nvrtcResult result = c->nvrtcCreateProgram(&program, cubin->text, "gmg.cu", 0, NULL, NULL);
  if (result == NVRTC_SUCCESS) {
    result = c->nvrtcCompileProgram(program, OPTIONS + 1, all);
    take_log(c, program, cubin);
  }
  if (result == NVRTC_SUCCESS)
    result = c->nvrtcGetCUBINSize(program, &cubin->bytes);
  if (result == NVRTC_SUCCESS && cubin->bytes > 0
      && (cubin->code = malloc(cubin->bytes + 1)) != NULL)
    result = c->nvrtcGetCUBIN(program, cubin->code);
  if (result != NVRTC_SUCCESS) {
    free(cubin->code);
    cubin->code = NULL;
    if (!cubin->log)
      cubin->log = strdup(c->nvrtcGetErrorString(result));
  }
  if (program)
    c->nvrtcDestroyProgram(&program);
  if (cubin->code && way->cached && way->folder[0])
    write_cached(path, cubin);
}

int gmg_cubin_compile(const struct gmg_cubin_way *way, struct gmg_cubin *cubin, int count,
                      int threads)
{
  int failed = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) \
  reduction(+ : failed) if (threads > 1 && count > 1)
  for (int n = 0; n < count; n++) {
    compile(way, &cubin[n]);
    failed += !cubin[n].code;
  }
  return failed;
}

void gmg_cubin_clear(struct gmg_cubin *cubin)
{
  free(cubin->code);
  free(cubin->log);
  cubin->code = NULL;
  cubin->log = NULL;
}
