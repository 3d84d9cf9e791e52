#include "partials.h"

#include "directives/precision.h"

/* By gen_reduction_kind: what comes of two values a and b, and what of none. */
static const char *const together[] = {"a + b", "a < b ? a : b", "a > b ? a : b"};
static const char *const word[] = {"sum", "least", "largest"};

static const char *nothing(const struct gen_nest_kernel *kernel, enum gen_reduction_kind kind)
{
  const bool single = kernel->translation->formula.program->type == GEN_FLOAT;
  const char *most = single ? "3.4028235e38f" : "1.7976931348623157e308";
  return kind == GEN_REDUCTION_SUM ? "0" : kind == GEN_REDUCTION_MIN ? most : gen_text("-%s", most);
}

static const char *partial_name(const struct gen_nest_kernel *kernel, int sum)
{
  return gen_free_name(kernel->text, gen_text("blocks_%s", kernel->nest->sum[sum].variable->name));
}

static void write_kind(struct gen_writer *writer, const char *type, enum gen_reduction_kind kind)
{
  gen_line(writer,
           "/* The %s of a block's threads, in an order that does not change, at most 1024. */\n"
           "static __device__ void block_%s(%s value, %s *blocks)\n"
           "{\n"
           "__shared__ %s held[1024];\n"
           "const int me = threadIdx.x + blockDim.x * threadIdx.y, all = blockDim.x * blockDim.y;\n"
           "held[me] = value;\n"
           "for (int step = 1; step < all; step *= 2) {\n"
           "__syncthreads();\n"
           "if (me %% (2 * step) == 0 && me + step < all) {\n"
           "const %s a = held[me], b = held[me + step];\n"
           "held[me] = %s;\n"
           "}\n"
           "}\n"
           "if (me == 0)\n"
           "blocks[blockIdx.x + gridDim.x * (blockIdx.y + (size_t)gridDim.y * blockIdx.z)] = "
           "held[0];\n"
           "__syncthreads();\n"
           "}\n"
           "\n"
           "/* Of all blocks, and of what there was before, one after the other. */\n"
           "static %s all_%s(%s so_far, const %s *device, size_t count)\n"
           "{\n"
           "%s *blocks = (%s *)(malloc)(count * sizeof *blocks);\n"
           "if (!blocks) {\n"
           "fprintf(stderr, \"out of memory\\n\");\n"
           "exit(1);\n"
           "}\n"
           "cuda_copy(blocks, (%s *)device, count, cudaMemcpyDeviceToHost);\n"
           "for (size_t n = 0; n < count; n++) {\n"
           "const %s a = so_far, b = blocks[n];\n"
           "so_far = %s;\n"
           "}\n"
           "free(blocks);\n"
           "return so_far;\n"
           "}\n"
           "\n",
           word[kind], word[kind], type, type, type, type, together[kind], type, word[kind], type,
           type, type, type, type, type, together[kind]);
}

void gen_write_partials(const struct gen_translation *translation, struct gen_writer *writer)
{
  const char *type = gen_values_name(translation);
  bool has[3] = {false};
  for (int e = 0; e < translation->events; e++)
    for (int s = 0; translation->event[e].nest && s < translation->event[e].nest->sums; s++)
      has[translation->event[e].nest->sum[s].kind] = true;
  if (has[0] || has[1] || has[2])
    gen_line(writer,
             "/* Memory of the device for a value of each block, which is kept. */\n"
             "static %s *cuda_blocks(size_t count)\n"
             "{\n"
             "static %s *kept;\n"
             "static size_t size;\n"
             "if (size < count) {\n"
             "cuda_delete(kept);\n"
             "kept = cuda_new(count);\n"
             "size = count;\n"
             "}\n"
             "return kept;\n"
             "}\n"
             "\n",
             type, type);
  for (int kind = 0; kind < 3; kind++)
    if (has[kind])
      write_kind(writer, type, (enum gen_reduction_kind)kind);
}

const char *gen_partial_arguments(const struct gen_nest_kernel *kernel)
{
  const char *text = "";
  for (int s = 0; s < kernel->nest->sums; s++)
    text =
      gen_text("%s, %s *%s", text, gen_values_name(kernel->translation), partial_name(kernel, s));
  return text;
}

void gen_begin_partials(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  for (int s = 0; s < kernel->nest->sums; s++)
    gen_line(writer, "%s %s = %s;", gen_values_name(kernel->translation),
             kernel->nest->sum[s].variable->name, nothing(kernel, kernel->nest->sum[s].kind));
}

void gen_end_partials(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  for (int s = 0; s < kernel->nest->sums; s++)
    gen_line(writer, "block_%s(%s, %s);", word[kernel->nest->sum[s].kind],
             kernel->nest->sum[s].variable->name, partial_name(kernel, s));
}

const char *gen_partial_launch(const struct gen_nest_kernel *kernel, const char *count,
                               const char *shape, const char *arguments)
{
  const char *blocks = gen_free_name(kernel->text, "blocks"),
             *part = gen_free_name(kernel->text, "part"), *more = "", *after = "";
  for (int s = 0; s < kernel->nest->sums; s++) {
    const struct gen_sum *sum = &kernel->nest->sum[s];
    const char *at = s ? gen_text("%s + %d * %s", part, s, blocks) : part;
    more = gen_text("%s, %s", more, at);
    after = gen_text("%s%s = all_%s(%s, %s, %s);\n", after, sum->variable->name, word[sum->kind],
                     sum->variable->name, at, blocks);
  }
  return gen_text("{\nconst size_t %s = %s;\n%s *const %s = cuda_blocks(%d * %s);\n"
                  "%s<<<%s>>>(%s%s);\n%s}\n",
                  blocks, count, gen_values_name(kernel->translation), part, kernel->nest->sums,
                  blocks, kernel->name, shape, arguments, more, after);
}
