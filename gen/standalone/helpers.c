#include "helpers.h"

#include "directives/precision.h"
#include "nest.h"

#include <string.h>

/* What copies an array: pointers to rows, or one piece. */
static bool has_rows(const struct gen_data *data)
{
  return data->variable->variable.storage.pointers > 1;
}

/* C++ has no restrict, and converts no void *. */
static void write_as_c(const char *text, struct gen_writer *writer)
{
  if (gen_has_word(text, "restrict"))
    gen_line(writer, "#define restrict __restrict__\n\n");
  if (!gen_has_word(text, "malloc") && !gen_has_word(text, "calloc")
      && !gen_has_word(text, "realloc") && !strstr(text, "#include \""))
    return;
  gen_line(writer,
           "/* What malloc returns becomes any pointer, as in C. */\n"
           "struct any_pointer {\n"
           "void *at;\n"
           "template <typename type> operator type *() const\n"
           "{\n"
           "return (type *)at;\n"
           "}\n"
           "};\n"
           "#define malloc(size) (any_pointer{malloc(size)})\n"
           "#define calloc(count, size) (any_pointer{calloc(count, size)})\n"
           "#define realloc(pointer, size) (any_pointer{realloc(pointer, size)})\n"
           "\n");
}

static void write_rows(struct gen_writer *writer, const char *type, int rank)
{
  const bool three = rank == 3;
  gen_line(
    writer,
    "/* An array of pointers to rows, which may be one piece, or not. */\n"
    "static void cuda_copy_%dd(%s %shost, %s *device, int nx, int ny, %scudaMemcpyKind way)\n"
    "{\n"
    "bool whole = true;",
    rank, type, three ? "***" : "**", type, three ? "int nz, " : "");
  for (int pass = 0; pass < 2; pass++) {
    const char *row = three ? "host[z][y]" : "host[y]",
               *at = three ? "((long)z * ny + y) * nx" : "(long)y * nx";
    if (pass)
      gen_line(writer, "if (whole) {\ncuda_copy(%s, device, (size_t)nx * ny%s, way);\nreturn;\n}",
               three ? "host[0][0]" : "host[0]", three ? " * nz" : "");
    if (three)
      gen_line(writer, "for (int z = 0; z < nz; z++) {");
    gen_line(writer, "for (int y = 0; y < ny; y++) {");
    if (pass)
      gen_line(writer, "cuda_copy(%s, device + %s, nx, way);", row, at);
    else
      gen_line(writer, "whole = whole && %s == %s + %s;", row, three ? "host[0][0]" : "host[0]",
               at);
    gen_line(writer, three ? "}\n}" : "}");
  }
  gen_line(writer, "}\n\n");
}

/* How many values lie before an array on the device, so that the first cell of each row does where
 * 128 bytes begin, if rows are as long. */
static int skipped(const struct gen_host *host)
{
  const int line = strcmp(gen_values_name(host->translation), "float") == 0 ? 32 : 16;
  const int margin = host->translation->arrays > 0 ? host->translation->array[0].margin[0] : 0;
  return (line - margin % line) % line;
}

static void write_memory(const struct gen_host *host, struct gen_writer *writer)
{
  const char *type = gen_values_name(host->translation), *skip = gen_plus(skipped(host));
  gen_line(writer,
           "/* Memory of the device for so many values%s. */\n"
           "static %s *cuda_new(size_t count)\n"
           "{\n"
           "%s *device = NULL;\n"
           "cuda_check(cudaMalloc((void **)&device, (count%s) * sizeof *device), \"cudaMalloc\");\n"
           "return device%s;\n"
           "}\n"
           "\n"
           "static void cuda_delete(%s *device)\n"
           "{\n"
           "if (device)\n"
           "cuda_check(cudaFree(device%s), \"cudaFree\");\n"
           "}\n"
           "\n",
           *skip ? "; the first cell lies where 128 bytes begin" : "", type, type, skip, skip, type,
           gen_plus(-skipped(host)));
}

void gen_write_helpers(const struct gen_host *host, struct gen_writer *writer)
{
  const char *type = gen_values_name(host->translation);
  bool rows[4] = {false};
  gen_line(writer, "#include <cuda_runtime.h>\n#include <stdio.h>\n#include <stdlib.h>");
  if (strstr(host->edits->text, "std::swap"))
    gen_line(writer, "#include <utility>");
  gen_raw(writer, "");
  write_as_c(host->edits->text, writer);
  gen_line(writer,
           "static void cuda_check(cudaError_t status, const char *what)\n"
           "{\n"
           "if (status == cudaSuccess)\n"
           "return;\n"
           "fprintf(stderr, \"%%s: %%s\\n\", what, cudaGetErrorString(status));\n"
           "exit(1);\n"
           "}\n"
           "\n");
  write_memory(host, writer);
  gen_line(writer,
           "/* To the device, or from it. */\n"
           "static void cuda_copy(%s *host, %s *device, size_t count, cudaMemcpyKind way)\n"
           "{\n"
           "const bool there = way == cudaMemcpyHostToDevice;\n"
           "cuda_check(cudaGetLastError(), \"a kernel\");\n"
           "cuda_check(cudaMemcpy(there ? device : host, there ? host : device, count * sizeof "
           "*host, way), \"cudaMemcpy\");\n"
           "}\n"
           "\n",
           type, type);
  for (int a = 0; a < host->translation->arrays; a++)
    rows[host->translation->array[a].rank] =
      rows[host->translation->array[a].rank] || has_rows(&host->translation->array[a]);
  for (int rank = 2; rank <= 3; rank++)
    if (rows[rank])
      write_rows(writer, type, rank);
}
