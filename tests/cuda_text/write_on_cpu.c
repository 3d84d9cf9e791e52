/* Writes generated CUDA texts as C++ for the CPU (cuda_on_cpu.h), every PARTSth kernel from PART
 * on, with tables of their functions. write_on_cpu PART PARTS FILE.cpp */
#include <stdio.h>
#include <stdlib.h>

#include "cuda/runtime/cuda_kernel.h"
#include "on_cpu_shape.h"

/* A function that launches a kernel, with its arguments by pointer; `all` is a part of its name. */
static void write_entry(const char *symbol, const char *all, const char *more)
{
  printf("static int enter_%s%s(struct fiber_launch *launch, const void *args)\n{\n"
         "  return cpu::run(launch, [](const void *args) { %s%s(*(const struct gmg_cuda_args "
         "*)args%s); }, args);\n}\n",
         symbol, all, symbol, all, more);
}

/* All cells; sums once more after that, in other quanta and into nothing, since one launch may sum
 * several times. */
static void write_all(const struct gmg_cuda_kernel *kernel)
{
  printf("static void %s_all(const struct gmg_cuda_args args)\n{\n"
         "  const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = "
         "(int)(gridDim.x * blockDim.x);\n"
         "  %s_cells(&args, thread, threads);\n",
         kernel->symbol, kernel->symbol);
  if (kernel->reduces)
    printf("  struct gmg_cuda_args again = args;\n  struct gmg_reduction none = *args.reduction;\n"
           "  again.reduction = &none;\n  none.cut[0] *= 2;\n  none.cut[1] *= 2;\n  "
           "%s_cells(&again, thread, threads);\n",
           kernel->symbol);
  puts("}\n");
  write_entry(kernel->symbol, "_all", "");
}

static void write_form(const struct gmg_cuda_form *form, const char *more)
{
  const struct gmg_cuda_shape shape = on_cpu_shape();
  printf("#define BLOCK_I %d\n#define BLOCK_J %d\n#define ROWS %d\n#define PLANES %d\n#define "
         "UNROLL %d\n",
         shape.block_i, shape.block_j, shape.rows, shape.planes, shape.unroll);
  fputs(form->text, stdout);
  write_entry(form->symbol, "", more);
}

/* A form for one box and for many in a launch, the latter called SYMBOL_many: in namespaces, so
 * that neither finds the other's functions. */
static void write_both(const struct gmg_cuda_form *form)
{
  puts("namespace one\n{");
  write_form(form, "");
  printf("}\nnamespace many\n{\n#define MANY\n#define %s %s_many\n", form->symbol, form->symbol);
  write_form(form, "");
  printf("#undef %s\n}\n", form->symbol);
}

static void write_kernel(const struct gmg_cuda_kernel *kernel)
{
  fputs(kernel->text, stdout);
  write_all(kernel);
  for (int f = 0; f < kernel->forms; f++)
    write_both(&kernel->form[f]);
  if (kernel->staged)
    write_form(kernel->staged, ", gmg_cuda_boxes()");
}

static int in_part(int n, int part, int parts)
{
  return n % parts == part;
}

int main(int argc, char **argv)
{
  if (argc != 4 || !freopen(argv[3], "w", stdout))
    return 2;
  const int part = atoi(argv[1]), parts = atoi(argv[2]);
  puts("#include \"cuda_on_cpu.h\"\n\n#include \"on_cpu_entry.h\"\n");
  fputs(gmg_cuda_prelude, stdout);
  for (int n = 0; gmg_cuda_kernels[n]; n++)
    if (in_part(n, part, parts))
      write_kernel(gmg_cuda_kernels[n]);
  printf("extern \"C\" const struct on_cpu_entry on_cpu_entries_%d[] = {\n", part);
  for (int n = 0; gmg_cuda_kernels[n]; n++) {
    const struct gmg_cuda_kernel *kernel = gmg_cuda_kernels[n];
    if (!in_part(n, part, parts))
      continue;
    printf("  {\"%s_all\", enter_%s_all},\n", kernel->symbol, kernel->symbol);
    for (int f = 0; f < kernel->forms; f++)
      printf("  {\"%s\", one::enter_%s},\n  {\"%s_many\", many::enter_%s},\n",
             kernel->form[f].symbol, kernel->form[f].symbol, kernel->form[f].symbol,
             kernel->form[f].symbol);
    if (kernel->staged)
      printf("  {\"%s\", enter_%s},\n", kernel->staged->symbol, kernel->staged->symbol);
  }
  puts("  {nullptr, nullptr},\n};");
  return 0;
}
