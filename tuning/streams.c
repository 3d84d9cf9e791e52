#include "streams.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { SUMS = 8 }; /* that a reading loop adds to in turn, to hide the latency of additions */

/* A set of loops: its name, the compiler's attribute, and the vectors of doubles and of floats with
 * what the loops do to them. CHAINS of multiply-adds hide their latency, none of which a compiler
 * knows the value of (1 is a fixed point); more than 14 of them clang moves about. */
#define GMG_LOOPS(NAME, TARGET, TEXT, VECTOR, PER, LOAD, STORE, STREAM, FENCE, SET, ADD, FMA, \
                  TAKE, CHAINS, VECTOR_F, PER_F, SET_F, FMA_F, TAKE_F) \
  TARGET static void NAME##_copy(double *a, const double *b, size_t values) \
  { \
    for (size_t n = 0; n < values; n += 4 * (PER)) \
      for (size_t m = n; m < n + 4 * (PER); m += (PER)) \
        STORE(a + m, LOAD(b + m)); \
  } \
  TARGET static void NAME##_triad(double *a, const double *b, const double *c, size_t values) \
  { \
    const VECTOR s = SET(3.0); \
    for (size_t n = 0; n < values; n += 4 * (PER)) \
      for (size_t m = n; m < n + 4 * (PER); m += (PER)) \
        STORE(a + m, FMA(s, LOAD(c + m), LOAD(b + m))); \
  } \
  TARGET static void NAME##_copy_streaming(double *a, const double *b, size_t values) \
  { \
    for (size_t n = 0; n < values; n += 4 * (PER)) \
      for (size_t m = n; m < n + 4 * (PER); m += (PER)) \
        STREAM(a + m, LOAD(b + m)); \
    FENCE(); \
  } \
  TARGET static void NAME##_triad_streaming(double *a, const double *b, const double *c, \
                                            size_t values) \
  { \
    const VECTOR s = SET(3.0); \
    for (size_t n = 0; n < values; n += 4 * (PER)) \
      for (size_t m = n; m < n + 4 * (PER); m += (PER)) \
        STREAM(a + m, FMA(s, LOAD(c + m), LOAD(b + m))); \
    FENCE(); \
  } \
  TARGET static double NAME##_read(const double *a, size_t values) \
  { \
    VECTOR sum[SUMS]; \
    for (int m = 0; m < SUMS; m++) \
      sum[m] = SET(0.0); \
    for (size_t n = 0; n < values; n += SUMS * (PER)) { \
      _Pragma("GCC unroll 8") for (size_t m = 0; m < SUMS; m++) sum[m] = \
        ADD(sum[m], LOAD(a + n + m * (PER))); \
    } \
    for (int m = 1; m < SUMS; m++) \
      sum[0] = ADD(sum[0], sum[m]); \
    return TAKE(sum[0]); \
  } \
  TARGET static double NAME##_fma_double(size_t rounds, double *result) \
  { \
    VECTOR chain[CHAINS]; \
    const VECTOR factor = SET(0.999999), term = SET(1e-6); \
    for (int n = 0; n < (CHAINS); n++) \
      chain[n] = SET(2.0 + n); \
    for (size_t round = 0; round < rounds; round++) { \
      _Pragma("GCC unroll 32") for (int n = 0; n < (CHAINS); n++) chain[n] = \
        FMA(chain[n], factor, term); \
    } \
    *result = 0; \
    for (int n = 0; n < (CHAINS); n++) \
      *result += TAKE(chain[n]); \
    return 2.0 * (PER) * (CHAINS) * (double)rounds; \
  } \
  TARGET static double NAME##_fma_float(size_t rounds, double *result) \
  { \
    VECTOR_F chain[CHAINS]; \
    const VECTOR_F factor = SET_F(0.999f), term = SET_F(1e-3f); \
    for (int n = 0; n < (CHAINS); n++) \
      chain[n] = SET_F(2.0f + (float)n); \
    for (size_t round = 0; round < rounds; round++) { \
      _Pragma("GCC unroll 32") for (int n = 0; n < (CHAINS); n++) chain[n] = \
        FMA_F(chain[n], factor, term); \
    } \
    *result = 0; \
    for (int n = 0; n < (CHAINS); n++) \
      *result += (double)TAKE_F(chain[n]); \
    return 2.0 * (PER_F) * (CHAINS) * (double)rounds; \
  } \
  static const struct gmg_loops NAME##_loops = {TEXT, \
                                                NAME##_copy, \
                                                NAME##_triad, \
                                                NAME##_read, \
                                                NAME##_copy_streaming, \
                                                NAME##_triad_streaming, \
                                                NAME##_fma_double, \
                                                NAME##_fma_float};

#if defined(__x86_64__)

#define GMG_AVX512 __attribute__((target("avx512f")))
#define GMG_AVX2 __attribute__((target("avx2,fma")))
#define FIRST_512(v) _mm512_cvtsd_f64(v)
#define FIRST_512F(v) _mm512_cvtss_f32(v)
#define FIRST_256(v) _mm256_cvtsd_f64(v)
#define FIRST_256F(v) _mm256_cvtss_f32(v)
/* The first instruction sets have no multiply-add: a product and a sum are its two operations. */
#define FMA_128(a, b, c) _mm_add_pd(_mm_mul_pd(a, b), c)
#define FMA_128F(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)

GMG_LOOPS(avx512, GMG_AVX512, "avx512", __m512d, 8, _mm512_load_pd, _mm512_store_pd,
          _mm512_stream_pd, _mm_sfence, _mm512_set1_pd, _mm512_add_pd, _mm512_fmadd_pd, FIRST_512,
          12, __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps, FIRST_512F)
GMG_LOOPS(avx2, GMG_AVX2, "avx2", __m256d, 4, _mm256_load_pd, _mm256_store_pd, _mm256_stream_pd,
          _mm_sfence, _mm256_set1_pd, _mm256_add_pd, _mm256_fmadd_pd, FIRST_256, 12, __m256, 8,
          _mm256_set1_ps, _mm256_fmadd_ps, FIRST_256F)
GMG_LOOPS(sse2, , "sse2", __m128d, 2, _mm_load_pd, _mm_store_pd, _mm_stream_pd, _mm_sfence,
          _mm_set1_pd, _mm_add_pd, FMA_128, _mm_cvtsd_f64, 12, __m128, 4, _mm_set1_ps, FMA_128F,
          _mm_cvtss_f32)

const struct gmg_loops *gmg_loops_best(void)
{
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return &avx512_loops;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &avx2_loops;
  return &sse2_loops;
}

#else

/* What the compiler makes of plain loops, which have no streaming stores. */
#define LOAD_1(at) (*(at))
#define STORE_1(at, value) (*(at) = (value))
#define SAME_1(value) (value)
#define ADD_1(a, b) ((a) + (b))
#define FENCE_1() (void)0
GMG_LOOPS(plain, , "scalar", double, 1, LOAD_1, STORE_1, STORE_1, FENCE_1, SAME_1, ADD_1, fma,
          SAME_1, 32, float, 1, SAME_1, fmaf, SAME_1)

const struct gmg_loops *gmg_loops_best(void)
{
  static struct gmg_loops loops;
  loops = plain_loops;
  loops.copy_streaming = NULL;
  loops.triad_streaming = NULL;
  return &loops;
}

#endif
