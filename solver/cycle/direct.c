#include "direct.h"
#include "problem/kernels.h"

#include <dlfcn.h>

#if GMG_WITH_LAPACK
/* LU with partial pivoting: the operator need not be symmetric, and a solve reads as many numbers
 * as with Cholesky. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *transpose, const int *n, const int *columns, const double *a,
             const int *lda, const int *pivot, double *b, const int *ldb, int *info,
             size_t transpose_length);

int gmg_direct_available(void)
{
  return 1;
}

/* OpenBLAS sums in other orders on other numbers of threads: here it has one. Returns how many it
 * had; 0: it is another library. */
static int set_threads(int threads)
{
  int (*get)(void);
  void (*set)(int);
  *(void **)&get = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
  *(void **)&set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  const int before = get && set ? get() : 0;
  if (before > 0 && threads > 0 && before != threads)
    set(threads);
  return before;
}

static int factor(struct gmg_direct *d)
{
  int info = 0;
  const int before = set_threads(1);
  if (d->cells > 0)
    dgetrf_(&d->cells, &d->cells, d->matrix, &d->cells, d->pivot, &info);
  set_threads(before);
  return info != 0;
}

static void substitute(struct gmg_direct *d)
{
  int info, one = 1;
  const int before = set_threads(1);
  dgetrs_("N", &d->cells, &one, d->matrix, &d->cells, d->pivot, d->vector, &d->cells, &info, 1);
  set_threads(before);
}
#else
int gmg_direct_available(void)
{
  return 0;
}

static int factor(struct gmg_direct *d)
{
  return d != NULL;
}

static void substitute(struct gmg_direct *d)
{
  (void)d;
}
#endif

/* Copies a field of the one box, i fastest, to `vector`, or back. */
static void copy_cells(struct gmg_level *level, enum gmg_name name, double *vector, int back)
{
  if (level->local_cells == 0)
    return;
  const struct gmg_kernel_box *box = &level->box[0];
  void *field = gmg_level_open(level, name, back ? GMG_CHANGE : GMG_READ)->box[0];
  for (int k = 0; k < box->cells[2]; k++)
    for (int j = 0; j < box->cells[1]; j++)
      for (int i = 0; i < box->cells[0]; i++, vector++) {
        const ptrdiff_t at = gmg_offset(box, i, j, k);
        if (back)
          gmg_level_put(level, field, at, *vector);
        else
          *vector = gmg_level_value(level, field, at);
      }
}

gmg_status gmg_direct_bind(struct gmg_hierarchy *h)
{
  static const struct gmg_rename product[] = {{"w", "work_2"}, {NULL, NULL}};
  struct gmg_direct *d = &h->bottom.direct;
  struct gmg_level *level = gmg_coarsest(h);
  d->cells = (int)level->local_cells;
  const size_t n = (size_t)d->cells;
  d->bytes = (n * n + n) * sizeof(double) + n * sizeof(int);
  d->matrix = gmg_allocate(h->memory, d->bytes);
  if (!d->matrix)
    return gmg_no_memory(h->context, "for the matrix of the coarsest level (%d cells)", d->cells);
  d->vector = d->matrix + n * n;
  d->pivot = (int *)(void *)(d->vector + n);
  return gmg_call_keep(gmg_level_kernel(h->problem, level, GMG_APPLY), level, NULL, product,
                       &d->apply);
}

void gmg_direct_destroy(struct gmg_hierarchy *h)
{
  struct gmg_direct *d = &h->bottom.direct;
  gmg_release(h->memory, d->matrix, d->bytes);
  *d = (struct gmg_direct){0};
}

/* A column for every cell. */
static void probe(struct gmg_hierarchy *h)
{
  struct gmg_direct *d = &h->bottom.direct;
  struct gmg_level *level = gmg_coarsest(h);
  gmg_call_wait(h->context);
  gmg_level_clear(level, GMG_NAME_U);
  for (int n = 0; n < d->cells; n++)
    d->vector[n] = 0;
  for (int c = 0; c < (int)level->cells; c++) {
    if (d->cells > 0)
      d->vector[c] = 1;
    copy_cells(level, GMG_NAME_U, d->vector, 1);
    gmg_call_run(d->apply);
    gmg_call_wait(h->context);
    copy_cells(level, GMG_NAME_WORK_2, d->matrix + (size_t)c * (size_t)d->cells, 0);
    if (d->cells > 0)
      d->vector[c] = 0;
  }
  gmg_level_clear(level, GMG_NAME_U);
}

gmg_status gmg_direct_factor(struct gmg_hierarchy *h, int *failed)
{
  struct gmg_direct *d = &h->bottom.direct;
  const size_t n = (size_t)d->cells;
  probe(h);
  if (h->problem->singular) {
    double diagonal = 0;
    for (size_t c = 0; c < n; c++)
      diagonal += d->matrix[c * n + c];
    for (size_t e = 0; e < n * n; e++)
      d->matrix[e] += diagonal / ((double)n * (double)n);
  }
  *failed = factor(d);
  if (gmg_comm_max_int(&h->context->comm, failed, 1))
    return gmg_mpi_failed(h->context);
  return GMG_OK;
}

void gmg_direct_solve(struct gmg_hierarchy *h)
{
  struct gmg_direct *d = &h->bottom.direct;
  struct gmg_level *level = gmg_coarsest(h);
  gmg_call_wait(h->context);
  if (d->cells == 0)
    return;
  copy_cells(level, GMG_NAME_F, d->vector, 0);
  substitute(d);
  copy_cells(level, GMG_NAME_U, d->vector, 1);
}
