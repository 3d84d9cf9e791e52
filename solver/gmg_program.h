/* gmg_program: explicit time steppers, which gmg-gen makes of formula files (docs/programs.md), on
 * all ranks and threads of a context. Part of the public interface.
 *
 * Life cycle: context → grid → program → numbers → initial values → run, any number of times →
 * destroy. What gmg.h says of statuses, collective calls and memory holds here too. The values do
 * not depend on ranks, boxes and threads, to the last bit. */
#ifndef GMG_PROGRAM_H
#define GMG_PROGRAM_H

#include "gmg.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct gmg_program gmg_program;
struct gmg_program_descriptor; /* program_table.h; what gmg-gen --target library writes */
/* Declares what gmg_add_program() of the CMake package made of a file NAME.stencil, NAME_program: a
 * program's forms for the instruction sets that the library has, which gmg_program_create takes. */
#define GMG_PROGRAM(name) extern const struct gmg_program_descriptor *const name##_program[]

/* A program on a grid, of which only the numbers of cells count. made: its forms for one
 * instruction set or several, NULL at the end. box: cells of a box and direction, about; 0: one box
 * per rank. steps_per_exchange: 0 or 1: ghosts are exchanged before every kernel that reads them;
 * more: once in so many steps, so deep that all kernels in between find theirs. All arrays are
 * taken, and hold 0. Memory: gives the program; keeps made; copies the grid. Errors:
 * GMG_ERR_ARGUMENT (a grid with too few cells for the ghosts, or with several along k in two
 * dimensions), GMG_ERR_UNSUPPORTED (no form that runs here; several steps per exchange where some
 * arrays are periodic along an axis and others not, or where ghosts would be deeper than 64),
 * GMG_ERR_MEMORY. Calls: collective. */
gmg_status gmg_program_create(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                              int box, int steps_per_exchange, gmg_program **program);
/* Likewise, but for ranks of unlike speeds: the grid is cut across its last axis, in the order of
 * the ranks, and each one's part of the cells is in proportion to its weight, rounded to whole
 * layers; 0: it has none. box: cells of a box in such a part. Results do not depend on weights.
 * Errors: also GMG_ERR_ARGUMENT (a weight that is below 0 or no number, none above 0). */
gmg_status gmg_program_create_weighted(gmg_grid *grid,
                                       const struct gmg_program_descriptor *const *made, int box,
                                       int steps_per_exchange, double weight,
                                       gmg_program **program);
void gmg_program_destroy(gmg_program **program);
/* The program's context, for messages. */
gmg_context *gmg_program_context(const gmg_program *program);

/* Options of where a program runs, which gmg_program_place follows: backend (auto, openmp, cuda),
 * launch (of all that the context's GPU runs from then on), device-messages, kernel-cache, with the
 * words of gmg_solver_set_option.
 * backends (alike, unlike): unlike: ranks may differ in `backend`; those of auto take a GPU where
 * there is one. Messages then travel through the hosts. All ranks of a machine take its GPUs in
 * turn, those too that take none: with several GPUs the first ranks should be theirs. With weights
 * (gmg_program_create_weighted) CPUs and GPUs step one program together, with the bits of either.
 * steps-per-pass (auto, 1 to 16): how many steps of one call of gmg_program_run are one pass over
 * memory, where that can be done; else gmg_program_info says why not. On the host, in three
 * dimensions, where all ghosts lie beyond walls; with several steps per exchange as many, but for
 * 1.
 * auto: 8 where the arrays are more than the caches hold. On a GPU 1 or 2; auto: 1.
 * overlap (auto, always, none): between ranks on GPUs, where boxes are cut along z alone and ghosts
 * hold one step, messages travel while the planes that they neither need nor change are computed,
 * with the same bits; auto: in boxes of four million cells and more.
 * stores (auto, plain, streaming): whether kernels on the host, one step at a time, store past the
 * caches, those whose cells store what no cell reads; auto: where the arrays are more than the
 * caches hold.
 * compose (off, or the number of steps for which gmg-gen --compose has made a kernel): so many
 * steps are taken as one, on the host, but for cells beside walls; on a GPU where all axes are
 * periodic, or between walls `mirror` or `value 0` with the same weights on both sides, whatever
 * the parameters are. Values are those of single steps but for rounding, and do not depend on
 * ranks, boxes, threads and device. As many steps per exchange are needed, and gmg_program_run then
 * takes multiples of them. Alike on all ranks, before gmg_program_place.
 * work (1 to 100), for benchmarks: how many times this rank runs each kernel, as if it were so much
 * slower; values stay. Where a kernel reads what it writes only 1 is taken. Composed steps are not
 * slowed.
 * Errors: GMG_ERR_OPTION, with what was expected. */
gmg_status gmg_program_set_option(gmg_program *program, const char *name, const char *value);
/* Puts the program where the option backend says, with the values that its arrays have: on the GPU,
 * where all arrays stay and all steps run, or back on the host, where it is at first. auto: on the
 * GPU where there is one on every rank, and it has room; else gmg_program_info says why not. The
 * values are the same to the last bit. Memory: arrays keep their copy on the host, which
 * gmg_program_view, _load and _store fill from the GPU, and steps after them read. `made` must then
 * outlive the context. Errors: GMG_ERR_UNSUPPORTED (cuda: there is no GPU, no room on it, or the
 * program cannot run there, as where it composes steps), GMG_ERR_MEMORY, GMG_ERR_DEVICE,
 * GMG_ERR_MPI; afterwards the program is on the host. Calls: collective. */
gmg_status gmg_program_place(gmg_program *program);

/* Wisdom of programs: how their steps are taken the fastest on this machine, as `gmg tune
 * FILE.stencil` has found. Members that are 0 are left as they are without a choice. */
typedef struct {
  int box, steps_per_exchange;     /* as gmg_program_create takes them */
  int steps_per_pass;              /* the option steps-per-pass */
  int compose;                     /* the option compose; 0 unless a call says may_compose */
  double seconds, default_seconds; /* of a step, measured with this choice, and without any */
  const char *note; /* why files that were looked for cannot be used; "": they can. Memory: the
                     * context's, until its next call about wisdom */
} gmg_program_choice;
/* Looks up the choice for a program on as many cells, or on a grid with each extent within a factor
 * of two, on as many ranks and threads. *found: 1 where there is one, which may leave all as it is;
 * else 0, and all members are 0. It may be refused by gmg_program_create all the same. backend:
 * "openmp", or "cuda" once a GPU is open (gmg_program_place). may_compose: 1: among choices for
 * runs that may take several steps as one, with other rounding; 0: all have the bits of no choice.
 * The context's wisdom is that of gmg_context_load_wisdom; files that are looked for by themselves
 * are never an error. Errors: GMG_ERR_ARGUMENT, GMG_ERR_MEMORY, GMG_ERR_MPI. Calls: collective. */
gmg_status gmg_program_find_choice(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                                   const char *backend, int may_compose, gmg_program_choice *choice,
                                   int *found);
/* Adds a choice, with its seconds, to the context's wisdom, in place of the one for the same
 * program, cells, ranks and threads; gmg_context_save_wisdom writes it to a file. `note` is not
 * read. Errors: GMG_ERR_ARGUMENT, GMG_ERR_ORDER (cuda, and no GPU is open), GMG_ERR_INTERNAL (a
 * member is out of its range). Calls: collective. */
gmg_status gmg_program_keep_choice(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                                   const char *backend, int may_compose,
                                   const gmg_program_choice *choice);

/* Sets a parameter, alike on all ranks. Errors: GMG_ERR_ARGUMENT with the names there are. */
gmg_status gmg_program_set(gmg_program *program, const char *name, double value);
/* The value of a parameter; NAN where there is no such parameter, or it has no value yet. */
double gmg_program_parameter(const gmg_program *program, const char *name);
/* Fills all arrays, ghosts too, with the initial values of the formula file, 0 where it says none;
 * past values are like those of the start. Errors: GMG_ERR_ORDER (a parameter has no value). Calls:
 * collective. */
gmg_status gmg_program_begin(gmg_program *program);
/* Takes so many steps. Allocates nothing, but what a solve's first setup takes. Errors:
 * GMG_ERR_ORDER (a parameter has no value, a solve no solver), those of
 * gmg_solver_borrow_coefficient, _setup and _solve, after which the arrays are as they were before
 * the solve in that step, GMG_ERR_ARGUMENT (steps < 0; no multiple of those that are composed;
 * steps or parameters that differ between ranks), GMG_ERR_MPI, GMG_ERR_DEVICE. Calls: collective.
 */
gmg_status gmg_program_run(gmg_program *program, int64_t steps);

/* Takes so many steps at once, where every step multiplies waves of the grid: all arrays are
 * transformed along the axes, each wave is multiplied by what a step does to it, so many times, and
 * all are transformed back. The time does not depend on the number of steps, but for its logarithm.
 * Values are those of gmg_program_run but for rounding, and do not depend on ranks, boxes and
 * threads. Expected: type double; steps linear in the arrays, with the same weights in all cells;
 * at most 8 arrays, past values counted in. Along an axis where steps read neighbours all arrays
 * that they read so are periodic, or have walls `mirror` or `value` of the same kinds, and then the
 * weights on both sides are the same. Walls with values and sources that are constant, also arrays
 * that no step changes, are taken in. Memory: a copy of each array or two, and one more, until it
 * returns. Errors: GMG_ERR_UNSUPPORTED, with what was found in place of that (also: a program on a
 * GPU or one that composes steps, a build without KissFFT), GMG_ERR_ORDER (a parameter has no
 * value), GMG_ERR_ARGUMENT (steps < 0; steps or parameters that differ between ranks),
 * GMG_ERR_MEMORY; the arrays are then as they were. GMG_ERR_MPI. Calls: collective. */
gmg_status gmg_program_leap(gmg_program *program, int64_t steps);
/* How stable steps are, by Fourier analysis as if no wall were near. growth: the most by which a
 * step multiplies a wave, of up to 33 frequencies that the grid has along each axis, the lowest and
 * the highest among them; stable: 1 where that is at most 1, but for rounding. Growth like a power
 * of the number of steps is not seen. Errors: GMG_ERR_UNSUPPORTED (steps are not linear with the
 * same weights in all cells; more than 8 arrays), GMG_ERR_ORDER (a parameter has no value),
 * GMG_ERR_ARGUMENT, GMG_ERR_MEMORY; nothing is stored then. Calls: not collective. */
gmg_status gmg_program_growth(const gmg_program *program, double *growth, int *stable);

/* The value of a reduction of the formula file, by its name, for the arrays as they are: between
 * steps. The bits do not depend on ranks, boxes, threads and what was run before. Of up to 2^32
 * cells a sum loses less than 2^-60 of their number times the largest term; it is NaN, or infinite,
 * where a term is, and infinite where one is 2^900 or more. The least and the largest value are NaN
 * where any value is; -0 is below 0. Fills the ghosts that the reduction reads; for a sum it visits
 * the cells twice. On a GPU the arrays stay there. Allocates nothing. Errors: GMG_ERR_ARGUMENT
 * (NULL, or no such reduction, with the names there are; names or parameters that differ between
 * ranks), GMG_ERR_ORDER (a parameter that it reads has no value), GMG_ERR_MPI, GMG_ERR_DEVICE;
 * value is left as it is but after the last two. Calls: collective. */
gmg_status gmg_program_value(gmg_program *program, const char *name, double *value);
/* The name of the n-th reduction; NULL past the last one. */
const char *gmg_program_value_name(const gmg_program *program, int n);

/* The cells of an array, by its name (u, u@-1), from or to the caller's arrays: values on each
 * rank's part of the grid, on the host, as in gmg.h. Memory: keeps nothing of values; the first
 * call each way takes buffers. Errors: GMG_ERR_ARGUMENT (NULL, no such array, parts that do not
 * tile the grid, values that share memory where they are stored), GMG_ERR_UNSUPPORTED (a program in
 * single precision), GMG_ERR_MEMORY, GMG_ERR_MPI. Calls: collective. */
gmg_status gmg_program_load(gmg_program *program, const char *name, const gmg_array *values);
gmg_status gmg_program_store(gmg_program *program, const char *name, gmg_array *values);

/* The n-th array, as messages and files name it: u, u@-1 for what u was one step ago, next_u for
 * the room of its next values, whose cells mean nothing between steps; NULL past the last one. */
const char *gmg_program_array_name(const gmg_program *program, int n);
/* How deep its ghosts are: the same for all arrays; none along k in two dimensions. */
int gmg_program_ghosts(const gmg_program *program, int axis);
/* What the array holds between two steps that a restart needs: 0 nothing, 1 the values of cells, 2
 * those of ghosts beyond walls too, which are data there. */
int gmg_program_array_kept(const gmg_program *program, int n);

/* One of this rank's boxes of an array: cells [lower, upper) of the grid, element (i, j, k),
 * counted from the first of them, at data + i stride[0] + j stride[1] + k stride[2]. */
typedef struct {
  int lower[3], upper[3];
  int ghosts[3]; /* around the cells, on both sides of an axis; gmg_program_ghosts, or more */
  int single;    /* 1: data are floats; 0: doubles */
  void *data;
  ptrdiff_t stride[3];
} gmg_program_box;
int gmg_program_boxes(const gmg_program *program);
/* Memory: the program's; steps move arrays, so that a view holds until the next gmg_program_run.
 * Errors: GMG_ERR_ARGUMENT, GMG_ERR_DEVICE. */
gmg_status gmg_program_view(gmg_program *program, int array, int box, gmg_program_box *view);

/* Where a solver has arrays of the program in place, without a copy: on a grid whose parts are the
 * ranks' boxes (gmg_grid_set_part), which are one for each rank that has cells. Sets lower = upper
 * on a rank without. Errors: GMG_ERR_ARGUMENT, GMG_ERR_UNSUPPORTED (a rank has several boxes).
 * Calls: not collective. */
gmg_status gmg_program_part(const gmg_program *program, int lower[3], int upper[3]);
/* An array, by its name (u, u@-1), where it lies, in the memory of the host or, after
 * gmg_program_place, of the GPU, as calls of a solver take it: values of this rank's part, on
 * cells; or on faces along an axis, element i being the face between cells i - 1 and i, and the
 * last one the array's first ghost, which this call fills (but where it is fixed). Data is NULL on
 * a rank without cells. Memory: the program's; steps move arrays, so that the view holds until the
 * next gmg_program_run, _place or _destroy. Cells may be changed until then; changes on a GPU are
 * to be complete before the next call for the program. Errors: GMG_ERR_ARGUMENT (NULL, no such
 * array, no ghosts along the axis, since no kernel and no solve reads any), GMG_ERR_UNSUPPORTED
 * (single precision, several boxes on a rank), GMG_ERR_MPI, GMG_ERR_DEVICE. Calls: collective. */
gmg_status gmg_program_lend(gmg_program *program, const char *name, gmg_centring centring,
                            gmg_array *array);

/* Told of each solve in a run, on every rank: its result, the solver's until its next solve. Not
 * inside an OpenMP region. */
typedef void gmg_program_solved(void *user, const gmg_result *result);
/* Attaches a solver for a step `solve NAME: …;` of the formula file, which gmg_program_run then
 * calls, with the arrays that the file names, in place: coefficients are borrowed, and taken in by
 * gmg_solver_setup (in the first step all of it is set up there, unless the application did so
 * before: then they are replaced); what `solution` holds is the guess. Boundaries, options, a and
 * b, and coefficients that the file does not name, are the application's. Not converging is a
 * result: `solved` (or NULL) is told of it, and gmg_program_info counts it. In two dimensions the
 * solver's sides along z are Neumann or periodic. solver NULL: detaches. Memory: keeps the solver,
 * which is to be there at every run, and user. Errors: GMG_ERR_ARGUMENT (no such solve, with the
 * names there are; a solver of another context or with other cells; its grid's parts are not
 * gmg_program_part), GMG_ERR_UNSUPPORTED (several boxes on a rank). Calls: collective. */
gmg_status gmg_program_attach(gmg_program *program, const char *name, gmg_solver *solver,
                              gmg_program_solved *solved, void *user);
/* The name of the n-th solve of the file; NULL past the last one. */
const char *gmg_program_solve_name(const gmg_program *program, int n);

/* What the steps since gmg_program_create took on this rank. On a device kernel_seconds and
 * ghost_seconds are 0 unless the option launch is timed. Texts are the program's. */
typedef struct {
  int64_t steps;
  double seconds, kernel_seconds, ghost_seconds;
  double flops, bytes; /* of the kernels: operations, and values moved at least */
  int64_t memory;      /* bytes */
  int boxes, threads;
  const char *backend; /* "openmp" or "cuda" */
  const char *device;  /* its name; "" on the host */
  const char *reason;  /* why the host computes though there is a GPU for backend auto; else "" */
  int64_t device_memory;
  int kernels_compiled, kernels_cached; /* for the device */
  int composed;                         /* steps that are taken as one; 1: each by itself */
  int steps_per_pass;                   /* that are taken in one pass over memory, at most */
  const char *single_steps; /* why it is 1: on a GPU, or where the option asks for more; else "" */
  /* Of solves in steps: setup and solve, which `seconds` above include; how many of them did not
   * converge, and were not at the limit of rounding either. */
  double setup_seconds, solve_seconds;
  int64_t solves, cycles, unconverged;
  double wait_seconds;    /* of `seconds`: for messages of other ranks */
  int steps_per_exchange; /* of ghosts; 1: before every kernel that reads some */
  int overlapped; /* 1: on a device, messages travel while kernels run (the option overlap) */
} gmg_program_info;
void gmg_program_inform(const gmg_program *program, gmg_program_info *info);

/* ---- marked loops of a serial program ----
 * What `gmg-gen FILE.c --from panda -mpi -o OUT.c` writes calls; not for other code. Rank 0 alone
 * runs the program's main. The other ranks never get there: they take steps, sleep in between, and
 * end with rank 0. What fails is said on stderr, and ends all ranks with status 1. The environment
 * may say GMG_BACKENDS and GMG_WEIGHTS, lists A,B,... of which each rank takes one in turn. */

/* Before main, on all ranks; made and backends as in gmg_program_create, and the option `backend`
 * of each rank in turn. */
void gmg_marked_start(const struct gmg_program_descriptor *const *made, const char *backends);
/* On rank 0 alone, from here on, in this order: the grid, the parameters, the arrays' values at the
 * start (elements [k][j][i] of these extents, i fastest, margin of them before the first cell along
 * each axis), a call for each step, then all steps are taken; the arrays' cells come back. */
void gmg_marked_open(const int cells[3]);
void gmg_marked_set(const char *parameter, double value);
void gmg_marked_array(const char *array, const double *values, const long extent[3],
                      const int margin[3]);
void gmg_marked_step(void);
void gmg_marked_run(void);
/* What the variable of loops that sum (or look for the largest, the least value) has after them:
 * so_far before. Takes the steps that are counted, first. */
double gmg_marked_sum(const char *name, double so_far);
double gmg_marked_largest(const char *name, double so_far);
double gmg_marked_least(const char *name, double so_far);
void gmg_marked_result(const char *array, double *values, const long extent[3],
                       const int margin[3]);
void gmg_marked_close(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
