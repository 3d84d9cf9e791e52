/* Preconditions: none. What must vanish: bits by which a solve whose kernels run in passes over memory (one box; strips of rows,
 * several threads) differs from one whose kernels run one by one (boxes of 16 cells), over smoothers, boundaries, operators,
 * cycles, precisions and ways to store rows; on a grid that is large enough for passes, of odd sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manufactured.h"

enum { NX = 45, NY = 47, NZ = 43 };

struct variant {
  const char *name, *operator_, *smoother, *cycle;
  gmg_boundary kind[6];
  int variable, variable_alpha;
};

static struct manufactured make(const struct variant *v, const char *precision, const char *box, const char *rows)
{
  struct manufactured p = {.cells = {NX, NY, NZ}, .upper = {1, 1.1, 0.9}, .a = v->variable_alpha ? 1 : 0};
  memcpy(p.kind, v->kind, sizeof p.kind);
  p.variable = v->variable;
  p.variable_alpha = v->variable_alpha;
  manufactured_option(&p, "operator", v->operator_);
  manufactured_option(&p, "smoother", v->smoother);
  manufactured_option(&p, "cycle", v->cycle);
  manufactured_option(&p, "box", box);
  manufactured_option(&p, "rows", rows);
  manufactured_option(&p, "precision", precision);
  manufactured_option(&p, "max-cycles", strcmp(precision, "double") == 0 ? "3" : "6"); /* refined more than once */
  return p;
}

static struct manufactured_result run(const struct variant *v, const char *precision, int threads, const char *box,
                                      const char *rows)
{
  gmg_context *context = NULL;
  assert_int_equal(gmg_context_create(threads, &context), GMG_OK);
  const struct manufactured problem = make(v, precision, box, rows);
  struct manufactured_result r = manufactured_solve(context, &problem);
  if (r.status)
    printf("%s: %s\n", v->name, gmg_context_message(context));
  assert_int_equal(r.status, GMG_OK);
  gmg_context_destroy(&context);
  return r;
}

/* How many of the iterate's values and of the norms differ. */
static int64_t differences(const struct manufactured_result *a, const struct manufactured_result *b)
{
  int64_t count = 0;
  for (int n = 0; n < NX * NY * NZ; n++)
    count += memcmp(&a->u[n], &b->u[n], sizeof *a->u) != 0;
  for (int n = 0; n <= a->result.cycles; n++)
    count += a->history[n] != b->history[n];
  return count + (a->result.cycles != b->result.cycles);
}

static void same_bits(void **state)
{
  (void)state;
#define D GMG_DIRICHLET
#define N GMG_NEUMANN
#define R GMG_ROBIN
  static const struct variant list[] = {
    {"Dirichlet, Gauss-Seidel", "constant7", "gsrb", "v", {D, D, D, D, D, D}, 0, 0},
    {"Neumann, singular", "variable7", "gsrb", "v", {N, N, N, N, N, N}, 1, 0},
    {"mixed, alpha", "variable7", "gsrb", "w", {D, N, R, D, N, D}, 1, 1},
    {"full multigrid", "variable7", "gsrb", "fmg", {D, D, N, D, D, R}, 1, 0},
    {"Jacobi", "constant7", "jacobi", "v", {D, N, D, D, R, D}, 0, 0},
    {"Chebyshev", "variable7", "chebyshev", "f", {N, D, D, D, D, D}, 1, 1},
    {"27 points", "constant27", "gsrb", "v", {D, D, N, D, D, D}, 0, 0},
  };
  static const int threads[] = {1, 2, 3, 8};
  static const char *const precisions[] = {"double", "mixed"};
  int64_t wrong = 0;
  int runs = 0;
  for (size_t m = 0; m < 2 * (sizeof list / sizeof *list); m++) {
    const size_t n = m / 2;
    const char *const precision = precisions[m % 2];
    struct manufactured_result plain = run(&list[n], precision, 2, "16", "plain");
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
      for (int split = 0; split < 2; split++, runs++) {
        struct manufactured_result passes = run(&list[n], precision, threads[t], "auto", split ? "split" : "plain");
        const int64_t differ = differences(&passes, &plain);
        if (differ)
          printf("%s in %s, %d threads, %s rows: %lld differ\n", list[n].name, precision, threads[t],
                 split ? "split" : "plain", (long long)differ);
        wrong += differ;
        free(passes.u);
      }
    free(plain.u);
  }
  printf("%d solves in passes against kernels one by one: %lld values differ\n", runs, (long long)wrong);
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
