#include "kernel_runs.h"

#include "system/isa.h"

#include <stdio.h>
#include <string.h>

int test_libraries(const struct gmg_kernel_library *library[TEST_LIBRARIES])
{
  int built = 0, count = 0;
  while (gmg_kernel_libraries[built])
    built++;
  for (int l = built - 1; l >= 0; l--)
    if (!gmg_isa_runs(gmg_kernel_libraries[l]->isa))
      printf("skipped: this CPU does not run the kernels for %s\n", gmg_kernel_libraries[l]->isa);
    else if (count < TEST_LIBRARIES)
      library[count++] = gmg_kernel_libraries[l];
  return count;
}

/* 1: they differ, and it was said. */
static int differ(const struct gmg_kernel_descriptor *one, const struct gmg_kernel_descriptor *two,
                  const char *isa)
{
  int same = strcmp(one->name, two->name) == 0 && strcmp(one->variant, two->variant) == 0
    && one->role == two->role && one->precision == two->precision
    && one->rows_stored == two->rows_stored && one->fields == two->fields
    && one->scalars == two->scalars;
  for (int f = 0; same && f < one->fields; f++)
    same = strcmp(one->field[f].name, two->field[f].name) == 0
      && one->field[f].level == two->field[f].level
      && one->field[f].precision == two->field[f].precision;
  if (!same)
    fprintf(stderr, "FAILED %s %s: %s has '%s %s' in its place, or other arguments\n", one->name,
            one->variant, isa, two->name, two->variant);
  return !same;
}

/* What the comparison cannot handle would be passed over in silence. */
static int cannot_compare(const struct gmg_kernel_descriptor *kernel)
{
  int written = 0, changed = 0;
  for (int f = 0; f < kernel->fields; f++) {
    written += kernel->field[f].written;
    changed += kernel->field[f].written && kernel->field[f].read;
  }
  const int cannot = written > 1 && changed > 0;
  if (cannot)
    fprintf(stderr,
            "FAILED %s: the comparison knows no kernels that change one of several outputs\n",
            kernel->name);
  return cannot;
}

static int faults_of_operator(const struct gmg_kernel_library *const *library, int libraries, int o)
{
  static const char *const known[] = {"variable7", "constant7", "constant27", "linked27"};
  const struct gmg_operator_descriptor *op = library[0]->operator_[o];
  int faults = 0, ours = 0;
  for (size_t n = 0; n < sizeof known / sizeof *known; n++)
    ours |= strcmp(op->name, known[n]) == 0;
  if (!spec_find(op->name)) {
    printf("%s: operator %s has no spec in tests/support/spec_calls.c; not compared\n",
           ours ? "FAILED" : "skipped", op->name);
    faults += ours;
  }
  for (int k = 0; k < op->kernels; k++) {
    faults += spec_find(op->name) && cannot_compare(op->kernel[k]);
    for (int l = 1; l < libraries; l++)
      faults += library[l]->operator_[o]->kernels != op->kernels
        || differ(op->kernel[k], library[l]->operator_[o]->kernel[k], library[l]->isa);
  }
  return faults;
}

int test_libraries_faults(const struct gmg_kernel_library *const *library, int libraries)
{
  int faults = 0;
  for (int l = 1; l < libraries; l++)
    if (library[l]->operators != library[0]->operators
        || library[l]->kernels != library[0]->kernels) {
      fprintf(stderr, "FAILED %s has other numbers of kernels than %s\n", library[l]->isa,
              library[0]->isa);
      return 1;
    }
  for (int o = 0; o < library[0]->operators; o++)
    faults += faults_of_operator(library, libraries, o);
  for (int k = 0; k < library[0]->kernels; k++) {
    const struct gmg_kernel_descriptor *kernel = library[0]->kernel[k];
    faults += cannot_compare(kernel);
    if (!spec_find(kernel->name)) {
      fprintf(stderr, "FAILED %s: no spec is registered in tests/support/spec_calls.c\n",
              kernel->name);
      faults++;
    }
    for (int l = 1; l < libraries; l++)
      faults += differ(kernel, library[l]->kernel[k], library[l]->isa);
  }
  return faults;
}
