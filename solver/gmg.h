/* gmg: multigrid for  a α u − b ∇·(β ∇u) = f  on structured grids. The public interface.
 *
 * Life cycle: context → grid → solver → coefficients → setup → solve, any number of times →
 * destroy. The library never prints, aborts or exits. Every call returns a gmg_status;
 * gmg_context_message() has the sentence. Positive status: the arguments were rejected and the
 * object is as before. Negative: the object is unusable. Index order: i (x) runs fastest, k (z)
 * slowest; cells count from 0 over the whole grid.
 *
 * Calls marked collective are made by all ranks of the context, in the same order, and return the
 * same status on all of them; where one rank alone fails, its status and sentence are those of all.
 * A rank may make all other calls by itself. Each collective call begins by comparing what all
 * ranks must give alike, to the last bit: the call, its numbers and the solver; setup, predict and
 * all that solves also the grid, the equation, options and coefficients (docs/library.md lists
 * them). Where they differ, all ranks return GMG_ERR_ARGUMENT, with a sentence that says in what
 * and on which ranks, and the objects are as before. A rank that is given a NULL context, grid or
 * solver returns at once, and those that make the call wait for it.
 *
 * GMG_ERR_MPI: an MPI call returned an error, on whichever rank; the sentence says which and where.
 * All ranks that MPI still serves return it, from this call or the next collective one, and all of
 * the context's objects are unusable: destroy them, on all ranks, and create others from a new
 * context if MPI still works. The context's communicators return errors, and abort no process. */
#ifndef GMG_H
#define GMG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GMG_STATUSES(X) \
  X(GMG_OK, 0, "no error") \
  X(GMG_ERR_ARGUMENT, 1, "an argument was rejected") \
  X(GMG_ERR_OPTION, 2, "an option was rejected") \
  X(GMG_ERR_COEFFICIENT, 3, "a coefficient was rejected") \
  X(GMG_ERR_ORDER, 4, "the call came before one that it needs") \
  X(GMG_ERR_UNSUPPORTED, 5, "not supported by this version") \
  X(GMG_ERR_RECORDER, 6, "what records the calls failed") \
  X(GMG_ERR_MEMORY, -1, "out of memory") \
  X(GMG_ERR_MPI, -2, "an MPI call failed") \
  X(GMG_ERR_INTERNAL, -3, "an internal check failed") \
  X(GMG_ERR_DEVICE, -4, "a device call failed")
#define GMG_STATUS_ENUM(name, value, text) name = value,
typedef enum { GMG_STATUSES(GMG_STATUS_ENUM) GMG_STATUS_END = 1000 } gmg_status;
#undef GMG_STATUS_ENUM
/* The text of a status. Memory: static. */
const char *gmg_status_text(gmg_status status);

typedef struct gmg_context gmg_context;
typedef struct gmg_grid gmg_grid;
typedef struct gmg_solver gmg_solver;

/* A context on one rank. threads: OpenMP threads per rank, 0 for the OpenMP default.
 * Memory: gives the context. Errors: GMG_ERR_ARGUMENT, GMG_ERR_MEMORY. */
gmg_status gmg_context_create(int threads, gmg_context **context);
#ifdef MPI_VERSION
/* A context on all ranks of a communicator; it works on two duplicates of it. threads may differ
 * between ranks. Calls: collective. Include mpi.h before this header. Errors: GMG_ERR_ORDER (before
 * MPI_Init, or after MPI_Finalize), GMG_ERR_ARGUMENT (MPI_COMM_NULL too), GMG_ERR_MEMORY,
 * GMG_ERR_MPI. */
gmg_status gmg_context_create_mpi(MPI_Comm communicator, int threads, gmg_context **context);
#endif
/* Calls: collective, and before MPI_Finalize, for a context on several ranks. */
void gmg_context_destroy(gmg_context **context);
/* A sentence about the context's last call that did not return GMG_OK, until the next such one. */
const char *gmg_context_message(const gmg_context *context);
int gmg_context_ranks(const gmg_context *context);
int gmg_context_rank(const gmg_context *context);
int gmg_context_threads(const gmg_context *context);
/* Which generated kernels run: "auto", or the name of an instruction set that was built
 * ("baseline", "x86-64-v3", "x86-64-v4"). Before any solver is set up. Errors: GMG_ERR_OPTION, with
 * the names of those that were built and run here. */
gmg_status gmg_context_set_isa(gmg_context *context, const char *isa);
const char *gmg_context_isa(const gmg_context *context);
/* The GPU that solvers of the context can compute on: "NVIDIA H200, 139.8 GiB, sm_90"; or why there
 * is none, and *found (if not NULL) is 0. Memory: the context's, until the next such call. */
const char *gmg_context_device(gmg_context *context, int *found);
/* Operators of the application's own, which gmg_add_operator() of the CMake package made from its C
 * files: the option "operator" of every solver set up from then on knows them by name.
 * GMG_OPERATORS declares what it made under `name`, which is STEM_operators for a first file STEM.c
 * (skew_operators for skew.c), or what NAME says there. Memory: keep; static. Errors:
 * GMG_ERR_ARGUMENT (NULL, a name that is taken, more than 8 calls), GMG_ERR_UNSUPPORTED (made for
 * no instruction set that runs here). */
struct gmg_kernel_library;
#define GMG_OPERATORS(name) extern const struct gmg_kernel_library *const name[]
gmg_status gmg_context_add_operators(gmg_context *context,
                                     const struct gmg_kernel_library *const *operators);

/* A grid of cells[0] x cells[1] x cells[2] cells on the box lower … upper. Uniform; Dirichlet 0 on
 * all sides. This rank's part, the cells whose values it hands over and takes back, is
 * gmg_grid_part(): balanced slabs in k unless set. Errors: GMG_ERR_ARGUMENT (cells < 1 or > 2^30 in
 * a direction, upper <= lower, not finite). Calls: not collective, as all that begin with gmg_grid:
 * gmg_solver_create compares the grids of all ranks, their parts besides. */
gmg_status gmg_grid_create(gmg_context *context, const int cells[3], const double lower[3],
                           const double upper[3], gmg_grid **grid);
void gmg_grid_destroy(gmg_grid **grid);
/* Stretched spacing along one axis (0 x, 1 y, 2 z): cells + 1 increasing coordinates. Memory:
 * copied. */
gmg_status gmg_grid_set_faces(gmg_grid *grid, int axis, const double *faces);
/* Cells [lower, upper) that this rank hands over, or none; the parts of all ranks tile the grid. */
void gmg_grid_part(const gmg_grid *grid, int lower[3], int upper[3]);
gmg_status gmg_grid_set_part(gmg_grid *grid, const int lower[3], const int upper[3]);

typedef enum { GMG_DIRICHLET, GMG_NEUMANN, GMG_ROBIN, GMG_PERIODIC } gmg_boundary;
typedef enum { GMG_X_LO, GMG_X_HI, GMG_Y_LO, GMG_Y_HI, GMG_Z_LO, GMG_Z_HI } gmg_side;
/* Dirichlet: u = value; Neumann: ∂u/∂n = value, n outward; Robin: c0 u + c1 ∂u/∂n = value. value is
 * one number for the side (gmg_grid_set_boundary) or one per face (gmg_grid_set_boundary_values:
 * the global array, first tangential axis fastest, all of it on every rank, copied). Periodic: both
 * sides of an axis. A solver copies the grid: both change solvers that are created later, and no
 * other; gmg_solver_set_boundary_value changes one that is there. */
gmg_status gmg_grid_set_boundary(gmg_grid *grid, gmg_side side, gmg_boundary kind, double c0,
                                 double c1, double value);
gmg_status gmg_grid_set_boundary_values(gmg_grid *grid, gmg_side side, const double *values);

/* Values on this rank's part: element (i, j, k), counted from the part's first cell, is data[i
 * stride[0] + j stride[1] + k stride[2]]. Face arrays along an axis have one more element there
 * than the part has cells. A stride of 0 in an array that a call reads means the same values all
 * along that axis; in one that it fills no two values may share memory (GMG_ERR_ARGUMENT). */
typedef struct {
  double *data;
  ptrdiff_t stride[3];
} gmg_array;

typedef enum { GMG_ALPHA, GMG_BETA, GMG_BETA_X, GMG_BETA_Y, GMG_BETA_Z } gmg_coefficient;
typedef enum { GMG_HARMONIC, GMG_ARITHMETIC } gmg_average;
/* Where the values of a field lie, and what a coarse cell or face takes of the fine values that it
 * covers: their mean, their harmonic mean (of values > 0), or the first one. */
typedef enum { GMG_ON_CELLS, GMG_ON_FACES_X, GMG_ON_FACES_Y, GMG_ON_FACES_Z } gmg_centring;
typedef enum { GMG_COARSEN_ARITHMETIC, GMG_COARSEN_HARMONIC, GMG_COARSEN_NONE } gmg_coarsening;

/* A solver for one grid, the same on all ranks but for their parts. The grid is copied. Calls:
 * collective. Memory: gives the solver. */
gmg_status gmg_solver_create(gmg_grid *grid, gmg_solver **solver);
void gmg_solver_destroy(gmg_solver **solver);
/* The scalars a and b of the equation; defaults a = 0, b = 1. b > 0, and a α ≥ 0 (see
 * gmg_solver_set_coefficient). After gmg_solver_setup too: solves are then those of a solver made
 * with them, to the last bit. Another a needs α again, another b β: a borrowed one is read inside
 * this call, of a copied one nothing is left. Another a without α costs next to nothing on the CPU,
 * the rest about a setup with replaced coefficients. Where coefficients were set or borrowed anew
 * since the last setup, a and b wait for the next one. Errors: GMG_ERR_COEFFICIENT; GMG_ERR_ORDER
 * names the coefficient that is needed (set it again and call gmg_solver_setup);
 * GMG_ERR_ARGUMENT. Calls: after gmg_solver_setup collective. */
gmg_status gmg_solver_set_equation(gmg_solver *solver, double a, double b);
/* The value of a side, or one per face as in gmg_grid_set_boundary_values (copied), in place of the
 * grid's; its kind and coefficients stay. After gmg_solver_setup too: what that side adds to the
 * right sides is computed anew, and nothing else. Errors: GMG_ERR_ARGUMENT (no such side, a
 * periodic one, a value that is not finite or differs between ranks). Calls: after gmg_solver_setup
 * collective. */
gmg_status gmg_solver_set_boundary_value(gmg_solver *solver, gmg_side side, double value);
gmg_status gmg_solver_set_boundary_values(gmg_solver *solver, gmg_side side, const double *values);
/* α (cells), β (cells, averaged onto faces), or β on the faces of all three axes; a α ≥ 0 and β > 0
 * everywhere, finite (with β on cells and non-zero Neumann or Robin values the discretization is
 * first order at that wall, whose faces take the cell's value; with β on faces second); a
 * coefficient not set is 1. The values are copied: those in the memory of a GPU, by strides that
 * are not negative, stay there, where a GPU computes. After a setup, a coefficient that was set
 * before it may be replaced; another gmg_solver_setup takes it in. Errors: GMG_ERR_COEFFICIENT
 * names the first offending value and its index. Calls: collective. */
gmg_status gmg_solver_set_coefficient(gmg_solver *solver, gmg_coefficient which,
                                      const gmg_array *values);
/* A coefficient without a copy: every gmg_solver_setup reads the caller's array anew, in the host's
 * memory or a GPU's. Memory: keep; the array is read inside this call, gmg_solver_setup and
 * gmg_solver_set_equation alone, until the coefficient is set again or the solver destroyed. All
 * ranks borrow a coefficient, or all hand over a copy. Calls: collective. */
gmg_status gmg_solver_borrow_coefficient(gmg_solver *solver, gmg_coefficient which,
                                         const gmg_array *values);
gmg_status gmg_solver_set_average(gmg_solver *solver, gmg_average average);
/* A coefficient field that an operator of the application's own (gmg_context_add_operators) reads,
 * by its name there: finite values, copied, as gmg_solver_set_coefficient has them. Beyond walls a
 * field on cells goes on as in the wall's cell. All are set before gmg_solver_setup; one may be
 * replaced after it, and another setup takes it in. Errors: GMG_ERR_ARGUMENT (a name of the
 * library's, or too many), GMG_ERR_COEFFICIENT, GMG_ERR_ORDER. Calls: collective. */
gmg_status gmg_solver_set_field(gmg_solver *solver, const char *name, gmg_centring centring,
                                gmg_coarsening coarsening, const gmg_array *values);
/* Options by name and text, as the program's options without "--"; gmg_solver_option_name lists
 * them, gmg(1) says what they do. rtol, atol, norm and max-cycles may be set after gmg_solver_setup
 * too, alike on all ranks, for the solves from then on; a larger max-cycles than any before moves
 * the histories of the last result. Errors: GMG_ERR_OPTION says what was expected, and the nearest
 * name; GMG_ERR_ORDER (any other option, after the setup); GMG_ERR_MEMORY (max-cycles; the option
 * is as before). */
gmg_status gmg_solver_set_option(gmg_solver *solver, const char *name, const char *value);
/* Options by their type: a whole number (max-cycles, pre, post, degree, bottom-cells, box,
 * …), a real one (rtol, atol, omega), or a word (operator, norm, cycle, smoother, …). Errors:
 * GMG_ERR_OPTION, also where the option is of another type. */
gmg_status gmg_solver_set_integer(gmg_solver *solver, const char *name, int value);
gmg_status gmg_solver_set_real(gmg_solver *solver, const char *name, double value);
gmg_status gmg_solver_set_choice(gmg_solver *solver, const char *name, const char *word);
/* Name of option `index`, counted from 0; NULL past the last. Memory: static. */
const char *gmg_solver_option_name(int index);
/* Plans, allocates and computes all levels; the options but for those of solves are fixed from here
 * on. Called again, it takes in the coefficients replaced since, on the levels there are: it plans
 * nothing, and keeps what was not replaced. Only where a alpha becomes uniform or stops being so it
 * starts anew, and needs all coefficients again. Memory: knows how much it will take before it
 * takes any field, and takes none where that cannot be had. Errors: GMG_ERR_ORDER (that),
 * GMG_ERR_COEFFICIENT: the solver is as before, and forgets the replacements (in the first setup:
 * all coefficients). GMG_ERR_MEMORY says how much is needed and how much there is. Calls:
 * collective. */
gmg_status gmg_solver_setup(gmg_solver *solver);

/* Bytes on this rank. */
typedef struct {
  /* the most that setup and the solves after it hold at once, known before any field is taken */
  int64_t predicted;
  int64_t peak; /* the most that they did hold, copies of coefficients included */
  int64_t now;  /* that the solver holds */
} gmg_memory_info;
/* What gmg_solver_predict cannot see yet: coefficients that will be set (copied) before
 * gmg_solver_setup, of which α varies, and whether β will jump, so that conjugate gradients, which
 * krylov auto may turn on in a solve, need vectors too. */
enum { GMG_EXPECT_ALPHA = 1, GMG_EXPECT_BETA = 2, GMG_EXPECT_BETA_FACES = 4, GMG_EXPECT_JUMPS = 8 };
/* Before gmg_solver_setup: what it would predict, from the options, what was set, and what is
 * expected besides (0, or an OR of the above). After it: what it did predict. Refuses what the
 * limits of the process (ulimit) or the free memory of the machine cannot hold, together with
 * `arrays` bytes that the caller will take on this rank itself. Calls: collective. Errors: those of
 * gmg_solver_setup; the solver is as before. */
gmg_status gmg_solver_predict(gmg_solver *solver, int expected, int64_t arrays,
                              gmg_memory_info *memory);

/* How a solve ended. GMG_ROUNDING_LIMIT: u is as exact as double precision holds it, and the
 * tolerance asks for more. GMG_INTERRUPTED: gmg_solver_stop was called. */
typedef enum {
  GMG_CONVERGED,
  GMG_MAX_CYCLES,
  GMG_STALLED,
  GMG_DIVERGED,
  GMG_NOT_FINITE,
  GMG_ROUNDING_LIMIT,
  GMG_INTERRUPTED
} gmg_outcome;
/* The outcome's name without its prefix, in lower case: "converged". Memory: static. */
const char *gmg_outcome_text(gmg_outcome outcome);

typedef struct {
  gmg_outcome outcome;
  const char *reason; /* one sentence; the solver's, until the next solve */
  int cycles;
  double initial_norm;      /* ‖f₀‖ */
  double relative_residual; /* ‖f - A u‖ / ‖f₀‖; 0 if f₀ = 0 and the residual is 0 */
  /* cycles + 1 norms, the solver's; in mixed precision all but the last may be estimates */
  const double *residual_history;
  const double *seconds_history; /* cycles + 1: seconds since the solve began */
  int singular;                  /* 1: the right side was projected and the mean of u is 0 */
  double projected;              /* by how much: the mean of f that was taken off */
  double setup_seconds, solve_seconds;
  /* of the solve's, on this rank: in kernels, in exchanges of ghosts and between levels, waiting
   * for sums over the ranks or for a GPU; the rest is other work of the host. Kernels on a GPU
   * run while the host waits for them: their seconds are in `waiting` alone */
  double kernel_seconds, exchange_seconds, waiting_seconds;
} gmg_result;

/* Called after every cycle (cycle 0: the start) on every rank; not inside an OpenMP region. */
typedef void gmg_monitor(void *user, int cycle, double norm, double relative, double seconds);
gmg_status gmg_solver_set_monitor(gmg_solver *solver, gmg_monitor *monitor, void *user);

/* Asks for an end: the solve that runs, or else the next one, ends after the cycle it is in with
 * GMG_INTERRUPTED (unless that cycle ends it anyway), and u holds what was found so far. From a
 * signal handler, a monitor or another thread. It is enough that one rank asks; a call from a
 * monitor, or on one rank of several, takes a cycle more. A request ends with the solve that it is
 * for, whatever the outcome. Calls: not collective; async-signal-safe. */
void gmg_solver_stop(gmg_solver *solver);

/* Solves. f: right side per unit volume. u: takes the solution; use_guess != 0: holds the initial
 * guess on entry. A start by full multigrid (option cycle) then solves for what the guess lacks;
 * and where its residual norm is larger than that of zero, the solve is one without a guess. Not
 * converging is a result, not an error. Allocates nothing. Errors: GMG_ERR_ARGUMENT (this and the
 * calls below: arrays in a GPU's memory where the host computes, by gmg_solver_backend). Calls:
 * collective. */
gmg_status gmg_solver_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result);

/* w = A u, per unit volume, where A u = a α u − b ∇·(β ∇u) with boundary values 0 (the part of A
 * that is linear in u). Arrays on this rank's part; w may be u. Memory: as below. Calls:
 * collective, after gmg_solver_setup. */
gmg_status gmg_solver_apply(gmg_solver *solver, const gmg_array *u, gmg_array *w);
/* r = f − A u, per unit volume, boundary values included: what a solve makes small. Of a singular
 * problem the mean of f is not taken off. r may be f or u. Memory: the first of these calls takes
 * one field (8 bytes per unknown of this rank), which gmg_solver_predict leaves out; strides other
 * than the last call's take buffers. Calls: collective, after gmg_solver_setup. */
gmg_status gmg_solver_residual(gmg_solver *solver, const gmg_array *f, const gmg_array *u,
                               gmg_array *r);
/* The fluxes −b β ∂u/∂x, ∂/∂y, ∂/∂z through all faces of this rank's part (face arrays, as of
 * GMG_BETA_X, …), boundary values included; for a solution of second order (of first, within a few
 * cells of an edge), and such that in every cell A u − a α u is their outflow over the volume, to
 * rounding: what a projection takes off its velocities. Faces on walls have what the boundary
 * formula gives: at a Neumann wall −b β value outwards, exactly. Operators constant7 and variable7.
 * Memory: as of gmg_solver_residual, and buffers for the length of the call. Arrays in the memory
 * of a GPU are filled there, by way of the host where walls have values or ranks differ from the
 * caller's parts. Calls: collective, after gmg_solver_setup. Errors: GMG_ERR_UNSUPPORTED (other
 * operators). */
gmg_status gmg_solver_fluxes(gmg_solver *solver, const gmg_array *u, gmg_array *flux_x,
                             gmg_array *flux_y, gmg_array *flux_z);
/* z = B r: a fixed number of cycles (option cycle; V where that is fmg) on A z = r from z = 0 with
 * boundary values 0, as the preconditioner of a Krylov method of the caller's own. B is linear, and
 * gives the same bits for the same r; with the option bottom = bicgstab, and in mixed precision, it
 * is linear only nearly. For a singular problem the means of r and z are taken off. B is symmetric
 * in the volume-weighted inner product Σ volume x y with smoother jacobi or chebyshev,
 * interpolation constant, cycle v or w, and pre = post; otherwise the caller's method should be a
 * flexible one. z may be r. Memory: as of gmg_solver_residual. Calls: collective, after
 * gmg_solver_setup. */
gmg_status gmg_solver_precondition(gmg_solver *solver, const gmg_array *r, gmg_array *z,
                                   int cycles);

struct gmg_tuning_candidate; /* gmg_report.h */
/* Tuning: which of several ways that give the same bits is the fastest here. What was found is the
 * context's wisdom, which solvers use that are set up from then on; the first setup of a context
 * reads what is shipped with gmg, then the user's file ($XDG_CACHE_HOME/gmg/wisdom.json, or else
 * ~/.cache/gmg/wisdom.json). Wisdom of other machines, kernels or threads is never used. */
typedef struct {
  double budget;  /* seconds; 0: 60 */
  int exhaustive; /* 1: times every candidate; 0: those that a model thinks fast, and around them */
  /* told a few times a second: what is tuned, how many candidates were timed, of how many */
  void (*progress)(void *user, const char *subject, int measured, int of, double seconds_left);
  /* told of every candidate, and of those that were chosen, on rank 0 at least; or NULL */
  void (*record)(void *user, const struct gmg_tuning_candidate *candidate);
  void *user;
} gmg_tuning;
typedef struct {
  int measured;  /* candidates that were timed */
  int discarded; /* of them: that did not compute the same bits */
  int better;    /* levels and kernels for which another candidate than the default was chosen */
} gmg_tuning_result;
/* Times cycles of the solver on this machine, which should have nothing else to do. It begins with
 * what the solver was set up with, the rules or wisdom. gmg_solver_stop ends it early, with what
 * was found so far. tuning NULL: all members 0. result may be NULL. Calls: collective, after
 * gmg_solver_setup, not between a solve and the use of its result. Errors: GMG_ERR_ORDER,
 * GMG_ERR_MEMORY, GMG_ERR_DEVICE, GMG_ERR_MPI. */
gmg_status gmg_solver_tune(gmg_solver *solver, const gmg_tuning *tuning, gmg_tuning_result *result);
/* Adds a file's wisdom, all of it or, with GMG_ERR_ARGUMENT and the reason, nothing. NULL: from now
 * on no file is looked for. Before the solver that is to use it is set up. Rank 0 reads. Calls:
 * collective. */
gmg_status gmg_context_load_wisdom(gmg_context *context, const char *path);
/* Adds what gmg_solver_tune found to a file, which keeps what else it has; NULL: the user's. Rank 0
 * writes. Calls: collective. Errors: GMG_ERR_ARGUMENT with the reason; the file is as before. */
gmg_status gmg_context_save_wisdom(gmg_context *context, const char *path);
/* What wisdom there is for this machine, in a sentence. Memory: the context's, until the next call.
 * Calls: collective. */
const char *gmg_context_wisdom(gmg_context *context);

/* What a solver was made with, for whoever records it. All pointers are the solver's; faces and
 * values may be NULL. */
typedef struct {
  int cells[3];
  double lower[3], upper[3];
  const double *faces[3]; /* cells + 1 of a stretched axis; NULL: uniform */
  struct {
    gmg_boundary kind;
    double c0, c1, value;
    const double *values; /* one per face of the side (gmg_grid_set_boundary_values); NULL: value */
  } side[6];
  int part_lower[3], part_upper[3]; /* this rank's cells */
  double a, b;
  gmg_average average;
  int has[5]; /* by gmg_coefficient: 1 where it was set */
} gmg_description;
gmg_status gmg_solver_describe(const gmg_solver *solver, gmg_description *description);
/* Sees what the solver is called with, so that the solve can be replayed from a file (gmg_io.h has
 * one that writes problem files). All ranks have one, or none. Both are called on all ranks, in the
 * same order, and return NULL, or a sentence that says what failed. coefficient: when one was set
 * (of one that is borrowed: when it is read, in gmg_solver_setup). solve: before each solve; guess
 * is NULL where there is none. */
typedef struct {
  void *user;
  const char *(*coefficient)(void *user, const gmg_solver *solver, gmg_coefficient which,
                             const gmg_array *values);
  const char *(*solve)(void *user, const gmg_solver *solver, const gmg_array *f,
                       const gmg_array *guess);
} gmg_recorder;
/* NULL: none. Before the first coefficient is set, to see all of them. Memory: copied. A failure
 * ends the call that was seen with GMG_ERR_RECORDER. */
gmg_status gmg_solver_set_recorder(gmg_solver *solver, const gmg_recorder *recorder);

/* A dense array of this rank's part where the solver computes: in the memory of its GPU, or the
 * host's. Arrays of calls may lie in either, on all ranks in the same; those on the GPU are used
 * where they are (which a solver that computes on the CPU cannot), and must be complete when a call
 * begins. create, before gmg_solver_setup: by the option backend; where it is auto and there is a
 * GPU, in its memory. copy: between arrays of the same strides, each in either memory.
 * Memory: gives the array's data; gmg_solver_array_destroy takes it back, before the solver is
 * destroyed. Errors: GMG_ERR_MEMORY (the solver is as before), GMG_ERR_DEVICE. */
gmg_status gmg_solver_array_create(gmg_solver *solver, gmg_array *array);
gmg_status gmg_solver_array_copy(gmg_solver *solver, const gmg_array *from, gmg_array *to);
void gmg_solver_array_destroy(gmg_solver *solver, gmg_array *array);
/* The CUDA stream on which the caller works with its arrays on the GPU: a CUstream or cudaStream_t
 * of the GPU's primary context, such as CU_STREAM_LEGACY for the default one. What it has put there
 * before a call is waited for, and what it puts there after the call waits for the call's results,
 * both on the GPU: when a call returns, its results in arrays on the GPU may still be on their way,
 * and an error on that way shows in a later call. NULL, as at the start: such arrays must be
 * complete when a call begins, and are when it returns. Arrays in the host's memory are so always.
 * At any time. Memory: keeps the stream, until another is set or the solver is destroyed. */
gmg_status gmg_solver_set_stream(gmg_solver *solver, void *stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "gmg_report.h"

#endif
