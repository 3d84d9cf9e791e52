/* Text of whole programs. */
#ifndef GEN_EMIT_PROGRAM_H
#define GEN_EMIT_PROGRAM_H

#include "emit.h"
#include "ir/program.h"

/* C of a whole program, which depends on nothing else. Sequential, it is the program's meaning;
 * with `threads` OpenMP shares the loops over cells, and gives the same bits. kernel[n], value[n]:
 * the n-th kernel, and that of the n-th reduction, in canonical form. */
void gen_emit_program(struct gen_writer *writer, const struct gen_program *program,
                      struct gen_kernel *const *kernel, struct gen_kernel *const *value,
                      bool threads);
/* C of a program's reductions, which stands after the functions that fill ghosts. */
void gen_emit_program_values(struct gen_writer *writer, const struct gen_program *program,
                             struct gen_kernel *const *value, bool threads);
/* A kernel's arrays and parameters under their names; a value at the place `at`. */
void gen_emit_program_names(struct gen_writer *writer, const struct gen_program *program,
                            const struct gen_program_kernel *bound,
                            const struct gen_kernel *kernel);
const char *gen_program_value_text(const struct gen_program *program,
                                   const struct gen_kernel *kernel, const struct gen_expr *value);

/* A table of its parts, solver/program_table.h, after the kernels and their descriptors. unit[n],
 * value[n]: the n-th kernel, and that of the n-th reduction, as they were emitted; composed: that
 * of several steps, where there is one. */
void gen_emit_program_table(struct gen_writer *writer, const struct gen_program *program,
                            const struct gen_unit *unit, const struct gen_unit *value,
                            const struct gen_unit *composed);

/* The terms of linear kernels (gen/emit/program_linear.c), where all of them are, and a function of
 * their weights. Returns the value of the table's member `linear`. */
const char *gen_emit_program_linear(struct gen_writer *writer, const struct gen_program *program);

/* Initial values (gen/emit/program_initial.c): whether the file says any; functions initial_NAME,
 * one for each array that has some; the function NAME_initial, and those it calls, if there are
 * any; the name of an array's function, or "NULL". */
bool gen_has_initial_values(const struct gen_program *program);
void gen_emit_initial_values(struct gen_writer *writer, const struct gen_program *program);
void gen_emit_initial(struct gen_writer *writer, const struct gen_program *program);
const char *gen_initial_name(const struct gen_program *program, int array);

#endif
