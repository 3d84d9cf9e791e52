/* The functions of the files in operators/, compiled by the plain C compiler, called by name. */
#ifndef GMG_TEST_SPEC_CALLS_H
#define GMG_TEST_SPEC_CALLS_H

enum { SPEC_ARRAYS = 192, SPEC_SCALARS = 8 };

/* The arguments of one call on one box. Arrays of three dimensions are dense, with one ghost on
 * every side; lines and tables hold the same range; values of tables are subscripts of such arrays.
 */
struct spec_arguments {
  int cells[3], other_cells[3];
  int arrays, scalars;
  struct {
    const char *name;
    void *value; /* keep */
  } array[SPEC_ARRAYS];
  struct {
    const char *name;
    double value;
  } scalar[SPEC_SCALARS];
};

/* Adds an argument, or gives it another value. */
void spec_set_array(struct spec_arguments *arguments, const char *name, void *value);
void spec_set_scalar(struct spec_arguments *arguments, const char *name, double value);

typedef double spec_function(const struct spec_arguments *arguments);
/* NULL: nothing is registered under this name. Sums return their value, others 0. */
spec_function *spec_find(const char *name);

#endif
