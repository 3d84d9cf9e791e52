/* Thread blocks over i and j; each thread marches through PLANES planes along k with its own column
 * of u in registers; the plane that it is in is in shared memory. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
SYMBOL_queue(const __grid_constant__ struct gmg_cuda_args launch)
{
  __shared__ REAL plane[2][CELLS][BLOCK_J][BLOCK_I]; /* of two k, by parity of i */
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
  const struct gmg_kernel_box *const box = &args.box;
  const gmg_read<REAL> u(args.field[FIELD]);
  /* 0 where there is not even a ghost. */
  const auto value = [&](int i, int j, int k) -> REAL {
    return i <= box->cells[0] && j <= box->cells[1]
      ? u[PLACE + j * box->stride[0] + k * box->stride[1]]
      : 0;
  };
  const int x = (int)threadIdx.x, y = (int)threadIdx.y, at = block.i * BLOCK_I + x;
  const int k0 = block.k * PLANES, k1 = gmg_least(k0 + PLANES, box->cells[2]);
  SUMS struct gmg_partial partial = {};
  for (int row = 0; row < ROWS; row++) {
    const int j = (block.j * ROWS + row) * BLOCK_J + y;
    REAL before[CELLS], here[CELLS], above[CELLS];
#pragma unroll
    for (int p = 0; p < CELLS; p++) {
      before[p] = value(CELLS * at + p, j, k0 - 1);
      here[p] = value(CELLS * at + p, j, k0);
    }
    if (row > 0)
      __syncthreads();
#pragma unroll UNROLL
    for (int k = k0; k < k1; k++) {
#pragma unroll
      for (int p = 0; p < CELLS; p++) {
        above[p] = value(CELLS * at + p, j, k + 1);
        plane[k & 1][p][y][x] = here[p];
      }
      __syncthreads();
#pragma unroll
      for (int p = 0; p < CELLS; p++) {
        const int i = CELLS * at + p;
        if (i >= box->cells[0] || j >= box->cells[1])
          break;
        const auto &beside = plane[k & 1];
        const auto left = p ? here[0] : x > 0 ? beside[CELLS - 1][y][x - 1] : value(i - 1, j, k);
        const auto right = p < CELLS - 1 ? here[CELLS - 1]
          : x < BLOCK_I - 1              ? beside[0][y][x + 1]
                                         : value(i + 1, j, k);
        const auto front = y > 0 ? beside[p][y - 1][x] : value(i, j - 1, k);
        const auto back = y < BLOCK_J - 1 ? beside[p][y + 1][x] : value(i, j + 1, k);
        SYMBOL_beside(&args, at, p, j, k, left, right, front, back, before[p], above[p]MORE);
      }
#pragma unroll
      for (int p = 0; p < CELLS; p++) {
        before[p] = here[p];
        here[p] = above[p];
      }
    }
  }
  SUMS gmg_add(args.reduction, &partial);
}
