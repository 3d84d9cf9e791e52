/* What stands around gen/templates/twice.cuh, and values of its words. */
#define REAL double
#define FIELDS 2
#define SOURCE 0
#define TARGET 1
#define DEEP 1
#define SLOTS 4
#define DENSE 1
#define BLOCK_I 64
#define BLOCK_J 8
#define ROWS 2
#define PLANES 64
#define BLOCKS 1
#define AXIS(axis) \
  static int SYMBOL_source_##axis(const struct gmg_kernel_box *box, int axis) \
  { \
    return box->other_lower[0] ? 0 : axis; \
  } \
  static double SYMBOL_image_##axis(const struct gmg_kernel_box *box, int axis, double value) \
  { \
    return box->other_lower[0] ? axis - value : value; \
  }
AXIS(i)
AXIS(j)
AXIS(k)
static bool SYMBOL_is_data(const struct gmg_kernel_box *box, int i, int j, int k)
{
  return i + j + k < box->other_lower[0];
}
template <typename reader>
static double SYMBOL_value(const struct gmg_cuda_args *args, const reader &near, int i, int j,
                           int k)
{
  return near(-1, 0, 1) + args->scalar[0] * (i + j + k);
}
