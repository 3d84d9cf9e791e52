/* gmg-gen: the stencil compiler's command line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/compile.h"
#include "job/output.h"
#include "directives/directives.h"
#include "job/program_command.h"
#include "job/usage.h"
#include "explain/explain.h"
#include "explain/explain_operator.h"

#ifndef GMG_VERSION
#define GMG_VERSION "unversioned"
#endif
#ifndef GMG_VOCABULARY_DIR
#define GMG_VOCABULARY_DIR "."
#endif
#ifndef GMG_VOCABULARY_INSTALLED
#define GMG_VOCABULARY_INSTALLED "."
#endif

enum { MAX_INCLUDES = 16 };
enum exit_code { EXIT_GOOD = 0, EXIT_REJECTED = 1, EXIT_USAGE = 2, EXIT_MACHINE = 3 };

struct options {
  const char *file[GEN_MAX_FILES];
  int files;
  const char *include[MAX_INCLUDES + 1], *compose;
  int includes;
  const char *restriction, *output, *target, *dump, *single, *library, *isas, *from, *level,
    *spacing, *galerkin, *backends;
  bool explain, plain, standalone;
  double cells[3]; /* what spacing says */
};

static int wrong(const char *format, const char *what)
{
  fputs("gmg-gen: ", stderr);
  fprintf(stderr, format, what);
  fputs("\n", stderr);
  return EXIT_USAGE;
}

static int parse_option(struct options *options, int argc, char **argv, int *at)
{
  const struct {
    const char *name, **value;
  } with_value[] = {{"--target", &options->target},    {"-o", &options->output},
                    {"--isas", &options->isas},        {"--restriction", &options->restriction},
                    {"--dump", &options->dump},        {"--single", &options->single},
                    {"--library", &options->library},  {"-I", &options->include[options->includes]},
                    {"--from", &options->from},        {"--opt", &options->level},
                    {"--compose", &options->compose},  {"--spacing", &options->spacing},
                    {"--galerkin", &options->galerkin}};
  const char *name = argv[*at];
  bool *flag = strcmp(name, "--explain") == 0 ? &options->explain
    : strcmp(name, "--plain-arithmetic") == 0 ? &options->plain
    : strcmp(name, "--standalone") == 0       ? &options->standalone
                                              : NULL;
  size_t n = 0;
  if (flag) {
    *flag = true;
    return EXIT_GOOD;
  }
  if (gen_backends_of(name)) {
    options->backends = gen_backends_of(name);
    return EXIT_GOOD;
  }
  while (n < sizeof with_value / sizeof *with_value && strcmp(name, with_value[n].name) != 0)
    n++;
  if (n == sizeof with_value / sizeof *with_value)
    return wrong("unknown option '%s'; --help lists them", name);
  if (*at + 1 >= argc)
    return wrong("option '%s' needs a value", name);
  const char *value = argv[++*at];
  if (strcmp(name, "-I") == 0 && options->includes++ == MAX_INCLUDES)
    return wrong("too many folders: -I %s", value);
  *with_value[n].value = value;
  return EXIT_GOOD;
}

static bool read_spacing(const char *text, double spacing[3])
{
  int end = 0;
  if (sscanf(text, "%lf,%lf,%lf%n", &spacing[0], &spacing[1], &spacing[2], &end) != 3 || text[end])
    return false;
  const double most = 1000, least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
  return isnormal(spacing[0]) && isnormal(spacing[1]) && isnormal(spacing[2]) && least > 0
    && fmax(spacing[0], fmax(spacing[1], spacing[2])) <= most * least;
}

static bool for_cuda(const struct options *options)
{
  return options->target && strcmp(options->target, "cuda") == 0;
}

static bool ends_in(const char *path, const char *ending)
{
  const size_t length = strlen(path), end = strlen(ending);
  return length >= end && strcmp(path + length - end, ending) == 0;
}

static bool is_program(const struct options *options)
{
  return options->from || ends_in(options->file[0], ".stencil");
}

static bool is_identifier(const char *name)
{
  const char *const letters = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const char *rest = name + strspn(name, letters);
  while (rest > name && *rest && strchr("0123456789", *rest))
    rest += 1 + strspn(rest + 1, letters);
  return rest > name && !*rest;
}

static int check_galerkin(const struct options *options)
{
  if (strcmp(options->galerkin, "constant") != 0 && strcmp(options->galerkin, "linear") != 0)
    return wrong("--galerkin takes constant or linear, not '%s'", options->galerkin);
  if (options->target || options->explain || options->dump || options->isas)
    return wrong("%s",
                 "--galerkin writes C for this compiler: without --target, --explain, --dump, "
                 "--isas");
  if (options->files != 1 || (options->output && !ends_in(options->output, ".c")))
    return wrong("%s", "--galerkin takes one file, and -o one that ends in .c");
  return EXIT_GOOD;
}

static int parse(struct options *options, int argc, char **argv)
{
  for (int n = 1; n < argc; n++) {
    if (argv[n][0] == '-') {
      const int code = parse_option(options, argc, argv, &n);
      if (code)
        return code;
    } else if (options->files < GEN_MAX_FILES) {
      options->file[options->files++] = argv[n];
    } else {
      return wrong("too many input files: %s", argv[n]);
    }
  }
  if (!options->files)
    return wrong("%s", "no input file; --help shows the usage");
  if (is_program(options))
    return EXIT_GOOD;
  if (options->target && strcmp(options->target, "openmp") != 0 && !for_cuda(options))
    return wrong("target '%s' is unknown; known: openmp, cuda", options->target);
  if (options->dump && strcmp(options->dump, "tree") != 0 && strcmp(options->dump, "derived") != 0
      && strcmp(options->dump, "schedule") != 0 && strcmp(options->dump, "emitted") != 0)
    return wrong("--dump takes tree, derived, schedule or emitted, not '%s'", options->dump);
  if (options->standalone || options->level)
    return wrong("%s",
                 "--standalone and --opt are for directives: give --from mint or --from "
                 "panda");
  if (options->plain || options->compose)
    return wrong("%s", "--plain-arithmetic and --compose are for formula files and directives");
  if (options->spacing && !options->explain)
    return wrong("%s", "--spacing is for --explain");
  if (!read_spacing(options->spacing ? options->spacing : "1,1,1", options->cells))
    return wrong("--spacing takes three widths > 0, X,Y,Z, within a factor 1000, not '%s'",
                 options->spacing);
  if (options->library && !is_identifier(options->library))
    return wrong("--library takes a name as C has them, not '%s'", options->library);
  if (options->galerkin)
    return check_galerkin(options);
  if (!options->output && !options->explain && !options->dump && !for_cuda(options))
    return wrong("%s", "nothing to do: give -o PATH, --explain or --dump STAGE");
  return EXIT_GOOD;
}

static void dump_kernel(const struct gen_kernel *kernel, const char *stage)
{
  if (strcmp(stage, "schedule") == 0)
    fputs(gen_schedule_text(gen_schedule(kernel, GEN_PLAIN, GEN_DOUBLE)), stdout);
  else
    fputs(gen_kernel_text(kernel), stdout);
}

static void dump(const struct gen_job *job, const char *stage, bool cuda)
{
  for (int f = 0; f < job->files; f++) {
    const struct gen_file *file = &job->file[f];
    cuda = cuda && strcmp(stage, "schedule") == 0;
    if (cuda || strcmp(stage, "emitted") == 0) {
      struct gen_writer writer = {0};
      (cuda ? gen_dump_cuda_schedules : gen_emit_file)(job, file, &writer);
      fputs(writer.text, stdout);
      gen_writer_clear(&writer);
      continue;
    }
    for (int n = 0; n < file->kernels; n++) {
      const struct gen_operator *op = file->operator_[n];
      if (strcmp(stage, "tree") == 0 || !op)
        dump_kernel(file->kernel[n], stage);
      for (int d = 0; op && strcmp(stage, "tree") != 0 && d < op->count; d++) {
        if (*op->derived[d].variant)
          printf("variant %s of\n", op->derived[d].variant);
        dump_kernel(op->derived[d].kernel, stage);
      }
    }
  }
}

static void explain(const struct gen_job *job, const double spacing[3])
{
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++) {
      const struct gen_file *file = &job->file[f];
      fputs(gen_explain(file->kernel[n], &file->proof[n]), stdout);
      if (file->operator_[n])
        fputs(gen_explain_operator(file->operator_[n], &file->colouring[n], spacing), stdout);
      puts("");
    }
}

static int emit(const struct gen_job *job, const struct options *options)
{
  const bool cuda = for_cuda(options);
  if (options->output && !ends_in(options->output, cuda ? ".cu" : ".c"))
    return gen_write_folder(job, options->output, options->isas, cuda);
  if (options->files != 1)
    return wrong(options->output ? "'%s' is one file, but there are several inputs; give a folder"
                                 : "there are several inputs; give a folder%s",
                 options->output ? options->output : "");
  return gen_write_text(job, options->output, cuda);
}

/* Where stencil.h is: beside this program where it is installed, else in the source tree it was
 * built from. */
static const char *vocabulary_folder(void)
{
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    program[length] = 0;
    char *slash = strrchr(program, '/');
    *(slash ? slash : program) = 0;
    const char *folder = gen_text("%s/%s", program, GMG_VOCABULARY_INSTALLED);
    if (access(gen_text("%s/stencil.h", folder), R_OK) == 0)
      return folder;
  }
  return GMG_VOCABULARY_DIR;
}

static int run(const struct options *options)
{
  struct gen_job *job = gen_allocate(sizeof *job);
  const char *arguments[MAX_INCLUDES + 1];
  job->single = options->single ? options->single : "";
  job->library = options->library ? options->library : "gmg_kernel_libraries";
  for (int n = 0; n < options->includes; n++)
    arguments[job->argument_count++] = gen_text("-I%s", options->include[n]);
  arguments[job->argument_count++] = gen_text("-I%s", vocabulary_folder());
  job->arguments = arguments;
  for (int n = 0; n < options->files; n++)
    job->file[job->files++].path = options->file[n];
  if (options->restriction && job->files < GEN_MAX_FILES)
    job->file[job->files++].path = options->restriction;
  const bool good = gen_compile(job);
  fputs(gen_diagnostics(), stderr);
  if (!good)
    return EXIT_REJECTED;
  if (options->restriction)
    job->files--; /* read for its kernel; not an input */
  if (options->galerkin)
    return gen_write_galerkin(job, options->output, strcmp(options->galerkin, "constant") == 0);
  if (options->explain)
    explain(job, options->cells);
  if (options->dump)
    dump(job, options->dump, for_cuda(options));
  return options->output || (for_cuda(options) && !options->explain && !options->dump)
    ? emit(job, options)
    : EXIT_GOOD;
}

/* What makes no sense of a formula file is refused. */
static int check_program_options(const struct options *options)
{
  const char *target = options->target ? options->target : "openmp";
  const char *ending = for_cuda(options) ? ".cu" : ".c";
  if (options->files != 1)
    return wrong("%s", "a formula file is compiled by itself");
  if (options->from && !gen_directives_known(options->from))
    return wrong("directives '%s' are unknown; known: mint, panda", options->from);
  if (options->spacing || options->galerkin)
    return wrong("%s", "--spacing and --galerkin are for operators, not for formula files");
  if (options->isas || options->library || options->restriction || options->single)
    return wrong("%s", "--isas, --library, --restriction and --single are not for formula files");
  if (strcmp(target, "serial") != 0 && strcmp(target, "openmp") != 0
      && strcmp(target, "library") != 0 && !for_cuda(options))
    return wrong("target '%s' is unknown for formula files; known: openmp, serial, library, cuda",
                 target);
  if (options->dump && strcmp(options->dump, "tree") != 0 && strcmp(options->dump, "program") != 0)
    return wrong("of formula files --dump takes tree or program, not '%s'", options->dump);
  const char *fault = gen_standalone_fault(options->standalone, options->file[0], options->from,
                                           options->target, options->output, options->level);
  if (!fault && options->backends)
    fault = gen_backends_fault(options->file[0], options->from, options->target, options->output,
                               options->standalone);
  if (fault)
    return wrong("%s", fault);
  if (options->output && !ends_in(options->output, ending)
      && !(options->standalone && ends_in(options->output, ".cu")))
    return wrong(gen_text("of a formula file -o takes a file that ends in %s, not '%%s'", ending),
                 options->output);
  if (!options->output && !options->explain && !options->dump && !for_cuda(options))
    return wrong("%s", "nothing to do: give -o PATH, --explain or --dump STAGE");
  return EXIT_GOOD;
}

static int run_program(const struct options *options)
{
  const char *arguments[MAX_INCLUDES];
  struct gen_program_request request = {.target = options->target ? options->target : "openmp",
                                        .dump = options->dump,
                                        .output = options->output,
                                        .explain = options->explain,
                                        .standalone = options->standalone,
                                        .backends = options->backends,
                                        .level = options->level ? *options->level - '0' : 3};
  const int code = check_program_options(options);
  if (code)
    return code;
  struct gen_program_job *job = gen_allocate(sizeof *job);
  *job = (struct gen_program_job){.path = options->file[0],
                                  .from = options->from,
                                  .plain = options->plain || options->backends,
                                  .arguments = arguments};
  for (int n = 0; n < options->includes; n++)
    arguments[job->argument_count++] = gen_text("-I%s", options->include[n]);
  const char *reason = gen_read_compose(options->compose, &request, &job->compose);
  return reason ? wrong("%s", reason) : gen_run_program_request(job, &request);
}

int main(int argc, char **argv)
{
  for (int n = 1; n < argc; n++) {
    if (strcmp(argv[n], "--help") == 0) {
      gen_usage(stdout);
      return EXIT_GOOD;
    }
    if (strcmp(argv[n], "--version") == 0) {
      puts("gmg-gen " GMG_VERSION);
      return EXIT_GOOD;
    }
  }
  struct options options = {0};
  const int code = parse(&options, argc, argv);
  if (code)
    return code;
  const int result = is_program(&options) ? run_program(&options) : run(&options);
  gen_clear();
  return result;
}
