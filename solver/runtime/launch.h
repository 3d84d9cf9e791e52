/* Launches generated kernels: to run a call, which is a kernel bound to a level (bind.h), is to
 * exchange the ghosts that its descriptor says are read, then to run the kernel. */
#ifndef GMG_LAUNCH_H
#define GMG_LAUNCH_H

#include "level.h"

/* Runs it and counts its time. An MPI failure stays in the context. */
void gmg_move_run(gmg_context *context, const struct gmg_move *move);
/* Moves on the host between any two arrays that the exchange was made for. */
void gmg_move_values(gmg_context *context, struct gmg_exchange *exchange,
                     struct gmg_kernel_stat *stat, const void *from, void *to);

/* The sweep over memory in which a call ran, as far as it is the call's. */
struct gmg_sweep {
  double moved;   /* bytes, of those of the sweep */
  double touched; /* of all fields of the sweep */
  int fused;      /* 1: other calls ran in it */
  int by_device;  /* 1: the back end ran it */
};

struct gmg_call {
  struct gmg_level *level; /* whose cells the kernel visits */
  struct gmg_level *other; /* of its FINER or COARSER fields, or NULL */
  const struct gmg_kernel_descriptor *kernel;
  struct gmg_kernel_args args;
  signed char slot[GMG_SCALARS]; /* where args has each scalar; -1: the kernel has none of it */
  signed char last_child[2];     /* likewise the tables hi_j and hi_k of a restriction */
  struct gmg_kernel_box *box;
  struct gmg_move *ghosts; /* `exchanges` of them, filled before the kernel runs; NULL: none */
  int exchanges;
  enum gmg_share share; /* GMG_SECOND: of cycles in double that a solve may go on with */
  int in_setup;         /* 1: setup runs it, and no cycle does */
  struct gmg_kernel_stat *stat;
  double traffic;                /* bytes that a run by itself moves (traffic.h) */
  double needed, touched, flops; /* compulsory bytes of a run, those of its fields, operations */
  struct gmg_prepared *prepared; /* by a back end; NULL: the host runs it */
  int by_device;                 /* 1: the back end runs it where the level is on its device; */
  int in_passes, in_tail;        /* fused with the other colour; in the program of coarse levels */
  struct gmg_level_array *array[]; /* that args.field is of, one for each field of the kernel */
};

/* Sets a scalar, which is 0 until then, if the kernel has it. */
static inline void gmg_call_set(struct gmg_call *call, enum gmg_scalar scalar, double value)
{
  if (call->slot[scalar] >= 0)
    call->args.scalar[call->slot[scalar]] = value;
}
/* Exchanges and runs. Calls: collective over the ranks of the level. An MPI failure stays in the
 * context. */
void gmg_call_run(struct gmg_call *call);
/* Runs a call on the host at once, with arguments that have scratch (gmg_pass_scratch). */
void gmg_call_run_alone(const struct gmg_call *call, const struct gmg_kernel_args *args);
/* Makes one of its exchanges on the host. */
void gmg_call_exchange(const struct gmg_call *call, int n);
/* Before every run: what the row buffers of so many threads hold is not valid any more. */
void gmg_call_forget(const struct gmg_kernel_args *args, int threads);
/* Counts a run of it. */
void gmg_call_count(const struct gmg_call *call, const struct gmg_sweep *sweep);
/* Notes that its kernel has written fields. */
void gmg_call_note(const struct gmg_call *call);
/* Runs what calls have put off (pass.h, backend.h): before anything but a call or a move touches
 * fields. */
void gmg_call_wait(gmg_context *context);
/* Gives the call empty reductions, one per thread, and runs nothing. */
void gmg_call_reduce_clear(struct gmg_call *call, const double cut[GMG_SUM_BINS]);
/* Runs with reductions; `end` gives them summed and maximised over the threads. In between other
 * calls may run, but no other with reductions. */
void gmg_call_reduce_begin(struct gmg_call *call, const double cut[GMG_SUM_BINS]);
void gmg_call_reduce_end(struct gmg_call *call, struct gmg_reduction *total);

#endif
