/* Whether the coarse cells that the two cells of a pair read follow one another: those of the even
 * one from *first on, those of the odd one from there or, *later, from the next one on. */
static __device__ __forceinline__ bool SYMBOL_columns(const struct gmg_cuda_args *args, int at,
                                                      int *first, int *later)
{
  const int field[4] = {COLUMN_FIELDS};
  const gmg_read<int> column(args->field[field[0]]);
  const int even = column[at], odd = column[at + args->box.odd];
  bool follow = odd == even || odd == even + 1;
#pragma unroll
  for (int m = 1; m < 4; m++) {
    const gmg_read<int> next(args->field[field[m]]);
    follow = follow & (next[at] == even + m) & (next[at + args->box.odd] == odd + m);
  }
  *first = even;
  *later = odd - even;
  return follow;
}

/* The first of the coarse planes that plane k reads, where those follow one another; else a
 * number that is none. */
static __device__ __forceinline__ int SYMBOL_first_plane(const struct gmg_cuda_args *args, int k)
{
  const int field[4] = {PLANE_FIELDS};
  const gmg_read<int> plane(args->field[field[0]]);
  const int first = plane[k];
  bool follow = true;
#pragma unroll
  for (int m = 1; m < 4; m++) {
    const gmg_read<int> next(args->field[field[m]]);
    follow = follow & (next[k] == first + m);
  }
  return follow ? first : -(1 << 30);
}

/* Thread blocks over i and j; each thread marches through PLANES planes along k, with what it needs
 * of four coarse planes in registers. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
SYMBOL_around(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<FIELDS>(&args, &launch);
  const struct gmg_block block =
    gmg_block_of(&launch, gmg_blocks(END_I, BLOCK_I), gmg_blocks(END_J, BLOCK_J * ROWS),
                 gmg_blocks(END_K, PLANES));
  if (block.k >= block.blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z,
                                  (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = END_I;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, END_J);
  const int end_k = gmg_least(k0 + PLANES, END_K);
  for (int n = 0; n < ROWS && i < end_i && j0 + n * BLOCK_J < end_j; n++) {
    const int j = j0 + n * BLOCK_J;
    int k = k0, first, later;
    if (2 * i + 1 < args.box.cells[0] && SYMBOL_columns(&args, i, &first, &later)) {
      REAL planes[4][5], row[5];
      const int none = -(1 << 30);
      int held = none; /* the first plane of those in registers */
#pragma unroll 1
      for (; k < end_k; k++) {
        const int wanted = SYMBOL_first_plane(&args, k);
        if (wanted == none)
          break;
        if (wanted == held + 1) {
#pragma unroll
          for (int m = 0; m < 5; m++) {
            planes[0][m] = planes[1][m];
            planes[1][m] = planes[2][m];
            planes[2][m] = planes[3][m];
          }
          SYMBOL_plane(&args, first, j, wanted + 3, planes[3]);
        } else if (wanted != held) {
#pragma unroll
          for (int m = 0; m < 4; m++)
            SYMBOL_plane(&args, first, j, wanted + m, planes[m]);
        }
        held = wanted;
        SYMBOL_row(&args, k, planes, row);
        SYMBOL_pair(&args, i, j, k, row, later);
      }
    }
    /* What the rest reads is not known before, or registers would hold what only this needs. */
#pragma unroll 1
    for (; k < end_k; k++) {
      const int at = gmg_after(i, (double)k), line = gmg_after(j, (double)k);
      SYMBOL_cell(&args, at, line, kMORE);
    }
  }
}
