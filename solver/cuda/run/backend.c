/* The CUDA back end: what it exports. */
#include "runtime/backend.h"

#include "caller.h"
#include "calls.h"
#include "look.h"
#include "newest.h"
#include "open.h"
#include "place.h"
#include "queue.h"
#include "sources.h"
#include "walls.h"
#include "wisdom.h"

#include "cuda/products/products.h"
#include "cuda/runtime/driver.h"
#include "cuda/steps/steps.h"
#include "cuda/tune/roofs.h"
#include "cuda/tune/tune.h"

/* Calls of the library end with it: what they have collected is started, as other ranks may wait
 * for it. */
static gmg_status status(gmg_context *context)
{
  gmg_queue_flush(context->device->queue);
  return gmg_cuda_status(context);
}

extern const struct gmg_backend gmg_cuda_backend;
const struct gmg_backend gmg_cuda_backend = {
  .name = "cuda",
  .used = gmg_driver_used,
  .open = gmg_cuda_open,
  .close = gmg_cuda_close,
  .status = status,
  .identify = gmg_cuda_identify,
  .source = gmg_cuda_source,
  .allows = gmg_cuda_allows,
  .wait = gmg_cuda_wait,
  .predict = gmg_cuda_predict,
  .attach = gmg_cuda_attach,
  .detach = gmg_cuda_detach,
  .raise = gmg_cuda_raise,
  .divide = gmg_cuda_divide,
  .run = gmg_cuda_run,
  .move = gmg_cuda_move,
  .sample = gmg_cuda_sample,
  .reduce = gmg_cuda_reduce,
  .tune = gmg_cuda_tune,
  .forget = gmg_cuda_forget,
  .fetch = gmg_cuda_fetch,
  .clear = gmg_cuda_clear,
  .read = gmg_cuda_read,
  .add_sources = gmg_cuda_add_sources,
  .renew_sources = gmg_cuda_renew_sources,
  .stepper = &gmg_cuda_stepper,
  .multiplies = gmg_cuda_multiplies,
  .products = gmg_cuda_products,
  .forget_products = gmg_cuda_forget_products,
  .multiply = gmg_cuda_multiply,
  .copied = gmg_driver_copied,
  .holds = gmg_cuda_holds,
  .look = gmg_cuda_look,
  .allocate = gmg_cuda_allocate,
  .free = gmg_cuda_free,
  .copy = gmg_cuda_copy,
  .carry = gmg_cuda_carry,
  .measure = gmg_cuda_measure,
};
