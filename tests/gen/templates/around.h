/* What stands around gen/templates/around.cuh, and values of its words. */
#define REAL float
#define COLUMN_FIELDS 2, 3, 4, 5
#define PLANE_FIELDS 6, 7, 8, 9
#define FIELDS 10
#define END_I args.box.cells[0] / 2
#define END_J args.box.cells[1]
#define END_K args.box.cells[2]
#define kMORE k
#define BLOCK_I 32
#define BLOCK_J 4
#define ROWS 1
#define PLANES 8
#define BLOCKS 1
static void SYMBOL_plane(const struct gmg_cuda_args *, int, int, int, float value[5])
{
  value[0] = value[1] = value[2] = value[3] = value[4] = 0;
}
static void SYMBOL_row(const struct gmg_cuda_args *, int, const float[4][5], float value[5])
{
  value[0] = value[1] = value[2] = value[3] = value[4] = 0;
}
static void SYMBOL_pair(const struct gmg_cuda_args *, int, int, int, const float[5], int)
{
}
static void SYMBOL_cell(const struct gmg_cuda_args *, int, int, int)
{
}
