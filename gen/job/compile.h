/* From C files to emitted text: the stages in their order. */
#ifndef GEN_COMPILE_H
#define GEN_COMPILE_H

#include "check/check.h"
#include "check/colouring.h"
#include "derive/derive.h"
#include "emit/emit.h"

enum { GEN_MAX_FILES = 64, GEN_MAX_KERNELS = 64 };

struct gen_file {
  const char *path;
  const char *stem; /* name without folder and ending */
  const char *hash; /* of its text and the compiler's version */
  int kernels;
  struct gen_kernel **kernel;
  struct gen_proof *proof;         /* per kernel */
  struct gen_operator **operator_; /* per kernel: NULL for one taken as it stands */
  struct gen_proof *colouring;     /* per kernel: the proof of the operator's colouring */
};

struct gen_job {
  int files;
  struct gen_file file[GEN_MAX_FILES];
  /* the cell restriction to fuse residuals with; NULL if none was read */
  const struct gen_kernel *restriction;
  const char *const *arguments; /* for the C compiler's front end */
  int argument_count;
  /* names of fields, separated by commas, that double kernels hold in float; "" for none */
  const char *single;
  const char *library; /* name of the list of libraries */
};

/* A hash (FNV-1a) of a file's text and the compiler's version. NULL after a rejection. */
const char *gen_hash_file(const char *path);
/* Front end and check of every file, then the derivation of every operator. The rest is in
 * gen_diagnostics. */
bool gen_compile(struct gen_job *job);
/* What every emitted C file with descriptors begins with. */
void gen_emit_prelude(struct gen_writer *writer, const char *path);
/* What CUDA text begins with; the text of one kernel, in all its forms. */
void gen_emit_cuda_prelude(struct gen_writer *writer);
void gen_emit_cuda_unit(struct gen_writer *writer, const struct gen_unit *unit);
/* That text as C: strings, and what a launcher must know. */
void gen_emit_cuda_kernel(struct gen_writer *writer, const struct gen_unit *unit);
/* The text of one file for the OpenMP target. */
void gen_emit_file(const struct gen_job *job, const struct gen_file *file,
                   struct gen_writer *writer);
/* All operators and kernels of the job, for one instruction set; and the table of instruction sets.
 */
void gen_emit_registry(const struct gen_job *job, struct gen_writer *writer);
/* The same for CUDA: readable text, forms and all; a C file that holds it as strings; and the list
 * of all kernels. */
void gen_emit_cuda_text(const struct gen_job *job, const struct gen_file *file,
                        struct gen_writer *writer);
void gen_emit_cuda_file(const struct gen_job *job, const struct gen_file *file,
                        struct gen_writer *writer);
void gen_emit_cuda_registry(const struct gen_job *job, struct gen_writer *writer);
/* How the file's kernels run on a GPU, in words. */
void gen_dump_cuda_schedules(const struct gen_job *job, const struct gen_file *file,
                             struct gen_writer *writer);
void gen_emit_libraries(const struct gen_job *job, const char *const *isa, int isas,
                        struct gen_writer *writer);

#endif
