/* A CUDA run-time compiler that makes code for the CPU, for tests: the shared library libnvrtc.so.
 * A text becomes a shared object, by the C++ compiler, with a launcher for every __global__
 * function. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = "__grid_constant__";

/* What stands before a text. */
static const char begin_text[] =
  "#include \"" GMG_STAND_IN_HEADER "\"\n"
  "static void launch(const unsigned *grid, const unsigned *block, int cooperative,\n"
  "                   void (*call)(const void *), const void *args)\n"
  "{\n"
  "  fiber_launch way = {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]},\n"
  "                      FIBERS_FORWARD, FIBERS_BACKWARD, cooperative, -1, 0};\n"
  "  if (!cpu::run(&way, call, args)) {\n"
  "    fputs(\"stand-in: threads wait for each other at different places\\n\", stderr);\n"
  "    abort();\n"
  "  }\n"
  "}\n";

struct _nvrtcProgram {
  char *text, *log;
  void *code;
  size_t bytes;
};

nvrtcResult nvrtcVersion(int *major, int *minor)
{
  *major = 0; /* no cache mixes its code with that of a real one */
  *minor = 1;
  return NVRTC_SUCCESS;
}
const char *nvrtcGetErrorString(nvrtcResult result)
{
  return result == NVRTC_SUCCESS ? "no error" : "the C++ compiler failed";
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name,
                               int headers, const char *const *sources, const char *const *names)
{
  (void)name;
  (void)headers;
  (void)sources;
  (void)names;
  *program = calloc(1, sizeof **program);
  (*program)->text = strdup(text);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
  free((*program)->text);
  free((*program)->log);
  free((*program)->code);
  free(*program);
  *program = NULL;
  return NVRTC_SUCCESS;
}

static int is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Finds the type after a mark. Returns what follows the argument's name. */
static const char *find_type(const char *at, const char **type, int *length)
{
  const char *close = *type = at + strlen(mark);
  while (*close != ')' && *close != ',')
    close++;
  const char *const end = close;
  while (close > *type && is_word(close[-1])) /* the argument's name */
    close--;
  *length = (int)(close - *type);
  return end;
}

/* Its name stands before the parenthesis before `at`, its arguments' types after the marks from
 * there on: one, or two. Returns what follows. */
static const char *write_launcher(FILE *stream, const char *text, const char *at)
{
  const char *end = at, *type, *other = NULL;
  int length, other_length = 0;
  while (end > text && *end != '(')
    end--;
  while (end > text && !is_word(end[-1]))
    end--;
  const char *begin = end;
  while (begin > text && is_word(begin[-1]))
    begin--;
  const char *next = find_type(at, &type, &length);
  if (*next == ',')
    next = find_type(strstr(next, mark), &other, &other_length);
  const int name = (int)(end - begin);
  fprintf(stream, "extern \"C\" const size_t %.*s_bytes[] = {sizeof(%.*s), ", name, begin, length,
          type);
  fprintf(stream, other ? "sizeof(%.*s)};\n" : "0};\n", other_length, other);
  fprintf(stream,
          "extern \"C\" void %.*s_on_cpu(const unsigned *grid, const unsigned *shape, int "
          "cooperative, void **params)\n"
          "{\n  launch(grid, shape, cooperative, [](const void *args) { %.*s(*(const %.*s *)args",
          name, begin, name, begin, length, type);
  if (other)
    fprintf(stream, ", *(const %.*s *)((const char *)args + (sizeof(%.*s) + 63) / 64 * 64)",
            other_length, other, length, type);
  fprintf(stream, "); }, params[0]);\n}\n");
  return next;
}

static nvrtcResult read_all(const char *path, void **bytes, size_t *count)
{
  FILE *stream = fopen(path, "rb");
  *bytes = NULL;
  if (!stream)
    return NVRTC_ERROR_COMPILATION;
  fseek(stream, 0, SEEK_END);
  *count = (size_t)ftell(stream);
  rewind(stream);
  *bytes = calloc(*count + 1, 1);
  const size_t got = fread(*bytes, 1, *count, stream);
  fclose(stream);
  return got == *count ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

/* For tests: texts in which what GMG_STAND_IN_REFUSES says stands do not compile. */
static int is_refused(const char *text)
{
  const char *refused = getenv("GMG_STAND_IN_REFUSES");
  return refused && strstr(text, refused);
}

/* For tests: with GMG_STAND_IN_LEAVES_OUT, kernels whose text begins with a shape of its own visit
 * the first of all planes of a thread block alone. */
static void leave_out(char *text)
{
  static const char define[] = "#define PLANES ";
  char *at = getenv("GMG_STAND_IN_LEAVES_OUT") ? strstr(text, "#define BLOCK_I ") : NULL;
  const char *end = at ? strstr(at, "#ifndef BLOCK_I") : NULL;
  at = at ? strstr(at, define) : NULL;
  if (!at || !end || at > end)
    return;
  at += strlen(define);
  *at++ = '1';
  while (*at >= '0' && *at <= '9')
    *at++ = ' ';
}

/* For tests: with GMG_STAND_IN_TAIL_WITHOUT=N the coarse tail lacks the N-th barrier of those
 * around an operation on one of many boxes. */
static void leave_out_barrier(char *text)
{
  static const char barrier[] = "__syncthreads()";
  const char *which = getenv("GMG_STAND_IN_TAIL_WITHOUT");
  char *at = which ? strstr(text, " gmg_tail_boxes(") : NULL;
  for (int n = which ? atoi(which) : 0; at && n > 0; n--)
    at = strstr(at + 1, barrier);
  if (at)
    memset(at, ' ', strlen(barrier));
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char *const *option)
{
  char folder[60], source[80], object[80], log[80], command[900];
  int contraction = 1;
  for (int n = 0; n < options; n++)
    contraction = contraction && strcmp(option[n], "--fmad=false") != 0;
  snprintf(folder, sizeof folder, "%s/gmg-stand-in-XXXXXX", P_tmpdir);
  leave_out(program->text);
  leave_out_barrier(program->text);
  if (is_refused(program->text) || !mkdtemp(folder))
    return NVRTC_ERROR_COMPILATION;
  snprintf(source, sizeof source, "%s/text.cpp", folder);
  snprintf(object, sizeof object, "%s/text.so", folder);
  snprintf(log, sizeof log, "%s/log", folder);
  FILE *stream = fopen(source, "w");
  if (!stream)
    return NVRTC_ERROR_COMPILATION;
  fprintf(stream, "%s%s\n", begin_text, program->text);
  for (const char *at = program->text; (at = strstr(at, mark));)
    at = write_launcher(stream, program->text, at);
  fclose(stream);
  snprintf(command, sizeof command,
           GMG_STAND_IN_COMPILER " -ffp-contract=%s -shared -s -o %s %s " GMG_STAND_IN_OBJECT
                                 " -lpthread > %s 2>&1",
           contraction ? "fast" : "off", object, source, log);
  nvrtcResult result = system(command) == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
  if (result == NVRTC_SUCCESS)
    result = read_all(object, &program->code, &program->bytes);
  size_t unused;
  read_all(log, (void **)&program->log, &unused);
  unlink(source);
  unlink(object);
  unlink(log);
  rmdir(folder);
  return result;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
  *bytes = program->bytes;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
  memcpy(code, program->code, program->bytes);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
  *bytes = program->log ? strlen(program->log) + 1 : 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
  strcpy(log, program->log ? program->log : "");
  return NVRTC_SUCCESS;
}
