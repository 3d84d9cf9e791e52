/* From scheduled kernels to text. */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include "check/twice.h"
#include "derive/derive.h"
#include "schedule/cuda.h"
#include "ir/program.h"
#include "ir/writer.h"

/* A kernel as it is emitted. */
struct gen_unit {
  const struct gen_schedule *schedule;
  enum gen_role role;
  const char *variant;
  const char *source, *source_hash;
  const char *comment;
  double flops;       /* per cell of the own level */
  double reals;       /* compulsory values moved per cell of the own level */
  const char *symbol; /* of the function, unique in its file: name_variant_f64 */
  const struct gen_cuda_schedule *cuda;
  /* Of a program's kernel: arrays whose ghosts beyond walls its form for GPUs writes too, and the
   * program's arrays whose walls those are. */
  int images;
  struct {
    int array; /* the kernel's */
    const struct gen_program_array *of;
  } image[GEN_MAX_ARRAYS];
  const struct gen_twice *twice; /* of a program's kernel that can be run twice in one pass */
  bool streams;                  /* of a program's kernel that can store past the caches on a CPU */
};

/* One function in C with OpenMP (gen/emit/openmp/openmp.c). */
void gen_emit_openmp(struct gen_writer *writer, const struct gen_unit *unit);
/* The lines of a comment, left open. */
void gen_emit_comment(struct gen_writer *writer, const char *comment);
/* What a descriptor for CPUs and one for GPUs begin with. */
void gen_emit_identity(struct gen_writer *writer, const struct gen_unit *unit);
/* Its descriptor (gen/emit/describe.c). */
void gen_emit_descriptor(struct gen_writer *writer, const struct gen_unit *unit);

/* Gives what the kernel's author named a prefix in emitted text: a_ for arrays, s_ for scalars.
 * Names of emitted code begin with neither, so that authors may use any. */
void gen_prefix_names(struct gen_schedule *schedule);
/* A scalar that is an argument: its author's name for it, that in emitted text, and whether it is
 * the colour that is visited. */
struct gen_argument {
  const char *given, *name;
  bool colour;
};
/* The scalars in the order of the descriptor; the colour last. Returns how many. */
int gen_arguments(const struct gen_schedule *schedule,
                  struct gen_argument argument[GEN_MAX_SCALARS]);
/* Which of them is the colour that is visited; -1 if there is none. */
int gen_scalar_of_colour(const struct gen_schedule *schedule);
/* Whether the kernel only adds up, so that each lane of a vector may have sums of its own. */
bool gen_in_lanes(const struct gen_schedule *schedule);
bool gen_most_in_single(const struct gen_schedule *schedule);
/* The integer parameter that a guard as written contains: its colour. -1 if none. */
int gen_guard_symbol(const struct gen_guard *guard);

enum { GEN_MAX_LINES = 8, GEN_MAX_LINE_KEYS = 16 };
/* Values along a row that change with lines only, and the values along j and k that they are made
 * of (gen/emit/lines.c). */
struct gen_lines {
  int first, count, keys; /* `first` of all lines of the kernel */
  int known;              /* where what they are made of is kept */
  const struct gen_expr *value[GEN_MAX_LINES], *key[GEN_MAX_LINE_KEYS];
};
/* The lines of the loop over the kernel's own cells, and of the loops that fill row buffers. */
struct gen_line_sets {
  struct gen_lines own, row[GEN_MAX_ROWS];
  int others; /* lines along rows of the other level */
  /* numbers that say what lines are made of; the first are the box and the kernel's scalars */
  int known;
};
void gen_find_lines(const struct gen_schedule *schedule,
                    struct gen_line_sets *sets); /* sets: zeroed */

/* Names and texts inside a function (gen/emit/access.c, gen/emit/expression.c). */
struct gen_emitter {
  const struct gen_unit *unit;
  const char *symbol;
  const struct gen_schedule *schedule;
  const struct gen_kernel *kernel; /* of the schedule */
  struct gen_writer *writer;
  const struct gen_row *row; /* the text is of its value: i runs over the other level */
  /* Split rows: the loop runs over one parity, i = 2 at + parity; `same` and `next` are where the
   * elements of i's parity and of the other one, from i + 1 on, start. */
  bool halves;
  bool paired;          /* the cells pair two by two: tables are not read */
  bool counted;         /* the loop visits but cells where a GEN_ONLY is its value */
  bool uniform;         /* lines along i hold the same at all i: their values have names, h_i_mid */
  const char *store_to; /* what is stored goes to this variable; NULL: to its field */
  bool kept;            /* or to the arrays kept_u, whose first element is that of cell `from` */
  enum gen_declared {
    GEN_DECLARE_ALL,
    GEN_DECLARE_PLANE,
    GEN_DECLARE_RUN,
    GEN_DECLARE_ROW
    /* of what an expression needs: all; lines along k; along j, at the row `first`; rows of fields
     */
  } declares;
  /* values of the array `given` beside the own cell have names: u_im1, u_kp1 */
  bool neighbours_given;
  int given;
  bool then; /* scalars are those of the second colour */
  /* the text is CUDA C: a row buffer is a function, row0(i); it counts no terms of a sum */
  bool cuda;
  /* and two threads share a cell: what functions are at its children has names, row0_lo_i */
  bool shared;
  /* eight threads share a cell (gen/emit/cuda/children.c); NULL: they do not */
  const struct gen_lanes *lanes;
  bool target;                   /* names of an array are those for storing */
  const struct gen_parts *parts; /* values that have been worked out before; NULL: there are none */
  /* of this loop: read instead of worked out; NULL: there are none */
  const struct gen_lines *lines;
  const struct gen_line_sets *line_sets;
  const struct gen_staged *staged; /* CUDA: rows are read where these copies are; NULL: in fields */
};
/* Declares what the expression needs in a row (j, k fixed): one pointer per distinct row of a
 * field, one constant per line value that does not change along i. Each is declared once per scope:
 * `declared` collects their names. */
struct gen_names {
  int count;
  const char *name[512];
};
bool gen_first_time(struct gen_names *declared, const char *name);
void gen_declare_rows(struct gen_emitter *emitter, const struct gen_expr *expr,
                      struct gen_names *declared);
/* Declares what the expression needs outside of the parts. */
void gen_declare_outside(struct gen_emitter *emitter, const struct gen_expr *expr,
                         const struct gen_parts *parts, struct gen_names *declared);
void gen_declare_target(struct gen_emitter *emitter, const struct gen_access *access,
                        struct gen_names *declared);
/* What the kernel's statements need, norms left out. */
void gen_declare_statements(struct gen_emitter *emitter, struct gen_names *declared);
/* Whether an index in the text of the expression begins with `start` ("same", "next"). */
bool gen_starts(const struct gen_emitter *emitter, const struct gen_expr *expr, const char *start);
/* Whether the text of the expression is simpler in a paired row. */
bool gen_has_paired(const struct gen_emitter *emitter, const struct gen_expr *expr);
const char *gen_emit_access(const struct gen_emitter *emitter, const struct gen_access *access);
/* The name of the row, or of a line's value, that an access is in. */
const char *gen_row_name(const struct gen_emitter *emitter, const struct gen_access *access);
const char *gen_emit_target(const struct gen_emitter *emitter,
                            const struct gen_access *access); /* of a store */
const char *gen_emit_expr(const struct gen_emitter *emitter, const struct gen_expr *expr);
/* The kernel's scalars as constants (gen/emit/openmp/openmp.c). */
void gen_emit_scalars(struct gen_emitter *emitter);

/* Returns which of the lines the value is; -1 if it is none. */
int gen_line_of(const struct gen_lines *lines, const struct gen_expr *expr);
/* Declares the lines, whose values are unknown at first. */
void gen_declare_lines(struct gen_emitter *emitter, const struct gen_line_sets *sets);
/* Emits the loop with that head, which works the lines out where they are not those of the row
 * before. */
void gen_emit_lines(struct gen_emitter *emitter, const char *head);
/* Returns how many lines of the kernel's own level are kept. */
int gen_own_lines(const struct gen_schedule *schedule, const struct gen_line_sets *sets);
/* Declares the lines of a run of rows. */
void gen_declare_run_lines(struct gen_emitter *emitter);
/* As gen_starts, of the text of the lines. */
bool gen_lines_start(const struct gen_emitter *emitter, const char *start);
/* Returns the text of a line at the loop's i. */
const char *gen_line_text(const struct gen_emitter *emitter, int line);

/* The loop along i with what it needs (gen/emit/row.c). */
void gen_emit_scratch(struct gen_emitter *emitter);
void gen_emit_row(struct gen_emitter *emitter);
/* Where along i a row of the colour starts. */
void gen_emit_start(struct gen_emitter *emitter);
/* Where the elements of one parity of a split row are, and the elements beside them. */
void gen_emit_half(struct gen_emitter *emitter, const char *odd, bool same, bool next);
/* Both as the statements use them; next: whether other text uses elements beside. */
void gen_emit_statement_halves(struct gen_emitter *emitter, bool next);
/* Returns the text of how many elements of the parity a row has. */
const char *gen_count_text(const struct gen_emitter *emitter);
/* The statements at one cell, norms left out. */
void gen_emit_statements(struct gen_emitter *emitter);
void gen_emit_loop(struct gen_emitter *emitter, const char *head);
const char *gen_signed_text(int constant); /* "" for 0 */
/* Sums and maxima (gen/emit/sums.c). Returns how many bins a kernel's sum has: two, but one of a
 * norm in single precision, which is an estimate. */
int gen_bins(const struct gen_schedule *schedule);
/* The pragma of a loop that adds up, or finds a maximum. */
void gen_emit_simd(struct gen_emitter *emitter, bool sum, bool most);
void gen_emit_reduce(struct gen_emitter *emitter, const struct gen_statement *statement);
/* Adds up the squares of a value, and finds its maximum, along a row of the other level. */
void gen_emit_norm(struct gen_emitter *emitter, const struct gen_expr *value);

/* Returns the GEN_ONLY outside of whose colour a row's value and all its norms are zero; NULL if
 * there is none (gen/emit/only.c). */
const struct gen_expr *gen_only_of_row(const struct gen_row *row);
/* After the branch for elements that count, the other one: zeros, and what they leave in the sums.
 */
void gen_emit_zeros(struct gen_emitter *inside, const struct gen_row *row, const char *head);
/* Flags that say whether the elements of a parity are zeros already; and that they no longer are.
 */
void gen_declare_zeros(struct gen_emitter *emitter);
void gen_emit_not_zeros(struct gen_emitter *inside, const struct gen_row *row);

/* Returns the parameter that stands for a field; -1 if there is none (gen/emit/zero.c). */
int gen_zero_scalar(const struct gen_kernel *kernel);
/* Returns what is left of an expression where that parameter is 0. */
const struct gen_expr *gen_without(const struct gen_emitter *emitter, const struct gen_expr *expr,
                                   int scalar);

/* Whether rows that lines along j do not tell apart may be visited in one run, and the loops over k
 * and j that do so (gen/emit/runs.c). */
bool gen_in_runs(const struct gen_schedule *schedule);
void gen_emit_runs(struct gen_emitter *emitter);

/* CUDA C: struct gmg_cuda_kernel in solver/cuda/runtime/cuda_kernel.h says what the texts are. */

/* What a thread does at its position (gen/emit/cuda/position.c); the functions SYMBOL_cell and
 * SYMBOL_cells (gen/emit/cuda/cells.c). */
struct gen_emitter gen_cuda_emitter(struct gen_writer *writer, const struct gen_unit *unit);
void gen_emit_cuda_body(struct gen_emitter *emitter);
void gen_emit_cuda_cell(struct gen_emitter *emitter);
void gen_emit_cuda_cells(struct gen_writer *writer, const struct gen_unit *unit);
/* Returns the number of a field as text, chosen by thread where threads differ in it; NULL for the
 * second field of such a pair. `array`: the kernel's fields. */
const char *gen_cuda_lane_field(const struct gen_lanes *lanes, const int *array, int count, int n);
/* SYMBOL_part and SYMBOL_sum. In SYMBOL_sum the first thread gets the results of all eight, puts
 * them together and stores that. */
void gen_emit_cuda_lanes(struct gen_emitter *emitter);
void gen_emit_cuda_hand_over(struct gen_emitter *emitter);
void gen_emit_cuda_sum(struct gen_emitter *emitter);
/* Returns what a table of children holds at the loop's i, as text; and emits a cell's statements
 * with what they take of its children (gen/emit/cuda/children.c). */
const char *gen_cuda_child(struct gen_emitter *emitter, int table);
void gen_emit_cuda_cell_statements(struct gen_emitter *emitter);
/* Returns the arguments `cells` and `paired` of a call as text. */
const char *gen_cuda_more(struct gen_emitter *emitter, const char *box, const char *at);
/* Returns what a position along the axis is called in SYMBOL_cell; and how many there are, as text
 * with `box` in front of the members of struct gmg_kernel_box. */
const char *gen_cuda_position(const struct gen_schedule *schedule, enum gen_axis axis);
const char *gen_cuda_positions(const struct gen_schedule *schedule, const char *box,
                               enum gen_axis axis);
/* Returns "box->cells[0]", or one more where the last faces are visited too. */
const char *gen_cuda_end(struct gen_emitter *emitter, enum gen_axis axis);
/* The kernel's fields as variables. */
void gen_emit_cuda_fields(struct gen_emitter *emitter, enum gen_use use);
/* The comment in front of a kernel; the head of the device function SYMBOL_name, which takes args
 * and `parameters`; and the box, with the fields as variables, that its body begins with. */
void gen_emit_cuda_comment(struct gen_emitter *emitter);
void gen_open_cuda(struct gen_emitter *emitter, const char *returns, const char *name,
                   const char *parameters);
void gen_emit_cuda_box(struct gen_emitter *emitter, enum gen_use use);
/* SYMBOL_cell of a kernel in phases, with these. */
void gen_emit_cuda_phases(struct gen_emitter *emitter);
/* A stage's function (gen/emit/cuda/stages.c). */
void gen_emit_cuda_stage(const struct gen_emitter *emitter, const struct gen_cuda_stage *stage);
/* Shape parameters of a form: macros with defaults, which end after it. */
void gen_emit_cuda_shape(struct gen_writer *writer, const struct gen_cuda_shape *of);
void gen_emit_cuda_shape_end(struct gen_writer *writer);
/* Returns the number of an array among the fields. */
int gen_cuda_field_of(const struct gen_schedule *schedule, int array);
/* References to a thread's sums, under the names that statements use. */
void gen_emit_cuda_partial(struct gen_emitter *emitter);
/* What a thread finds of sums and maxima, if the kernel has any, before its cells; and after them,
 * to what the launch finds. args: its arguments, "args." */
void gen_emit_cuda_sums_begin(struct gen_writer *writer, const struct gen_schedule *schedule);
void gen_emit_cuda_sums_end(struct gen_writer *writer, const struct gen_schedule *schedule,
                            const char *args);
/* Ghosts beyond walls that a program's kernel writes (gen/emit/cuda/images.c): SYMBOL_name, which
 * makes those of a cell, SYMBOL_few_images, of several whose values are given, and the calls of
 * SYMBOL_images after the planes of a thread. Nothing where there are none. */
void gen_emit_cuda_images(struct gen_emitter *emitter, const char *name);
void gen_emit_cuda_few_images(struct gen_emitter *emitter);
void gen_emit_cuda_images_calls(struct gen_emitter *emitter);
/* Returns whether cells have images, by texts of how near they are to walls across each axis. */
const char *gen_cuda_near_walls(const struct gen_emitter *emitter, const char *const nearest[3]);
/* The head of SYMBOL_form, and the box that a thread block is of, with its place there, where there
 * are so many positions along each axis, as text; SYMBOL_columns (gen/emit/cuda/columns.c), and how
 * many cells a thread of it has along i. */
void gen_emit_cuda_open(struct gen_emitter *emitter, const char *form);
void gen_emit_cuda_block(struct gen_emitter *emitter, const char *const positions[3]);
void gen_emit_cuda_columns(struct gen_emitter *emitter);
int gen_cuda_columns(const struct gen_schedule *schedule);
/* SYMBOL_ahead of a restriction asks for the children of a cell (gen/emit/cuda/march.c).
 * SYMBOL_march and SYMBOL_linear. */
void gen_emit_cuda_march(struct gen_emitter *emitter);
void gen_emit_cuda_linear(struct gen_emitter *emitter);
/* Returns the type of what an array is read through: "gmg_read<double>". */
const char *gen_cuda_read_type(const struct gen_emitter *emitter, int array);
/* SYMBOL_twice, two steps in one pass, of a unit with `twice` (gen/emit/cuda/twice.c); its
 * descriptor as SYMBOL_twice_form. */
void gen_emit_cuda_twice(struct gen_writer *writer, const struct gen_unit *unit);
void gen_emit_cuda_twice_descriptor(struct gen_writer *writer, const struct gen_unit *unit);
/* A form, one of unit->cuda (gen/emit/cuda/forms.c), and its descriptor, if it is the place-th. */
void gen_emit_cuda_form(struct gen_writer *writer, const struct gen_unit *unit,
                        const struct gen_cuda_form *form);
void gen_emit_cuda_form_descriptor(struct gen_writer *writer, const struct gen_unit *unit,
                                   int place);
/* What SYMBOL_staged copies (gen/emit/cuda/staged.c): the struct SYMBOL_place and SYMBOL_copy;
 * lines along i and j, while those along k come with the stages; and the form's descriptor. */
void gen_emit_cuda_copies(struct gen_emitter *emitter, const struct gen_staged *staged);
void gen_emit_cuda_copied_lines(struct gen_emitter *emitter, const struct gen_staged *staged);
void gen_emit_cuda_staged_descriptor(struct gen_writer *writer, const struct gen_unit *unit);
/* Pointers to the rows that an expression reads from there, but for what has names already; and
 * values of lines along j and k. */
void gen_declare_copied(struct gen_emitter *emitter, const struct gen_expr *expr,
                        struct gen_names *declared);

#endif
