/* What stands around gen/templates/staged.cuh, and values of its words. */
#define REAL double
#define FIELD 0
#define COLOUR 0
#define REMAINDER 0
#define BLOCK_I 32
#define BLOCK_J 8
struct SYMBOL_place {
  enum {
    odd = 40,
    UNKNOWN_at = 80,
    UNKNOWN_row = 80,
    stage = 1024,
    first_row = 34,
    plane = 352,
    lines = 0,
    bytes = (3 * stage + 3 * plane) * 8 + 64,
    pairs = 160,
    edge = 32,
    threads = 32 + pairs + edge + 128
  };
};
struct SYMBOL_staged_parts {
  double part;
};
struct SYMBOL_staged_early {
  double part;
};
static void SYMBOL_copy(const struct gmg_cuda_args &, const struct gmg_cuda_boxes &, double *, int,
                        int, int, int, uint64_t *, uint64_t *, int)
{
}
static double SYMBOL_staged_first(const struct gmg_cuda_args *, const double *, const double *,
                                  const double *, double below, int, int, int, int)
{
  return below;
}
static double SYMBOL_staged_second(const struct gmg_cuda_args *,
                                   const struct SYMBOL_staged_parts &in, double, double, double,
                                   double, double, double)
{
  return in.part;
}
static struct SYMBOL_staged_parts SYMBOL_staged_read(const struct gmg_cuda_args *,
                                                     const struct SYMBOL_staged_early &early,
                                                     const double *, const double *, int, int, int,
                                                     int)
{
  return {early.part};
}
static struct SYMBOL_staged_early SYMBOL_staged_early_of(const struct gmg_cuda_args *,
                                                         const double *, int, int, int)
{
  return {0};
}
