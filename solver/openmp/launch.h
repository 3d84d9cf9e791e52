/* Launches generated kernels: a descriptor's fields are bound by name to a level's, once, at setup; to run a call is to
 * exchange the ghosts that the descriptor says are read, then the kernel. */
#ifndef GMG_OPENMP_LAUNCH_H
#define GMG_OPENMP_LAUNCH_H

#include "../level.h"

/* An exchange with its two ends (the same one for ghosts). */
struct gmg_move {
  struct gmg_exchange *exchange; /* NULL: nothing to move */
  struct gmg_kernel_stat *stat;
  struct gmg_level_array *from, *to;
  struct gmg_ready_move *ready; /* for the device (cuda/move.h); NULL: the host moves */
};
/* Runs it and counts its time. An MPI failure stays in the context. */
void gmg_move_run(gmg_context *context, const struct gmg_move *move);
/* The same between any two arrays that the exchange was made for. */
void gmg_move_values(gmg_context *context, struct gmg_exchange *exchange, struct gmg_kernel_stat *stat,
                     const void *from, void *to);
/* Where a level counts the time of its exchanges. */
struct gmg_kernel_stat *gmg_exchange_stat(struct gmg_level *level);

struct gmg_call {
  struct gmg_level *level; /* whose cells the kernel visits */
  struct gmg_level *other; /* of its FINER or COARSER fields, or NULL */
  const struct gmg_kernel_descriptor *kernel;
  struct gmg_kernel_args args;
  struct gmg_level_array *array[GMG_MAX_FIELDS]; /* that args.field is of */
  struct gmg_tile *tile;
  struct gmg_kernel_box *box;
  size_t scratch_bytes;
  struct gmg_move ghosts[4]; /* filled before the kernel runs */
  int exchanges;
  struct gmg_kernel_stat *stat;
  double traffic;          /* bytes that a run by itself moves */
  struct gmg_ready *ready; /* for the device (cuda/ready.h); NULL: the host runs it, */
  struct gmg_ready *kept;  /* although the device could: what it would need */
};

/* What a kernel calls `from` is `to` on the level. A list ends with {NULL, NULL}. */
struct gmg_rename {
  const char *from, *to;
};

/* Binds the kernel's form in the precision of `own`, whichever was given. other: the level of the kernel's FINER or COARSER
 * fields, or NULL. Fields of another precision are those of the level's twin. Fields that are not there are made.
 * Calls: not collective. Memory: gives the call. Errors: GMG_ERR_OPTION where the kernel needs a field or scalar that the
 * solver does not have; GMG_ERR_MEMORY. */
gmg_status gmg_call_bind(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own, struct gmg_level *other,
                         const struct gmg_rename *rename, struct gmg_call **call);
void gmg_call_destroy(struct gmg_call **call);
/* Destroys the calls that a level keeps; NULL is allowed. */
void gmg_calls_destroy(struct gmg_level *level);
/* The same as gmg_call_bind, but the level keeps the call. */
gmg_status gmg_call_keep(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own, struct gmg_level *other,
                         const struct gmg_rename *rename, struct gmg_call **call);
/* Binds, runs once and forgets; s is its one scalar besides the equation's. */
gmg_status gmg_call_once(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own, struct gmg_level *other,
                         const struct gmg_rename *rename, double s);

/* Sets a scalar by name, if the kernel has it. */
void gmg_call_set(struct gmg_call *call, const char *scalar, double value);
/* Exchanges and runs. Calls: collective over the ranks of the level. An MPI failure stays in the context. */
void gmg_call_run(struct gmg_call *call);
/* The same at once, with these arguments; and one of its exchanges. */
void gmg_call_run_alone(const struct gmg_call *call, const struct gmg_kernel_args *args);
void gmg_call_exchange(const struct gmg_call *call, int n);
/* What its row buffers hold counts no more: before every run. */
void gmg_call_forget(const struct gmg_call *call);
/* Notes that its kernel has written fields. */
void gmg_call_note(const struct gmg_call *call);
/* Runs what calls have put off (openmp/pass.h, cuda/queue.h): before anything but a call or a move touches fields. */
void gmg_call_wait(gmg_context *context);
/* Runs with reductions, one per thread; gives them summed and maximised over the threads. In between other calls may run, but
 * no other with reductions. */
void gmg_call_reduce_begin(struct gmg_call *call, const double cut[GMG_SUM_BINS]);
/* Gives the call empty reductions and runs nothing. */
void gmg_call_reduce_clear(struct gmg_call *call, const double cut[GMG_SUM_BINS]);
void gmg_call_reduce_end(struct gmg_call *call, struct gmg_reduction *total);

#endif
