/* Whether planes k and k + 1 are the two that coarse plane `over` covers, and their other plane is
 * the next one on a side. */
static __device__ __forceinline__ bool SYMBOL_paired(const struct gmg_cuda_args *args, int k,
                                                     int over)
{
  const gmg_read<int> PARENT(args->field[FIELD_OF_PARENT]);
  const gmg_read<int> NEAR(args->field[FIELD_OF_NEAR]);
  return (PARENT[k] == over) & (PARENT[k + 1] == over) & (NEAR[k] == over - 1)
    & (NEAR[k + 1] == over + 1);
}

/* Thread blocks over i and j; each thread marches through PLANES planes along k, PLANES / 2 coarse
 * ones, with what it needs of three coarse planes in registers. */
extern "C" __global__ void __launch_bounds__(BLOCK_I *BLOCK_J, BLOCKS)
  SYMBOL_between(const __grid_constant__ struct gmg_cuda_args launch)
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
    int k = k0;
    if (2 * i + 1 < args.box.cells[0] && args.box.paired == 1) {
      const gmg_read<int> PARENT(args.field[FIELD_OF_PARENT]);
      const int lane = (int)(threadIdx.x % 32);
      REAL below[3], here[3], above[3];
      REAL own[2][2], next[2][2]; /* of planes k and k + 1, and of the two above them */
      int over = PARENT[k];
      SYMBOL_plane(&args, i, j, over - 1, below);
      SYMBOL_plane(&args, i, j, over, here);
      SYMBOL_own(&args, i, j, k, own[0]);
      SYMBOL_own(&args, i, j, gmg_least(k + 1, end_k - 1), own[1]);
#pragma unroll UNROLL
      for (; k + 1 < end_k && SYMBOL_paired(&args, k, over); k += 2, over++) {
        const int further = gmg_least(k + 2, end_k - 2);
        SYMBOL_own(&args, i, j, further, next[0]);
        SYMBOL_own(&args, i, j, further + 1, next[1]);
        /* The four rows of the step after that, in pieces of 32 bytes, one for a thread. */
        const int pieces = sizeof(REAL), row = lane / pieces;
        if (k + 5 < end_k && row < 4)
          SYMBOL_ahead(&args, i - lane + 32 / pieces * (lane % pieces), j, k + 4 + row / 2,
                       row % 2);
        SYMBOL_plane(&args, i, j, over + 1, above);
        SYMBOL_pair(&args, i, j, k, here, below, own[0]);
        SYMBOL_pair(&args, i, j, k + 1, here, above, own[1]);
#pragma unroll
        for (int m = 0; m < 3; m++) {
          below[m] = here[m];
          here[m] = above[m];
        }
#pragma unroll
        for (int m = 0; m < 2; m++) {
          own[m][0] = next[m][0];
          own[m][1] = next[m][1];
        }
      }
    }
    /* What the rest reads is not known before, or registers would hold what only this needs. */
#pragma unroll 1
    for (; k < end_k; k++) {
      const int at = gmg_after(i, (double)k), row = gmg_after(j, (double)k);
      SYMBOL_cell(&args, at, row, kMORE);
    }
  }
}
