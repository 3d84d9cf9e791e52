/* What stands around gen/templates/between.cuh, and values of its words. */
#define REAL float
#define FIELD_OF_PARENT 2
#define FIELD_OF_NEAR 3
#define FIELDS 4
#define END_I args.box.cells[0] / 2
#define END_J args.box.cells[1]
#define END_K args.box.cells[2]
#define kMORE k
#define BLOCK_I 32
#define BLOCK_J 8
#define ROWS 1
#define PLANES 8
#define BLOCKS 1
static void SYMBOL_plane(const struct gmg_cuda_args *, int, int, int, float value[3])
{
  value[0] = value[1] = value[2] = 0;
}
static void SYMBOL_own(const struct gmg_cuda_args *, int, int, int, float value[2])
{
  value[0] = value[1] = 0;
}
static void SYMBOL_pair(const struct gmg_cuda_args *, int, int, int, const float[3], const float[3],
                        const float[2])
{
}
static void SYMBOL_ahead(const struct gmg_cuda_args *, int, int, int, int)
{
}
static void SYMBOL_cell(const struct gmg_cuda_args *, int, int, int)
{
}
