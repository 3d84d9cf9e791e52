/* Options: one table says name, type, default and what is allowed; the library's
 * gmg_solver_set_option, the program's command line and its --help all read it. */
#ifndef GMG_OPTIONS_H
#define GMG_OPTIONS_H

#include "gmg.h"

#define GMG_LENGTH(table) (sizeof(table) / sizeof *(table))

enum gmg_norm { GMG_NORM_2, GMG_NORM_MAX };
enum gmg_cycle_kind { GMG_CYCLE_AUTO, GMG_CYCLE_V, GMG_CYCLE_W, GMG_CYCLE_F, GMG_CYCLE_FMG };
enum gmg_smoother { GMG_SMOOTH_GSRB, GMG_SMOOTH_JACOBI, GMG_SMOOTH_CHEBYSHEV };
enum gmg_interpolation { GMG_INTERPOLATE_AUTO, GMG_INTERPOLATE_CONSTANT, GMG_INTERPOLATE_LINEAR };
enum gmg_krylov_method { GMG_KRYLOV_AUTO, GMG_KRYLOV_NONE, GMG_KRYLOV_CG, GMG_KRYLOV_BICGSTAB };
enum gmg_method_choice { GMG_METHOD_AUTO, GMG_METHOD_MULTIGRID, GMG_METHOD_FFT };
enum gmg_coarsening_choice { GMG_COARSENING_AUTO, GMG_COARSENING_PLAIN, GMG_COARSENING_OWNERS };
enum gmg_bottom {
  GMG_BOTTOM_AUTO,
  GMG_BOTTOM_SWEEPS,
  GMG_BOTTOM_CG,
  GMG_BOTTOM_BICGSTAB,
  GMG_BOTTOM_DIRECT,
  GMG_BOTTOM_INVERSE,
  GMG_BOTTOM_FFT
};
enum gmg_precision_choice { GMG_PRECISION_AUTO, GMG_PRECISION_DOUBLE, GMG_PRECISION_MIXED };
enum gmg_row_choice { GMG_ROWS_AUTO, GMG_ROWS_PLAIN, GMG_ROWS_SPLIT };
enum gmg_passes_choice { GMG_PASSES_AUTO, GMG_PASSES_NONE, GMG_PASSES_ALL };
enum gmg_backend_choice { GMG_BACKEND_AUTO, GMG_BACKEND_OPENMP, GMG_BACKEND_CUDA };
enum gmg_coarse_choice { GMG_COARSE_AUTO, GMG_COARSE_GPU, GMG_COARSE_CPU };
enum gmg_messages_choice {
  GMG_MESSAGES_AUTO,
  GMG_MESSAGES_HOST,
  GMG_MESSAGES_DIRECT,
  GMG_MESSAGES_NONE
};
enum gmg_cache_choice { GMG_CACHE_ON, GMG_CACHE_OFF };
enum gmg_launch_choice { GMG_LAUNCH_GRAPHS, GMG_LAUNCH_TIMED };
enum { GMG_OPTION_AUTO = 0 }; /* value of a number that was left to the solver */

/* X(name, field, type, default, allowed, help)
 * CHOICE: words separated by |; the value is the word's place. INTEGER, REAL: "least most", and
 * "auto" where the default says so. TRIPLE: three such numbers, separated by commas, or auto. NAME:
 * any word. */
#define GMG_OPTIONS(X) \
  X("operator", operator_, NAME, "auto", "", \
    "operator, by the name of its function; auto: constant7, or variable7 with β") \
  X("rtol", rtol, REAL, "1e-10", "0 1", \
    "stop at this residual norm, relative to the right side's") \
  X("atol", atol, REAL, "0", "0 1e300", "or at this one, absolute") \
  X("norm", norm, CHOICE, "2", "2|max", "norm of the residual") \
  X("max-cycles", max_cycles, INTEGER, "100", "0 1000000", "stop after this many cycles") \
  X("method", method, CHOICE, "auto", "auto|multigrid|fft", \
    "fft: by transforms along the axes, where coefficients and spacing are constant, and no side " \
    "is robin; auto: multigrid") \
  X("cycle", cycle, CHOICE, "auto", "auto|v|w|f|fmg", \
    "multigrid cycle; fmg: a start from coarser grids, then v; auto: fmg, or w where β jumps") \
  X("pre", pre, INTEGER, "2", "0 1000", \
    "sweeps before the coarse-grid correction; on stretched grids two or three times as many") \
  X("post", post, INTEGER, "2", "0 1000", "sweeps after it") \
  X("smoother", smoother, CHOICE, "gsrb", "gsrb|jacobi|chebyshev", "smoother") \
  X("degree", degree, INTEGER, "4", "1 100", "degree of a Chebyshev sweep") \
  X("omega", omega, REAL, "auto", "0.01 1.99", "relaxation factor of gsrb and jacobi") \
  X("interpolation", interpolation, CHOICE, "auto", "auto|constant|linear", \
    "interpolation of the correction; auto: linear, constant where β jumps") \
  X("krylov", krylov, CHOICE, "auto", "auto|none|cg|bicgstab", \
    "Krylov method around the cycles; auto: none at first, cg from where cycles prove slow, if β " \
    "jumps") \
  X("anisotropy", anisotropy, TRIPLE, "auto", "1e-30 1e30", \
    "size of β along x, y and z, one to another; strongly coupled directions are coarsened " \
    "first; auto: all alike, but less across thin layers") \
  X("coarsening", coarsening, CHOICE, "auto", "auto|plain|owners", \
    "what a cell of a coarse grid stands for: plain, the cells that it covers; owners, cells " \
    "that are strongly coupled; auto: owners where β jumps in many places and plain cycles on " \
    "some of the cells prove slow") \
  X("bottom", bottom, CHOICE, "auto", "auto|sweeps|cg|bicgstab|direct|inverse|fft", \
    "solver of the coarsest level; inverse: of the first with two cells along its longest axis; " \
    "fft: by transforms, where method fft could solve it; " \
    "auto: that, or sweeps where β jumps and cycles are v or f") \
  X("bottom-cells", bottom_cells, INTEGER, "auto", "1 100000", \
    "coarsen down to at most this many cells") \
  X("bottom-sweeps", bottom_sweeps, INTEGER, "auto", "1 10000", \
    "Gauss-Seidel sweeps of the bottom solver sweeps; auto: by the size of the coarsest level") \
  X("box", box, INTEGER, "auto", "1 1073741824", \
    "nominal cells per direction of a box; auto: as large as can be") \
  X("gather", gather, INTEGER, "auto", "1 1073741824", \
    "coarse levels with fewer cells per rank go onto fewer ranks; auto: 512, on GPUs 32768") \
  X("rows", rows, CHOICE, "auto", "auto|plain|split", \
    "storage of rows; split: even and odd cells apart, so that a colour is contiguous; auto: " \
    "split") \
  X("passes", passes, CHOICE, "auto", "auto|none|all", \
    "several kernels in one sweep over memory; auto: on levels larger than the cache, on a GPU " \
    "where it is faster") \
  X("backend", backend, CHOICE, "auto", "auto|openmp|cuda", \
    "what computes: openmp, the CPU; cuda, a GPU; auto: the GPU where there is one with enough " \
    "memory") \
  X("coarse", coarse, CHOICE, "auto", "auto|gpu|cpu", \
    "what computes the small levels of a GPU's solve; auto: the faster, timed in setup") \
  X("coarse-cells", coarse_cells, INTEGER, "auto", "1 1000000000", \
    "small levels have at most this many cells") \
  X("device-messages", device_messages, CHOICE, "auto", "auto|host|direct|none", \
    "how values travel between ranks on GPUs: by way of the host, or MPI reads the GPU; auto: as " \
    "directly as can be; none, for benchmarks: they do not, and results are wrong") \
  X("kernel-cache", kernel_cache, CHOICE, "on", "on|off", \
    "keep kernels that were compiled for a GPU") \
  X("launch", launch, CHOICE, "graphs", "graphs|timed", \
    "how a GPU gets its kernels; timed: one by one, with their times in the report") \
  X("precision", precision, CHOICE, "auto", "auto|double|mixed", \
    "precision of the cycles; mixed: single, on residuals in double; auto: mixed from 64³ cells " \
    "up")

#define GMG_OPTION_TYPE_CHOICE int
#define GMG_OPTION_TYPE_INTEGER int
#define GMG_OPTION_TYPE_REAL double
#define GMG_OPTION_TYPE_NAME gmg_option_name
#define GMG_OPTION_TYPE_TRIPLE gmg_option_triple
typedef char gmg_option_name[64];
typedef double gmg_option_triple[3];

struct gmg_options {
#define GMG_OPTION_FIELD(name, field, type, initial, allowed, help) GMG_OPTION_TYPE_##type field;
  GMG_OPTIONS(GMG_OPTION_FIELD)
#undef GMG_OPTION_FIELD
};

enum gmg_option_type {
  GMG_OPTION_CHOICE,
  GMG_OPTION_INTEGER,
  GMG_OPTION_REAL,
  GMG_OPTION_NAME,
  GMG_OPTION_TRIPLE
};
struct gmg_option {
  const char *name;
  enum gmg_option_type type;
  size_t offset; /* in struct gmg_options */
  const char *initial, *allowed, *help;
};
extern const struct gmg_option gmg_option_table[];
extern const int gmg_option_count;

/* An option of earlier versions: it is accepted and ignored, and a solver says so
 * (gmg_solver_fallback). */
struct gmg_withdrawn_option {
  const char *name, *why;
};
extern const struct gmg_withdrawn_option gmg_withdrawn_options[];
extern const int gmg_withdrawn_option_count;

void gmg_options_default(struct gmg_options *options);
/* Why an option was withdrawn; NULL: it was not. */
const char *gmg_option_withdrawn(const char *name);
/* Sets one. Errors: GMG_ERR_OPTION, with a sentence in message. */
gmg_status gmg_options_set(struct gmg_options *options, const char *name, const char *value,
                           char *message, size_t message_size);
/* The type of an option. Returns -1 if there is none of that name. */
int gmg_options_type(const char *name, enum gmg_option_type *type);
/* Value of an option as text; "auto" where it was left to the solver. Returns -1 if there is none
 * of that name. */
int gmg_options_text(const struct gmg_options *options, const char *name, char *text, size_t size);
/* A number as text, of no more digits than it takes to tell it from all others. */
void gmg_number_text(double number, char *text, size_t size);
/* Which of count names is nearest to a mistyped one: its index, or -1 where none is near. `step`:
 * bytes from one name pointer to the next. */
int gmg_nearest_name(const char *name, const char *const *names, int count, size_t step);

#endif
