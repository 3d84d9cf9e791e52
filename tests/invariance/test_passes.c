/* Preconditions: none. What must vanish: differences beyond rounding between solves that restrict
 * residuals of one colour only, where sweeps have left no others, and of all cells; bits by which a
 * solve whose kernels run in passes over memory (strips of rows, several threads) differs from one
 * whose kernels run one by one, over smoothers, boundaries, periodic directions, operators, cycles,
 * precisions, one box and several, and ways to store rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manufactured.h"

#define D GMG_DIRICHLET
#define N GMG_NEUMANN
#define R GMG_ROBIN
#define P GMG_PERIODIC
#define ODD \
  { \
    45, 47, 43 \
  }

struct variant {
  const char *name, *operator_, *smoother, *cycle, *box;
  gmg_boundary kind[6];
  int variable, variable_alpha, cells[3];
  int passes; /* whether the finest level has any */
};

/* Of all solves that follow: the relaxation factor, sweeps before the coarser level, whether there
 * are no shortcuts, and how many rows strips have. */
static const char *omega = "auto", *pre = "2";
static int whole, strip_rows;

static struct manufactured make(const struct variant *v, const char *precision, int alone,
                                const char *rows)
{
  struct manufactured p = {.upper = {1, 1.1, 0.9}, .a = v->variable_alpha ? 1 : 0};
  memcpy(p.kind, v->kind, sizeof p.kind);
  memcpy(p.cells, v->cells, sizeof p.cells);
  p.variable = v->variable;
  p.variable_alpha = v->variable_alpha;
  p.whole = whole;
  p.strip_rows = alone ? 0 : strip_rows;
  manufactured_option(&p, "operator", v->operator_);
  manufactured_option(&p, "smoother", v->smoother);
  manufactured_option(&p, "cycle", v->cycle);
  manufactured_option(&p, "box", alone ? "auto" : v->box);
  manufactured_option(&p, "passes", alone ? "none" : "all");
  manufactured_option(&p, "rows", rows);
  manufactured_option(&p, "omega", omega);
  manufactured_option(&p, "pre", pre);
  manufactured_option(&p, "precision", precision);
  manufactured_option(&p, "max-cycles",
                      strcmp(precision, "double") == 0 ? "3" : "6"); /* refined more than once */
  return p;
}

static struct manufactured_result run(const struct variant *v, const char *precision, int threads,
                                      int alone, const char *rows)
{
  gmg_context *context = NULL;
  assert_int_equal(gmg_context_create(threads, &context), GMG_OK);
  const struct manufactured problem = make(v, precision, alone, rows);
  struct manufactured_result r = manufactured_solve(context, &problem);
  if (r.status)
    printf("%s: %s\n", v->name, gmg_context_message(context));
  assert_int_equal(r.status, GMG_OK);
  if (r.passes != (v->passes && !alone))
    fail_msg("%s: on the finest level passes %s", v->name, r.passes ? "run" : "do not run");
  gmg_context_destroy(&context);
  return r;
}

/* How many of the iterate's values and of the norms differ. */
static int64_t differences(const struct variant *v, const struct manufactured_result *a,
                           const struct manufactured_result *b)
{
  int64_t count = 0;
  for (int n = 0; n < v->cells[0] * v->cells[1] * v->cells[2]; n++)
    count += memcmp(&a->u[n], &b->u[n], sizeof *a->u) != 0;
  for (int n = 0; n <= a->result.cycles; n++)
    count += a->history[n] != b->history[n];
  return count + (a->result.cycles != b->result.cycles);
}

static void same_bits(void **state)
{
  (void)state;
  static const struct variant list[] = {
    {"Dirichlet, Gauss-Seidel", "constant7", "gsrb", "v", "auto", {D, D, D, D, D, D}, 0, 0, ODD, 1},
    {"Neumann, singular", "variable7", "gsrb", "v", "auto", {N, N, N, N, N, N}, 1, 0, ODD, 1},
    {"mixed, alpha", "variable7", "gsrb", "w", "auto", {D, N, R, D, N, D}, 1, 1, ODD, 1},
    {"full multigrid", "variable7", "gsrb", "fmg", "auto", {D, D, N, D, D, R}, 1, 0, ODD, 1},
    {"Jacobi", "constant7", "jacobi", "v", "auto", {D, N, D, D, R, D}, 0, 0, ODD, 1},
    {"Chebyshev", "variable7", "chebyshev", "f", "auto", {N, D, D, D, D, D}, 1, 1, ODD, 1},
    {"27 points", "constant27", "gsrb", "v", "auto", {D, D, N, D, D, D}, 0, 0, {20, 22, 21}, 1},
    {"27 points, Robin, periodic along y",
     "constant27",
     "jacobi",
     "fmg",
     "auto",
     {R, D, P, P, N, R},
     0,
     0,
     {21, 24, 23},
     1},
    {"27 points, boxes",
     "constant27",
     "gsrb",
     "v",
     "28",
     {D, R, N, R, D, N},
     0,
     0,
     {26, 55, 53},
     1},
    {"periodic along x, odd",
     "variable7",
     "gsrb",
     "fmg",
     "auto",
     {P, P, N, D, D, R},
     1,
     0,
     {37, 31, 33},
     1},
    {"periodic", "variable7", "gsrb", "fmg", "auto", {P, P, P, P, P, P}, 1, 1, {22, 48, 36}, 1},
    {"periodic, 27 points",
     "constant27",
     "gsrb",
     "v",
     "auto",
     {P, P, P, P, P, P},
     0,
     0,
     {22, 48, 36},
     1},
    {"periodic along z, Jacobi",
     "variable7",
     "jacobi",
     "v",
     "auto",
     {D, D, R, D, P, P},
     1,
     0,
     {21, 24, 51},
     1},
    {"odd, periodic along y",
     "variable7",
     "gsrb",
     "v",
     "auto",
     {D, D, P, P, N, N},
     1,
     0,
     {20, 31, 33},
     0},
    {"boxes", "variable7", "gsrb", "fmg", "29", {D, D, N, R, D, D}, 1, 1, {29, 59, 61}, 1},
    {"boxes, periodic", "variable7", "gsrb", "w", "28", {D, D, P, P, P, P}, 1, 0, {24, 56, 60}, 1},
    {"boxes, Chebyshev",
     "constant7",
     "chebyshev",
     "v",
     "30",
     {P, P, D, N, D, D},
     0,
     0,
     {30, 61, 90},
     1},
    {"boxes cut along x",
     "variable7",
     "gsrb",
     "v",
     "16",
     {D, D, N, R, D, D},
     1,
     1,
     {29, 30, 31},
     0},
  };
  static const int threads[] = {1, 3, 2, 8}; /* two of them in turn */
  static const char *const precisions[] = {"double", "mixed"};
  int64_t wrong = 0;
  int runs = 0;
  for (size_t m = 0; m < 2 * (sizeof list / sizeof *list); m++) {
    const size_t n = m / 2;
    const char *const precision = precisions[m % 2];
    struct manufactured_result plain = run(&list[n], precision, 2, 1, "plain");
    for (size_t t = 2 * (n % 2); t < 2 * (n % 2) + 2; t++)
      for (int split = 0; split < 2; split++, runs++) {
        struct manufactured_result passes =
          run(&list[n], precision, threads[t], 0, split ? "split" : "plain");
        const int64_t differ = differences(&list[n], &passes, &plain);
        if (differ)
          printf("%s in %s, %d threads, %s rows: %lld differ\n", list[n].name, precision,
                 threads[t], split ? "split" : "plain", (long long)differ);
        wrong += differ;
        free(passes.u);
      }
    free(plain.u);
  }
  printf("%d solves in passes against kernels one by one: %lld values differ\n", runs,
         (long long)wrong);
  assert_int_equal(wrong, 0);
}

/* Half-sweeps from zero, which read faces and no neighbours, on ghosts as deep as there are: the
 * face above them has none. */
static void many_sweeps(void **state)
{
  (void)state;
  static const struct variant list[] = {
    {"periodic along z",
     "variable7",
     "gsrb",
     "v",
     "auto",
     {D, D, D, D, P, P},
     1,
     0,
     {20, 20, 32},
     1},
    {"periodic along z, thin",
     "variable7",
     "gsrb",
     "v",
     "auto",
     {D, D, N, D, P, P},
     1,
     0,
     {20, 20, 20},
     1},
    {"boxes, periodic along y",
     "variable7",
     "gsrb",
     "v",
     "29",
     {D, N, P, P, R, D},
     1,
     1,
     {29, 58, 61},
     1},
  };
  static const char *const sweeps[] = {"3", "4"};
  int64_t wrong = 0;
  for (size_t n = 0; n < 2 * (sizeof list / sizeof *list); n++) {
    const struct variant *v = &list[n / 2];
    pre = sweeps[n % 2];
    struct manufactured_result plain = run(v, "double", 2, 1, "split"),
                               passes = run(v, "double", 2, 0, "split");
    const int64_t differ = differences(v, &passes, &plain);
    printf("%s, %s sweeps: %lld differ\n", v->name, pre, (long long)differ);
    wrong += differ;
    free(plain.u);
    free(passes.u);
  }
  pre = "2";
  assert_int_equal(wrong, 0);
}

/* Several strips for each thread, some of them narrower than the largest lag of a stage. */
static void narrow_strips(void **state)
{
  (void)state;
  static const struct variant list[] = {
    {"full multigrid", "variable7", "gsrb", "fmg", "auto", {D, D, N, D, D, R}, 1, 0, ODD, 1},
    {"27 points", "constant27", "gsrb", "v", "auto", {D, D, N, D, D, D}, 0, 0, {20, 62, 21}, 1},
    {"boxes", "variable7", "gsrb", "fmg", "29", {D, N, P, P, R, D}, 1, 1, {29, 58, 61}, 1},
  };
  int64_t wrong = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct manufactured_result plain = run(&list[n], "double", 2, 1, "split");
    for (int t = 1; t < 5; t++) {
      strip_rows = 3 * t - 1;
      struct manufactured_result passes = run(&list[n], "double", 5 - t, 0, "split");
      const int64_t differ = differences(&list[n], &passes, &plain);
      printf("%s, %d rows, %d threads: %lld differ\n", list[n].name, strip_rows, 5 - t,
             (long long)differ);
      wrong += differ;
      free(passes.u);
    }
    free(plain.u);
  }
  strip_rows = 0;
  assert_int_equal(wrong, 0);
}

/* The largest difference between two histories, over the first norm. */
static double largest_difference(const struct manufactured_result *a,
                                 const struct manufactured_result *b)
{
  double most = a->result.cycles != b->result.cycles;
  for (int n = 0; n <= a->result.cycles && a->result.cycles == b->result.cycles; n++)
    most = fmax(most, fabs(a->history[n] - b->history[n]) / a->history[0]);
  return most;
}

static void shortcuts_change_rounding_only(void **state)
{
  (void)state;
  static const struct {
    struct variant variant;
    const char *omega;
    int takes; /* whether there are shortcuts */
  } list[] = {
    {{"Dirichlet", "constant7", "gsrb", "v", "auto", {D, D, D, D, D, D}, 0, 0, ODD, 1}, "auto", 1},
    {{"full multigrid, mixed sides",
      "variable7",
      "gsrb",
      "fmg",
      "auto",
      {D, N, R, D, N, D},
      1,
      1,
      ODD,
      1},
     "auto",
     1},
    {{"singular", "variable7", "gsrb", "fmg", "auto", {N, N, N, N, N, N}, 1, 0, ODD, 1}, "auto", 1},
    {{"periodic", "variable7", "gsrb", "w", "auto", {P, P, P, P, P, P}, 1, 1, {24, 48, 32}, 1},
     "auto",
     1},
    {{"boxes", "variable7", "gsrb", "fmg", "29", {D, D, N, R, D, D}, 1, 1, {29, 59, 61}, 1},
     "auto",
     1},
    {{"factor 1", "constant7", "gsrb", "v", "auto", {D, D, D, D, R, D}, 0, 0, ODD, 1}, "1", 1},
    {{"factor 1.1", "constant7", "gsrb", "v", "auto", {D, D, D, D, D, D}, 0, 0, ODD, 1}, "1.1", 0},
    {{"odd, periodic, even below",
      "variable7",
      "gsrb",
      "v",
      "auto",
      {P, P, D, D, D, D},
      1,
      0,
      {31, 32, 32},
      1},
     "1",
     1},
    {{"27 points", "constant27", "gsrb", "v", "auto", {D, D, N, D, D, D}, 0, 0, {20, 22, 21}, 1},
     "1",
     0},
  };
  static const struct {
    const char *name;
    double enough;
  } precisions[] = {{"double", 1e-13}, {"mixed", 1e-7}};
  for (size_t m = 0; m < 2 * (sizeof list / sizeof *list); m++) {
    const size_t n = m / 2;
    struct manufactured_result of[2];
    omega = list[n].omega;
    for (whole = 0; whole < 2; whole++)
      of[whole] = run(&list[n].variant, precisions[m % 2].name, 2, 0, "split");
    omega = "auto";
    whole = 0;
    const double difference = largest_difference(&of[0], &of[1]);
    printf("%s in %s: %d levels with shortcuts, norms differ by %.1e of the first\n",
           list[n].variant.name, precisions[m % 2].name, of[0].shortcuts, difference);
    assert_int_equal(of[1].shortcuts, 0);
    assert_int_equal(of[0].shortcuts > 0, list[n].takes);
    assert_true(difference <= precisions[m % 2].enough);
    assert_true((difference > 0) == list[n].takes); /* they do change something */
    free(of[0].u);
    free(of[1].u);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(many_sweeps),
                                     cmocka_unit_test(narrow_strips),
                                     cmocka_unit_test(shortcuts_change_rounding_only)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
