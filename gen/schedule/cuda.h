/* How a kernel runs on a GPU, as data: which forms its launches may have, and of each form the
 * stages, what they work out, and where that is kept. gen/emit/cuda/ puts it into words. */
#ifndef GEN_SCHEDULE_CUDA_H
#define GEN_SCHEDULE_CUDA_H

#include "derive/derive.h"
#include "schedule.h"

/* What is known of a kernel beside its schedule: what its symbol is, what it is for, and per cell
 * of the own level flops and compulsory values moved. */
struct gen_work {
  const char *symbol;
  enum gen_role role;
  double flops, reals;
  int dimensions; /* of a program's kernel, whose cells are taken one by one: 2 or 3; else 0 */
  bool wide;      /* a program's kernel that reads an array at many neighbours */
};

/* Shape parameters of a form: macros of its text, with these defaults. */
struct gen_cuda_shape {
  int block_i, block_j, rows, planes, unroll, blocks;
};

/* Parts of a value, and what each is called where it is kept. */
enum { GEN_MAX_CUT = 32 };
struct gen_parts {
  int count;
  const char *prefix; /* in front of the names */
  const struct gen_expr *value[GEN_MAX_CUT];
  const char *name[GEN_MAX_CUT];
};

enum gen_use { GEN_READS = 1, GEN_STORES = 2, GEN_USES = 3 };

/* Where a stage leaves what it works out: in the kernel's fields and sums, in the array value[] of
 * the thread that calls it, in a struct or a value that it returns; or it only asks for what later
 * stages read. */
enum gen_cuda_keep {
  GEN_KEEP_FIELDS,
  GEN_KEEP_REGISTERS,
  GEN_KEEP_STRUCT,
  GEN_KEEP_RESULT,
  GEN_KEEP_CACHE
};

/* At which cells along i: the one at i; that of a parity that is given; both of a pair; several in
 * a row, of the other level; or one whose rows are in shared memory. */
enum gen_cuda_place { GEN_AT_I, GEN_AT_PARITY, GEN_AT_PAIR, GEN_AT_WINDOW, GEN_AT_STAGED };

/* A stage is one device function, SYMBOL_name. */
struct gen_cuda_stage {
  const char *name, *given; /* given: its parameters, beside args and sums */
  enum gen_cuda_keep keep;
  enum gen_cuda_place place;
  int values; /* GEN_AT_WINDOW: how many, value n at `where`; NULL: i counts them */
  const char *where;
  const char *holder;   /* GEN_KEEP_STRUCT: the struct is SYMBOL_holder */
  bool scalars;         /* reads the kernel's scalars */
  enum gen_use use;     /* of the kernel's fields */
  bool second;          /* of two colours: the scalars are those of the second */
  bool neighbours;      /* the unknown's values beside the own one are given */
  bool in_other_row;    /* i runs over the row of the other level that the row buffer is for */
  bool picks;           /* the row buffer's values are given in registers, row[] */
  struct gen_parts row; /* what is given of the row buffer's value, from which it is put together */
  struct gen_parts gives, takes;
  int tables; /* what tables along i hold there */
  struct {
    int array;
    const char *holds;
  } table[2 * GEN_AXES];
};

enum { GEN_STAGED_BOXES = 8, GEN_STAGED_LINES = 16 };

/* A field that is copied to shared memory: rows from j + low to j + high; whether cells beside the
 * own one along i are read, and in plane k + 1 or k - 1. halves: even and odd cells are copied by
 * themselves, since of the outermost rows only one half each is needed, the first colour's. */
struct gen_staged_box {
  int array, low, high;
  bool beside, ahead, below, halves;
};

/* What some of a block's threads do, and how many they are, as C; constant: the name that the
 * number has in SYMBOL_place; NULL: it has none. */
enum { GEN_ROLES_OF_THREADS = 4 };
struct gen_cuda_role {
  const char *does, *constant, *threads;
};

/* The fields that are copied; and along each axis the lines: along i one access to each array,
 * along j and k one for each place, as j and j + 1. early: how many boxes of a stage are asked for
 * while the stage before is still under way. */
struct gen_staged {
  struct gen_cuda_role role[GEN_ROLES_OF_THREADS]; /* in the order of the threads' numbers */
  int count, early;
  bool fits;
  struct gen_staged_box box[GEN_STAGED_BOXES];
  int lines[GEN_AXES];
  const struct gen_access *line[GEN_AXES][GEN_STAGED_LINES];
};

/* How the main loop of a form goes through the box. */
enum gen_cuda_kind {
  GEN_MARCH,   /* threads march along k and keep nothing between planes */
  GEN_QUEUE,   /* and keep the unknown's column in registers, its plane in shared memory */
  GEN_BETWEEN, /* and keep three coarse planes in registers */
  GEN_AROUND,  /* and keep four of them */
  GEN_LINEAR,  /* threads visit all positions in turn */
  GEN_STAGED,  /* some threads copy planes to shared memory, others do a colour each */
  GEN_COLUMNS, /* threads have neighbouring cells, ROWS rows and PLANES planes, at once */
  GEN_KINDS
};

enum { GEN_MOST_STAGES = 4, GEN_PLANES_AROUND = 4 };
struct gen_cuda_form {
  enum gen_cuda_kind kind;
  struct gen_cuda_shape shape;
  int many_blocks; /* shape.blocks of a launch on many boxes */
  int given;       /* GEN_QUEUE, GEN_STAGED: the unknown */
  /* GEN_BETWEEN, GEN_AROUND: tables along k and i that say which coarse cells are kept */
  int plane[GEN_PLANES_AROUND], column[GEN_PLANES_AROUND];
  int stages;
  struct gen_cuda_stage stage[GEN_MOST_STAGES];
  struct gen_staged staged;
};

/* Eight threads that share a cell, each for one finer cell: by axis the tables that pick the first
 * finer cell and the second; the formula that is worked out at each; and the parts of values that
 * its results stand for. */
struct gen_lanes {
  int table[3][2];
  const struct gen_expr *formula;
  struct gen_parts parts;
};

/* What a restriction reads of the finer level: arrays, each up to so many planes above the
 * children; and along j and k the tables that say where the children are. */
struct gen_finer {
  int arrays, array[GEN_MAX_ARRAYS], above[GEN_MAX_ARRAYS];
  int tables[GEN_AXES], table[GEN_AXES][2];
};

struct gen_cuda_schedule {
  struct gen_work work;
  int threads; /* that share a cell in SYMBOL_cells: 1, 2 or 8 */
  struct gen_lanes lanes;
  struct gen_parts kept; /* what a restriction with a norm works out once for both */
  bool one_by_one;       /* functions of i are worked out one after the other */
  /* SYMBOL_cell in two phases: the first works out what the second divides; the last asks for what
   * later planes read. 0: it is not. */
  int phases;
  struct gen_cuda_stage phase[3];
  bool asks_ahead; /* a restriction, for what `finer` says */
  struct gen_finer finer;
  bool late;       /* what single planes read is not known before */
  bool alternates; /* odd colours are visited from the last plane to the first */
  /* arrays of which caches need not keep what was read */
  bool read_once[GEN_MAX_ARRAYS];
  bool by_start; /* full runs of planes have a text for each parity of the first one's cell */
  int forms;     /* the default first */
  struct gen_cuda_form form[2];
  const struct gen_cuda_form *staged; /* NULL: there is none */
};

const struct gen_cuda_schedule *gen_schedule_cuda(const struct gen_schedule *schedule,
                                                  const struct gen_work *work);
/* "march", "queue" */
const char *gen_cuda_form_name(enum gen_cuda_kind kind);
/* All of it in words, as `--dump schedule --target cuda` prints it. */
const char *gen_cuda_schedule_text(const struct gen_schedule *schedule,
                                   const struct gen_cuda_schedule *cuda);

/* A position is what a thread visits at a time. Returns how many cells along an axis it stands
 * for. */
int gen_cuda_step(const struct gen_schedule *schedule, enum gen_axis axis);
/* Whether the kernel visits cells of one of two colours. SYMBOL_cell then has an argument `parity`,
 * of the colour's cells along i, which SYMBOL_parity(args, j, k) returns. */
bool gen_cuda_by_parity(const struct gen_schedule *schedule);
/* Whether a thread takes both cells of a pair: in split rows, unless the kernel visits several
 * cells of a finer level for each of its own. SYMBOL_cell then has an argument `cells`, 1 or 2. */
bool gen_cuda_in_pairs(const struct gen_schedule *schedule);
/* Whether SYMBOL_cell has an argument `paired`, which says that cells pair two by two: what tables
 * along i hold is known then. */
bool gen_cuda_knows_paired(const struct gen_schedule *schedule);
/* Whether all that the kernel reads of an array it writes are values from before the launch: of
 * cells that no thread writes, and of the own cell before its one store. That store has the name
 * new_u. Not where a thread sweeps over two colours. */
bool gen_cuda_reads_before(const struct gen_schedule *schedule, int array);
/* The tables along i that pick the two children of a cell; -1: there is none. */
void gen_cuda_children(const struct gen_schedule *schedule, int table[2]);
/* Marks the functions of which the statements pick values, and the tables along i by which they do.
 */
void gen_cuda_mark_children(const struct gen_schedule *schedule, bool used[GEN_MAX_ARRAYS]);
/* Returns what a part is called; NULL: it is none of them. */
const char *gen_part_of(const struct gen_parts *parts, const struct gen_expr *expr);
/* NULL: the array is none of those that are copied. */
const struct gen_staged_box *gen_staged_box_of(const struct gen_staged *staged, int array);

#endif
