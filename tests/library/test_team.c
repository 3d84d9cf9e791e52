/* The threads of a solve: each piece of work is done once, by as many threads as asked, in and out
 * of a region; who waits for long sleeps.
 *
 * threads: 4 */
#include "system/gate.h"
#include "system/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { THREADS = 4, PIECES = 3000, THINGS = 37 };

struct pieces {
  struct gmg_team *team;
  int threads;
  int done[THINGS]; /* how often each was done */
  int most;         /* threads that any piece had */
  int pause;        /* milliseconds that the last thread takes over its share */
};

static void sleep_for(int milliseconds)
{
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

static void do_part(void *work, int thread, int of)
{
  struct pieces *p = work;
  int from, to;
  gmg_part(THINGS, thread, of, &from, &to);
  for (int n = from; n < to; n++)
    p->done[n]++;
  if (thread == 0)
    p->most = of > p->most ? of : p->most;
  if (thread == of - 1 && p->pause)
    sleep_for(p->pause);
}

static void do_pieces(void *work)
{
  struct pieces *p = work;
  for (int n = 0; n < PIECES; n++)
    gmg_team_share(p->team, 1 + n % p->threads, do_part, p);
}

static void do_nested(void *work)
{
  struct pieces *p = work;
  assert_true(p->threads == 1 || gmg_team_together(p->team));
  gmg_team_lead(p->team, do_pieces, p); /* finds the region open */
}

static void assert_done(const struct pieces *p, int times)
{
  for (int n = 0; n < THINGS; n++)
    assert_int_equal(p->done[n], times);
}

static void test_pieces(void **state)
{
  (void)state;
  for (int threads = 1; threads <= THREADS; threads++)
    for (int nested = 0; nested < 2; nested++) {
      struct pieces p = {.team = gmg_team_create(threads), .threads = threads};
      assert_non_null(p.team);
      for (int regions = 0; regions < 3; regions++)
        gmg_team_lead(p.team, nested ? do_nested : do_pieces, &p);
      assert_false(gmg_team_together(p.team));
      assert_done(&p, 3 * PIECES);
      assert_int_equal(p.most, threads);
      gmg_team_destroy(&p.team);
      assert_null(p.team);
    }
}

static void test_outside(void **state)
{
  (void)state;
  struct pieces p = {.team = gmg_team_create(THREADS), .threads = THREADS};
  gmg_team_share(p.team, THREADS, do_part, &p);
  gmg_team_share(NULL, THREADS, do_part, &p);
  gmg_team_share(NULL, 1, do_part, &p);
  assert_done(&p, 3);
  assert_int_equal(p.most, THREADS);
  gmg_team_destroy(&p.team);
}

static double processor_seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void do_slowly(void *work)
{
  struct pieces *p = work;
  const double before = processor_seconds();
  sleep_for(200); /* the others wait for work */
  p->pause = 200; /* and then for the last of them */
  gmg_team_share(p->team, THREADS, do_part, p);
  assert_true(processor_seconds() - before < 0.1);
}

static void test_sleep(void **state)
{
  (void)state;
  struct pieces p = {.team = gmg_team_create(THREADS), .threads = THREADS};
  gmg_team_lead(p.team, do_slowly, &p);
  assert_done(&p, 1);
  gmg_team_destroy(&p.team);
}

/* Two threads that take turns, with a count that wraps on the way. */
struct turns {
  struct gmg_gate gate;
  atomic_uint count;
  unsigned first;
  int order;
};

static void take_turns(void *work, int thread, int of)
{
  struct turns *t = work;
  for (unsigned n = (unsigned)thread; n < 400; n += (unsigned)of) {
    gmg_gate_wait(&t->gate, &t->count, t->first + n);
    t->order += t->order == (int)n;
    if (n % 50 == 0)
      sleep_for(1);
    gmg_gate_set(&t->gate, &t->count, t->first + n + 1);
  }
}

static void test_gate(void **state)
{
  (void)state;
  struct turns t = {.first = UINT32_MAX - 200};
  assert_int_equal(gmg_gate_init(&t.gate), 0);
  atomic_init(&t.count, t.first);
  gmg_team_share(NULL, 2, take_turns, &t);
  assert_int_equal(t.order, 400);
  gmg_gate_clear(&t.gate);
}

static void test_part(void **state)
{
  (void)state;
  for (int things = 0; things < 20; things++)
    for (int of = 1; of < 7; of++) {
      int end = 0, most = 0, least = things;
      for (int thread = 0; thread < of; thread++) {
        int from, to;
        gmg_part(things, thread, of, &from, &to);
        assert_int_equal(from, end);
        end = to;
        most = to - from > most ? to - from : most;
        least = to - from < least ? to - from : least;
      }
      assert_int_equal(end, things);
      assert_true(most - least <= 1);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_outside),
                                     cmocka_unit_test(test_sleep), cmocka_unit_test(test_gate),
                                     cmocka_unit_test(test_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
