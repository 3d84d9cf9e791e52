/* What is emitted of a file, for every target: its kernels, each in both layouts of rows and both
 * precisions, but for what single precision alone has. */
#ifndef GEN_UNITS_H
#define GEN_UNITS_H

#include "compile.h"

enum { GEN_FORMS = 4 };
/* What the symbols of the forms end in. */
extern const char *const gen_form_suffix[GEN_FORMS];

struct gen_kernel_units {
  int forms; /* of the kernel */
  struct gen_unit unit[GEN_FORMS];
};

/* Those of the file's n-th function: of an operator its derived kernels, else itself. Returns how
 * many kernels. Memory: *units lives until gen_clear. */
int gen_units(const struct gen_job *job, const struct gen_file *file, int n,
              struct gen_kernel_units **units);

#endif
