/* The roofs that the library measures agree with STREAM's copy and triad written down here, in
 * plain C: what a compiler makes of those loops is within a factor of what was measured as the
 * machine's best, in both directions, in one of four attempts: others may use the machine too.
 * Memory is not read faster than arrays are that no cache holds any part of.
 * Preconditions: none. What must vanish: the rates outside the tolerance; and entries that
 * contradict one another.
 * alone: yes
 * sanitizers: no */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "gmg.h"

static const double tolerance = 2;

static double rate_of(const gmg_roofs *roofs, gmg_roof_kind kind, int cache, int threads)
{
  for (int n = 0; n < roofs->roofs; n++)
    if (roofs->roof[n].kind == kind && roofs->roof[n].cache == cache
        && roofs->roof[n].threads == threads)
      return roofs->roof[n].rate;
  return 0;
}

/* Bytes per second of a copy, or of a triad, the best of some runs. */
static double stream(double *a, double *b, double *c, size_t values, int triad)
{
  double best = 0;
  for (int run = 0; run < 6; run++) {
    const double begin = omp_get_wtime();
#pragma omp parallel for
    for (size_t n = 0; n < values; n++)
      a[n] = triad ? b[n] + 3 * c[n] : b[n];
    const double rate = (triad ? 24. : 16.) * (double)values / (omp_get_wtime() - begin);
    best = run > 0 && rate > best ? rate : best;
  }
  return best;
}

/* Whether the library's rate of copies or triads agrees with plain loops on the same arrays. */
static int agrees(const gmg_roofs *roofs, int threads, double *a, size_t values, int triad)
{
  const double plain = stream(a, a + values, a + 2 * values, values, triad),
               own = rate_of(roofs, triad ? GMG_ROOF_TRIAD : GMG_ROOF_COPY, 0, threads),
               past = rate_of(roofs, triad ? GMG_ROOF_TRIAD_STREAMING : GMG_ROOF_COPY_STREAMING, 0,
                              threads);
  printf("%s: %.1f GB/s by a plain loop, %.1f measured, %.1f past the caches\n",
         triad ? "triad" : "copy", 1e-9 * plain, 1e-9 * own, 1e-9 * past);
  return own > plain / tolerance && own < tolerance * plain
    && (past > own ? past : own) > plain / tolerance;
}

/* Bytes per second of reading, the best of some runs. */
static double read_far(const double *a, size_t values)
{
  double best = 0, sum = 0;
  for (int run = 0; run < 4; run++) {
    const double begin = omp_get_wtime();
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t n = 0; n < values; n++)
      sum += a[n];
    const double rate = 8. * (double)values / (omp_get_wtime() - begin);
    best = rate > best ? rate : best;
  }
  assert_true(sum > 0);
  return best;
}

static void test_read(void **state)
{
  enum { ATTEMPTS = 4, HUGE_PAGE = 2 << 20 };
  const double most = 1.8;
  gmg_context *context = NULL;
  gmg_roofs *roofs = calloc(1, sizeof *roofs);
  int good = 0;
  (void)state;
#ifndef __OPTIMIZE__
  skip(); /* the loop below would not be memory's */
#endif
  assert_non_null(roofs);
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  for (int attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
    assert_int_equal(gmg_context_measure_roofs(context, 1, roofs), GMG_OK);
    const size_t values = (size_t)(roofs->memory_arrays / HUGE_PAGE) * (HUGE_PAGE / 8);
    double *a = aligned_alloc(HUGE_PAGE, values * sizeof *a);
    assert_non_null(a);
    madvise(a, values * sizeof *a, MADV_HUGEPAGE); /* as the library does */
#pragma omp parallel for
    for (size_t n = 0; n < values; n++)
      a[n] = 1;
    const double far = read_far(a, values),
                 own = rate_of(roofs, GMG_ROOF_READ, 0, gmg_context_threads(context));
    printf("read: %.1f GB/s from %.0f MB, %.1f measured\n", 1e-9 * far, 8e-6 * (double)values,
           1e-9 * own);
    good = own < most * far;
    free(a);
  }
  assert_true(good);
  free(roofs);
  gmg_context_destroy(&context);
}

static void test_stream(void **state)
{
  enum { ATTEMPTS = 4 };
  gmg_context *context = NULL;
  gmg_roofs *roofs = calloc(1, sizeof *roofs);
  int agreed[2] = {0, 0};
  (void)state;
  assert_non_null(roofs);
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  for (int attempt = 0; attempt < ATTEMPTS && !(agreed[0] && agreed[1]); attempt++) {
    assert_int_equal(gmg_context_measure_roofs(context, 1, roofs), GMG_OK);
    const size_t values = (size_t)(roofs->memory_arrays / 24);
    double *a = malloc(3 * values * sizeof *a);
    assert_non_null(a);
#pragma omp parallel for
    for (size_t n = 0; n < values; n++)
      a[n] = a[values + n] = a[2 * values + n] = 1;
    for (int triad = 0; triad < 2; triad++)
      agreed[triad] |= agrees(roofs, gmg_context_threads(context), a, values, triad);
    free(a);
  }
  assert_true(agreed[0] && agreed[1]);
  free(roofs);
  gmg_context_destroy(&context);
}

static void test_entries(void **state)
{
  gmg_context *context = NULL;
  gmg_roofs *roofs = calloc(1, sizeof *roofs);
  int seen = 0;
  (void)state;
  assert_non_null(roofs);
  assert_int_equal(gmg_context_create(2, &context), GMG_OK);
  assert_int_equal(gmg_context_measure_roofs(context, 1, roofs), GMG_OK);
  assert_true(roofs->roofs > 0 && roofs->roofs <= GMG_MOST_ROOFS);
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    assert_string_equal(roof->backend, "openmp");
    assert_true(roof->rate > 1e8 && roof->rate < 1e15);
    assert_true(roof->threads == 1 || roof->threads == 2);
    assert_string_not_equal(gmg_roof_text(roof->kind), "unknown");
    for (int m = 0; m < n; m++)
      assert_false(roofs->roof[m].kind == roof->kind && roofs->roof[m].cache == roof->cache
                   && roofs->roof[m].threads == roof->threads);
    seen |= roof->threads;
  }
  assert_int_equal(seen, 3);
  for (int cache = 0; cache < 3; cache++)
    assert_true(roofs->cache_bytes[cache] <= roofs->nominal_cache_bytes[cache]);
  free(roofs);
  gmg_context_destroy(&context);
}

static void test_refusals(void **state)
{
  gmg_context *context = NULL;
  gmg_roofs *roofs = calloc(1, sizeof *roofs);
  (void)state;
  assert_non_null(roofs);
  assert_int_equal(gmg_context_create(1, &context), GMG_OK);
  assert_int_equal(gmg_context_measure_roofs(NULL, 1, roofs), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_context_measure_roofs(context, 1, NULL), GMG_ERR_ARGUMENT);
  assert_non_null(strstr(gmg_context_message(context), "roofs is NULL"));
  assert_int_equal(gmg_context_measure_roofs(context, -1, roofs), GMG_ERR_ARGUMENT);
  assert_string_equal(gmg_roof_text((gmg_roof_kind)99), "unknown");
  free(roofs);
  gmg_context_destroy(&context);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_stream),
    cmocka_unit_test(test_read),
    cmocka_unit_test(test_entries),
    cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
