/* From formula files, and C with directives, to emitted text: the stages in their order. */
#ifndef GEN_PROGRAM_JOB_H
#define GEN_PROGRAM_JOB_H

#include "check/proof.h"
#include "ir/program.h"
#include "ir/writer.h"

struct gen_program_job {
  const char *path;
  const char *from;             /* directives' name; NULL: a formula file */
  int compose;                  /* steps to be one kernel, too; 0: none */
  bool plain;                   /* operations as they are written, without fma */
  const char *const *arguments; /* of the C compiler, for directives */
  int argument_count;
  struct gen_program *program;
  struct gen_translation *translation; /* of directives; NULL: a formula file */
  struct gen_proof proof[GEN_MAX_PROGRAM_KERNELS];
  struct gen_proof reduction_proof[GEN_MAX_REDUCTIONS];
};

/* Front end, check of every kernel, and the steps that fill ghosts. False after a rejection
 * (gen_diagnostics). */
bool gen_compile_program(struct gen_program_job *job);
/* What was understood and proved, in words. */
const char *gen_explain_program(const struct gen_program_job *job);
/* Kernels with their descriptors, and a table of the program's parts (solver/program_table.h): what
 * solver/programs/ runs on boxes and ranks. False after a rejection. */
bool gen_emit_program_library(const struct gen_program_job *job, struct gen_writer *writer);
/* CUDA C of the kernels, in all their launch forms. False after a rejection. */
bool gen_emit_program_cuda(const struct gen_program_job *job, struct gen_writer *writer);
/* C of the whole program, sequential or with OpenMP (emit/program.h). */
void gen_emit_program_job(const struct gen_program_job *job, bool threads,
                          struct gen_writer *writer);

/* The file itself with its marked regions in CUDA, where the output ends in .cu, or in OpenMP
 * (standalone/standalone.h). False after a rejection. */
bool gen_emit_standalone(const struct gen_program_job *job, const char *output, int level,
                         struct gen_writer *writer);
/* The file itself, its marked loops run by the library on these back ends (standalone/ranks.h).
 * False after a rejection. */
bool gen_emit_marked(const struct gen_program_job *job, const char *output, const char *backends,
                     struct gen_writer *writer);

#endif
