/* A register queue along k: a thread keeps the values of its own column in the planes below, here
 * and above, and finds those beside it in a plane of shared memory; only at the edges of a block
 * does it read them. For kernels whose unknown is read at star neighbours and not written. */
#include "cuda_choices.h"

bool gen_choose_queue(const struct gen_schedule *schedule, const struct gen_work *work,
                      struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const int array = gen_find_array(kernel, "a_u");
  bool along_k = false;
  if (work->role == GEN_ROLE_AS_WRITTEN || schedule->rows || kernel->guard.kind != GEN_EVERYWHERE
      || array < 0 || kernel->array[array].written || kernel->array[array].level != GEN_OWN)
    return false;
  for (int n = 0; n < kernel->statements; n++)
    if (!gen_cuda_star(kernel, kernel->statement[n].value, array, &along_k))
      return false;
  form->kind = GEN_QUEUE;
  form->given = array;
  form->stage[form->stages++] = (struct gen_cuda_stage){
    .name = "beside",
    .given = gen_text("int at, int parity, int j, int k%s", gen_cuda_neighbours(schedule, array)),
    .place = GEN_AT_PARITY,
    .scalars = true,
    .use = GEN_USES,
    .neighbours = true};
  return along_k;
}
