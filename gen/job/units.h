/* What is emitted of a file, for every target: its kernels, each in both layouts of rows and both
 * precisions, but for what single precision alone has. */
#ifndef GEN_UNITS_H
#define GEN_UNITS_H

#include "compile.h"

enum { GEN_FORMS = 4 };
/* What the symbols of the forms end in. */
extern const char *const gen_form_suffix[GEN_FORMS];

/* What is emitted of the file's n-th function: of an operator its derived kernels, else itself, in
 * all forms. Returns how many. */
int gen_units(const struct gen_job *job, const struct gen_file *file, int n,
              struct gen_unit **units);

#endif
