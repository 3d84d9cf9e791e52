/* The old value in a cell that may lie one cell beyond walls. */
static __device__ __forceinline__ REAL SYMBOL_old(const struct gmg_cuda_args &args, int i, int j,
                                                  int k)
{
  const struct gmg_kernel_box *const box = &args.box;
  const int source_i = SYMBOL_source_i(box, i), source_j = SYMBOL_source_j(box, j),
            source_k = SYMBOL_source_k(box, k);
  const ptrdiff_t at = source_i + source_j * box->stride[0] + source_k * box->stride[1];
  const bool other = box->paired && SYMBOL_is_data(box, source_i, source_j, source_k);
  const gmg_read<REAL> values(other ? args.field[TARGET] : args.field[SOURCE]);
  return SYMBOL_image_k(box, k, SYMBOL_image_j(box, j, SYMBOL_image_i(box, i, values[at])));
}

/* The old value in plane k, which may lie one beyond walls, of a column inside. at: the place of
 * its cell in plane 0. */
static __device__ __forceinline__ REAL SYMBOL_in_column(const struct gmg_cuda_args &args,
                                                        ptrdiff_t at, int k)
{
  const struct gmg_kernel_box *const box = &args.box;
  const gmg_read<REAL> inside(args.field[SOURCE]);
  if ((unsigned)k < (unsigned)box->cells[2])
    return inside[at + k * box->stride[1]];
  const int source_k = SYMBOL_source_k(box, k);
  const bool other = box->paired && SYMBOL_is_data(box, 0, 0, source_k);
  const gmg_read<REAL> values(other ? args.field[TARGET] : args.field[SOURCE]);
  return SYMBOL_image_k(box, k, values[at + source_k * box->stride[1]]);
}

/* What is known of a position over i and j: whether it has a value; whether that is data beyond a
 * wall; is computed from values beyond a wall; is the image of a cell; and whether the second step
 * is computed there. */
enum {
  SYMBOL_COUNTS = 1,
  SYMBOL_DATA = 2,
  SYMBOL_BESIDE = 4,
  SYMBOL_IMAGE = 8,
  SYMBOL_INNER = 16
};

static __device__ __forceinline__ int SYMBOL_position(const struct gmg_kernel_box *box, int i,
                                                      int j, bool outermost)
{
  const int source_i = SYMBOL_source_i(box, i), source_j = SYMBOL_source_j(box, j);
  const bool inside =
    (unsigned)i < (unsigned)box->cells[0] && (unsigned)j < (unsigned)box->cells[1];
  const bool beside = (box->other_lower[0] && source_i < 1)
    || (box->other_cells[0] && source_i > box->cells[0] - 2)
    || (box->other_lower[1] && source_j < 1)
    || (box->other_cells[1] && source_j > box->cells[1] - 2);
  return (i <= box->cells[0] && j <= box->cells[1] ? SYMBOL_COUNTS : 0)
    | (SYMBOL_is_data(box, source_i, source_j, 0) ? SYMBOL_DATA : 0)
    | (beside ? SYMBOL_BESIDE : 0) | (inside ? 0 : SYMBOL_IMAGE)
    | (inside && !outermost ? SYMBOL_INNER : 0);
}

/* Two steps. A thread block has positions over i and j, and marches along k. At every position it
 * computes the first step, one plane ahead of the second one, which it computes at all but the
 * outermost positions from the first one's values in shared memory. So neighbouring blocks overlap
 * by two positions. Where values beyond walls are data, those of the old step and of the first one
 * are in either array; box.paired: 1 where the old ones are in the array that is written. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
SYMBOL_twice(const __grid_constant__ struct gmg_cuda_args launch)
{
  __shared__ REAL planes[SLOTS][BLOCK_J * ROWS][BLOCK_I]; /* after the first step, by k */
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<FIELDS>(&args, &launch);
  const struct gmg_block block =
    gmg_block_of(&launch, gmg_blocks(args.box.cells[0], BLOCK_I - 2),
                 gmg_blocks(args.box.cells[1], BLOCK_J * ROWS - 2),
                 gmg_blocks(args.box.cells[2], PLANES));
  if (block.k >= block.blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z,
                                  (int)gridDim.z};
#endif
  const struct gmg_kernel_box *const box = &args.box;
  const gmg_read<REAL> old(args.field[SOURCE]);
  const gmg_write<REAL> target(args.field[TARGET]);
  const gmg_read<REAL> data(box->paired ? args.field[SOURCE] : args.field[TARGET]);
  const int stride_j = (int)box->stride[0], stride_k = (int)box->stride[1];
  const int x = (int)threadIdx.x, y = (int)threadIdx.y;
  const int i = block.i * (BLOCK_I - 2) + x - 1, j0 = block.j * (BLOCK_J * ROWS - 2) + y - 1;
  const int k0 = block.k * PLANES, k1 = gmg_least(k0 + PLANES, box->cells[2]);
  /* The cell whose value a position has: of a ghost the one that it is the image of. */
  const int source_i = SYMBOL_source_i(box, i);
  int place[ROWS], known[ROWS]; /* of that cell in plane 0; SYMBOL_position */
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const int j = j0 + r * BLOCK_J, row = y + r * BLOCK_J;
    place[r] = source_i + SYMBOL_source_j(box, j) * stride_j;
    known[r] = SYMBOL_position(
      box, i, j, x == 0 || x == BLOCK_I - 1 || row == 0 || row == BLOCK_J * ROWS - 1);
  }
  /* In the position's own column: old values below, here, above, and above that; values after the
   * first step in the last three planes. */
  REAL column[ROWS][4] = {}, first[ROWS][3] = {};
  bool follows = false; /* this plane's column is the last one's, moved on by a plane */
#pragma unroll 1
  for (int p = k0 - DEEP; p < k1 + DEEP; p++) {
    const int source_k = SYMBOL_source_k(box, p);
    const bool is_data = SYMBOL_is_data(box, 0, 0, p);
    const bool is_image = (unsigned)p >= (unsigned)box->cells[2];
    const bool beside_k = (box->other_lower[2] && source_k < 1)
      || (box->other_cells[2] && source_k > box->cells[2] - 2);
    const bool next = DEEP && p + 1 < k1 + DEEP && SYMBOL_source_k(box, p + 1) == source_k + 1
      && !is_data && !SYMBOL_is_data(box, 0, 0, p + 1);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int j = j0 + r * BLOCK_J, at = place[r] + source_k * stride_k;
      REAL value = 0;
      first[r][0] = first[r][1];
      first[r][1] = first[r][2];
      if (known[r] & SYMBOL_COUNTS) {
        REAL *const own = column[r];
        if (is_data || known[r] & SYMBOL_DATA) {
          value = data[at];
        } else {
          if (follows) {
            own[0] = own[1];
            own[1] = own[2];
            own[2] = own[3];
          } else {
            own[1] = old[at];
            if (DEEP) {
              own[0] = SYMBOL_in_column(args, place[r], source_k - 1);
              own[2] = SYMBOL_in_column(args, place[r], source_k + 1);
            }
          }
          if (next)
            own[3] = SYMBOL_in_column(args, place[r], source_k + 2);
          if (known[r] & SYMBOL_BESIDE || (DENSE && beside_k)) {
            const int source_j = SYMBOL_source_j(box, j);
            value = SYMBOL_value(
              &args,
              [&](int di, int dj, int dk) -> REAL {
                return di || dj ? SYMBOL_old(args, source_i + di, source_j + dj, source_k + dk)
                                : own[1 + dk];
              },
              source_i, source_j, source_k);
          } else {
            value = SYMBOL_value(
              &args,
              [&](int di, int dj, int dk) -> REAL {
                return di || dj ? old[at + di + dj * stride_j + dk * stride_k] : own[1 + dk];
              },
              source_i, SYMBOL_source_j(box, j), source_k);
          }
        }
        if (is_image || known[r] & SYMBOL_IMAGE)
          value = SYMBOL_image_k(box, p, SYMBOL_image_j(box, j, SYMBOL_image_i(box, i, value)));
      }
      first[r][2] = value;
      planes[p & (SLOTS - 1)][y + r * BLOCK_J][x] = value;
    }
    follows = next;
    __syncthreads(); /* the plane is written; nobody reads any more the one that is written next */
    const int k = p - DEEP;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int j = j0 + r * BLOCK_J, row = y + r * BLOCK_J;
      if (k >= k0 && known[r] & SYMBOL_INNER)
        target[place[r] + k * stride_k] = SYMBOL_value(
          &args,
          [&](int di, int dj, int dk) -> REAL {
            return di || dj ? planes[(k + dk) & (SLOTS - 1)][row + dj][x + di]
                            : first[r][2 - DEEP + dk];
          },
          i, j, k);
    }
  }
}
