/* cuBLAS on the CPU, for tests: the shared library libcublas.so, with what solver/cuda calls of it.
 * Products are work on a stream of the stand-in driver. GMG_STAND_IN_BLAS_FAILS: the product that
 * fails, counted from 1. */
#include <stdlib.h>

#include "stand_in.h"

enum { SUCCESS = 0, NOT_INITIALIZED = 1, EXECUTION_FAILED = 13 };

struct cublasContext {
  CUstream stream;
  int products;
};

int cublasCreate_v2(struct cublasContext **handle);
int cublasDestroy_v2(struct cublasContext *handle);
int cublasSetStream_v2(struct cublasContext *handle, CUstream stream);
int cublasDgemmStridedBatched(struct cublasContext *handle, int of_a, int of_b, int rows,
                              int columns, int terms, const double *alpha, const double *a,
                              int ld_a, long long stride_a, const double *b, int ld_b,
                              long long stride_b, const double *beta, double *c, int ld_c,
                              long long stride_c, int count);

int cublasCreate_v2(struct cublasContext **handle)
{
  *handle = calloc(1, sizeof **handle);
  return stand_in_entered() ? SUCCESS : NOT_INITIALIZED;
}

int cublasDestroy_v2(struct cublasContext *handle)
{
  free(handle);
  return SUCCESS;
}

int cublasSetStream_v2(struct cublasContext *handle, CUstream stream)
{
  handle->stream = stream;
  return SUCCESS;
}

/* Distances in memory from an element to the next along rows and columns, and to the next matrix.
 */
struct matrix {
  const double *at;
  long long down, right, next;
};

struct products {
  int rows, columns, terms, count;
  double alpha, beta;
  struct matrix a, b;
  double *c;
  long long ld_c, stride_c;
};

static struct matrix matrix_of(int transposed, const double *at, int ld, long long stride)
{
  return transposed ? (struct matrix){at, ld, 1, stride} : (struct matrix){at, 1, ld, stride};
}

static void run(const void *params)
{
  const struct products *p = params;
  for (long long n = 0; n < p->count; n++)
    for (long long i = 0; i < p->rows; i++)
      for (long long j = 0; j < p->columns; j++) {
        const double *a = p->a.at + n * p->a.next + i * p->a.down,
                     *b = p->b.at + n * p->b.next + j * p->b.right;
        double *c = p->c + n * p->stride_c + j * p->ld_c + i, sum = 0;
        for (long long k = 0; k < p->terms; k++)
          sum += a[k * p->a.right] * b[k * p->b.down];
        *c = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * *c);
      }
}

int cublasDgemmStridedBatched(struct cublasContext *handle, int of_a, int of_b, int rows,
                              int columns, int terms, const double *alpha, const double *a,
                              int ld_a, long long stride_a, const double *b, int ld_b,
                              long long stride_b, const double *beta, double *c, int ld_c,
                              long long stride_c, int count)
{
  const struct products products = {.rows = rows,
                                    .columns = columns,
                                    .terms = terms,
                                    .count = count,
                                    .alpha = *alpha,
                                    .beta = *beta,
                                    .a = matrix_of(of_a, a, ld_a, stride_a),
                                    .b = matrix_of(of_b, b, ld_b, stride_b),
                                    .c = c,
                                    .ld_c = ld_c,
                                    .stride_c = stride_c};
  const char *fails = getenv("GMG_STAND_IN_BLAS_FAILS");
  if (!stand_in_entered())
    return NOT_INITIALIZED;
  if (++handle->products == (fails ? atoi(fails) : 0))
    return EXECUTION_FAILED;
  struct stand_in_work *work = stand_in_append(handle->stream);
  work->kind = STAND_IN_CALL;
  work->call = run;
  work->params = stand_in_copy_of(&products, sizeof products);
  return SUCCESS;
}
