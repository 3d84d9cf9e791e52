/* The shifts of a pass against an enumeration. Preconditions: passes of five stages, each one of
 * three random kernels that store at their own point of one of two arrays and read either at one to
 * three random offsets within 2 in each direction; on a box of 7 x 7 points along j and k all pairs
 * of iterations of all pairs of stages are tried. What must vanish: stages whose shift is not the
 * least that keeps every dependence in order along both directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "schedule/pass.h"

enum { POINTS = 7, CASES = 40, KERNELS = 3, STAGES = 5, READS = 3 };

struct access {
  int array, j, k;
  bool writes;
};

/* A kernel as a list, for the enumeration, and as the compiler's tree. */
struct sample {
  int accesses;
  struct access access[READS + 1];
  struct gen_kernel *kernel;
};

static unsigned random_below(unsigned *seed, unsigned bound)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 16) % bound;
}

static struct gen_access in_tree(const struct access *from)
{
  struct gen_access access = {.array = from->array};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    access.subscript[axis].table = -1;
    access.subscript[axis].affine.coefficient[axis] = 1;
  }
  access.subscript[GEN_J].affine.constant = from->j;
  access.subscript[GEN_K].affine.constant = from->k;
  return access;
}

static void draw(struct gen_session *session, unsigned *seed, struct sample *sample)
{
  static const char *const names[] = {"i", "j", "k", "box", "ni", "nj", "nk", "boxes"};
  static const char *const arrays[] = {"u", "v"};
  struct gen_kernel *kernel = sample->kernel = gen_allocate(session, sizeof *kernel);
  *kernel = (struct gen_kernel){
    .name = "random", .comment = "", .symbols = 8, .arrays = 2, .statements = 1};
  for (int s = 0; s < 8; s++)
    kernel->symbol[s].name = names[s];
  for (int axis = 0; axis < GEN_AXES; axis++) {
    for (int a = 0; a < 2; a++) {
      kernel->array[a].name = arrays[a];
      kernel->array[a].rank = 4;
      kernel->array[a].first = 2;
      kernel->array[a].restricted = true;
      kernel->array[a].extent[axis].coefficient[GEN_AXES + axis] = 1;
      kernel->array[a].extent[axis].constant = axis == GEN_BOX ? 0 : 4;
    }
    kernel->loop[axis].lower.constant = axis == GEN_BOX ? 0 : 2;
    kernel->loop[axis].upper.coefficient[GEN_AXES + axis] = 1;
    kernel->loop[axis].upper.constant = axis == GEN_BOX ? -1 : 1;
  }
  sample->accesses = 0;
  const struct gen_expr *value = gen_number(session, 1);
  for (int n = 1 + (int)random_below(seed, READS); n > 0; n--) {
    struct access *read = &sample->access[sample->accesses++];
    *read = (struct access){.array = (int)random_below(seed, 2),
                            .j = (int)random_below(seed, 5) - 2,
                            .k = (int)random_below(seed, 5) - 2};
    value = gen_binary(session, GEN_ADD, value, gen_access_ref(session, in_tree(read)));
  }
  struct access *write = &sample->access[sample->accesses++];
  *write = (struct access){.array = (int)random_below(seed, 2), .writes = true};
  kernel->statement[0] =
    (struct gen_statement){.kind = GEN_STORE, .target = in_tree(write), .value = value};
  gen_mark_accesses(kernel);
}

/* The largest lead of an iteration of the earlier kernel over one of the later that touches the
 * same element. */
static int lead(const struct sample *earlier, const struct sample *later)
{
  int most = 0;
  for (int a = 0; a < earlier->accesses; a++)
    for (int b = 0; b < later->accesses; b++) {
      const struct access *first = &earlier->access[a], *second = &later->access[b];
      if (first->array != second->array || !(first->writes || second->writes))
        continue;
      for (int p = 0; p < POINTS * POINTS; p++)
        for (int q = 0; q < POINTS * POINTS; q++) {
          const int j = p % POINTS - q % POINTS, k = p / POINTS - q / POINTS;
          if (j + first->j != second->j || k + first->k != second->k)
            continue;
          most = j > most ? j : most;
          most = k > most ? k : most;
        }
    }
  return most;
}

static void shifts_are_least(void **state)
{
  (void)state;
  unsigned seed = 7;
  int wrong = 0, shifted = 0;
  for (int n = 0; n < CASES; n++) {
    struct gen_session *session = gen_session_create();
    struct sample sample[KERNELS];
    for (int s = 0; s < KERNELS; s++)
      draw(session, &seed, &sample[s]);
    struct gen_pass pass = {.stages = STAGES};
    int of[STAGES], least[STAGES] = {0};
    for (int s = 0; s < STAGES; s++) {
      of[s] = (int)random_below(&seed, KERNELS);
      pass.stage[s].kernel = sample[of[s]].kernel;
      for (int earlier = 0; earlier < s; earlier++) {
        const int shift = least[earlier] + lead(&sample[of[earlier]], &sample[of[s]]);
        least[s] = shift > least[s] ? shift : least[s];
      }
    }
    assert_true(gen_pass_shift(session, &pass, NULL));
    for (int s = 0; s < STAGES; s++) {
      wrong += pass.stage[s].shift != least[s];
      shifted += least[s] > 0;
    }
    gen_session_destroy(&session);
  }
  print_message("%d stages, %d of them shifted, %d wrong\n", CASES * STAGES, shifted, wrong);
  assert_true(shifted > CASES);
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(shifts_are_least)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
