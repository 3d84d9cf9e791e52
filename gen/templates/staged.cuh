/* Plane k of two rows of the first colour, whose cell in the first row is of this parity. on: four
 * bits, whether the cells are inside, and whether they are stored. below: u in plane k - 1 at the
 * cells. */
template <int parity>
static __device__ __forceinline__ void
SYMBOL_staged_rows(const struct gmg_cuda_args &args, const REAL *before, const REAL *now,
                   const REAL *lines, REAL *first, int x, int y, int on, int to, REAL *below)
{
  typedef struct SYMBOL_place place;
  const gmg_write<REAL> out(args.out);
  const REAL *const own = before + place::UNKNOWN_at + y * place::UNKNOWN_row + x;
  const REAL here = own[parity * place::odd], beside = own[(1 - parity) * place::odd];
  const REAL value = SYMBOL_staged_first(&args, before, now, lines, below[0], x, y, parity, 0);
  const REAL here1 = own[place::UNKNOWN_row + (1 - parity) * place::odd],
             beside1 = own[place::UNKNOWN_row + parity * place::odd];
  const REAL value1 =
    SYMBOL_staged_first(&args, before, now, lines, below[1], x, y + 1, 1 - parity, 1);
  first[0] = on & 1 ? value : here;
  first[place::first_row] = on & 2 ? value1 : here1;
  if (on & 4)
    out[to + parity * args.box.odd] = value;
  if (on & 8)
    out[to + args.box.stride[0] + (1 - parity) * args.box.odd] = value1;
  below[0] = beside;
  below[1] = beside1;
}

/* Plane k - 2 of the second colour, whose cell is of the other parity, and what plane k - 1 of it
 * reads. in, early: what it has read; before: the first colour's value in plane k - 3; on: three
 * bits, whether there is a plane k - 2, the cell in it is stored, and there is a plane k. */
template <int parity, int late>
static __device__ __forceinline__ void
SYMBOL_staged_cell(const struct gmg_cuda_args &args, const REAL *stage, const REAL *lines,
                   const REAL *plane, const REAL *above, int x, int y, int on, int to,
                   struct SYMBOL_staged_parts &in, struct SYMBOL_staged_early &early, REAL &before)
{
  const gmg_write<REAL> out(args.out);
  if (on & 1) {
    typedef struct SYMBOL_place place;
    const REAL own = plane[0], beside = plane[parity ? -1 : 1];
    const REAL value =
      SYMBOL_staged_second(&args, in, parity ? beside : own, parity ? own : beside,
                           plane[-place::first_row], plane[place::first_row], before, above[0]);
    if (on & 2)
      out[to + (1 - parity) * args.box.odd] = value;
    before = own;
  }
  if (on & 4) {
    in = SYMBOL_staged_read(&args, early, stage, lines, x, y, parity, late);
    early = SYMBOL_staged_early_of(&args, stage, x, y, 1 - parity);
  }
}

/* One colour and then the other, in one pass and out of place. Threads of the first colour compute
 * plane k, with a cell more on each side than the block's BLOCK_I pairs in BLOCK_J rows; threads of
 * the second plane k - 2; one warp copies plane k + 1. */
extern "C" __global__ void __launch_bounds__(SYMBOL_place::threads, 1)
  SYMBOL_staged(const __grid_constant__ struct gmg_cuda_args args,
                const __grid_constant__ struct gmg_cuda_boxes boxes)
{
  typedef struct SYMBOL_place place;
  gmg_shared(memory, place::bytes);
  REAL *const stages = (REAL *)memory, *const firsts = stages + 3 * place::stage,
              *const lines = firsts + 3 * place::plane;
  uint64_t *const arrived = (uint64_t *)(lines + place::lines); /* stages so far, by slot */
  const struct gmg_kernel_box *const box = &args.box;
  const gmg_write<REAL> out(args.out);
  const int thread = (int)threadIdx.x, at0 = (int)blockIdx.x * BLOCK_I,
            j0 = (int)blockIdx.y * BLOCK_J;
  const int planes = (box->cells[2] + (int)gridDim.z - 1) / (int)gridDim.z,
            k0 = (int)blockIdx.z * planes;
  const int k1 = gmg_least(k0 + planes, box->cells[2]), steps = k1 - k0 + 3;
  const int start =
    box->lower[0] + box->lower[1] + box->lower[2] + (int)args.scalar[COLOUR] + REMAINDER;
  const REAL *const UNKNOWN = (const REAL *)args.field[FIELD];
  if (k0 >= k1)
    return;
  for (int n = 0; n < 3 && thread == 0; n++)
    gmg_arrivals(arrived + n);
  for (int n = 0; n < 2 && thread < 32; n++)
    SYMBOL_copy(args, boxes, stages + n * place::stage, at0, j0, k0 - 2 + n, start, arrived + n, 0,
                0);
  // (lines along i and j)
  if (thread < 32) {
    gmg_barrier(place::threads);
#pragma unroll 1
    for (int n = 0, to = 2; n < steps; n++, to = to < 2 ? to + 1 : 0) {
      uint64_t *const before = arrived + (to > 0 ? to - 1 : 2);
      if (k0 + n <= k1)
        SYMBOL_copy(args, boxes, stages + to * place::stage, at0, j0, k0 + n, start, arrived + to,
                    before, (n + 1) / 3);
      gmg_barrier(place::threads);
    }
  } else if (thread < 32 + place::pairs) {
    /* The first colour, two rows each. bits: four for either parity of the first row's cell,
     * whether the cells are inside, and whether they are stored; and four for the planes below and
     * above, where nothing is stored and perhaps nothing inside. */
    const int column = (thread - 32) % BLOCK_I, row = 2 * ((thread - 32) / BLOCK_I) - 1,
              j = j0 + row, last = steps - 2;
    int bits = (k0 > 0 ? 3 : 0) << 8 | (k1 < box->cells[2] ? 3 : 0) << 12,
        parity = (start + j + k0 - 1) & 1;
    int to = at0 + column + j * box->stride[0] + (k0 - 1) * box->stride[1], slot = 0, turn = 0;
    REAL below[2] = {0, 0}; /* u in plane k - 1 at the cells */
#pragma unroll
    for (int r = 0; r < 2; r++) {
      const int i = 2 * (at0 + column) + (parity ^ r),
                stored = row + r >= 0 && row + r < BLOCK_J ? 5 : 1;
      for (int n = 0; n < 2; n++)
        if (j + r >= 0 && j + r < box->cells[1] && 2 * (at0 + column) + (n ^ r) < box->cells[0])
          bits |= stored << (r + 4 * n);
      if (j + r <= box->cells[1] && i <= box->cells[0] && k0 > 0)
        below[r] =
          UNKNOWN[gmg_at(i, box->odd) + (j + r) * box->stride[0] + (k0 - 2) * box->stride[1]];
    }
    gmg_barrier(place::threads);
    gmg_await(arrived, 0);
    /* Plane k0 - 1 + n. slot: of its values, and of the stage below. */
#pragma unroll 1
    for (int n = 0; n < steps; n++) {
      const int next = slot < 2 ? slot + 1 : 0;
      turn += slot == 2;
      if (n <= last) {
        const int x = gmg_after(column, 0.0), y = gmg_after(row, 0.0);
        const REAL *const before = stages + slot * place::stage,
                          *const now = stages + next * place::stage;
        REAL *const first = firsts + slot * place::plane + (y + 1) * place::first_row + x + 1;
        const int all = gmg_after(bits, 0.0);
        const int on = all >> 4 * parity & (n == 0 ? all >> 8 : n < last ? 15 : all >> 12) & 15;
        gmg_await(arrived + next, turn);
        if (parity)
          SYMBOL_staged_rows<1>(args, before, now, lines, first, x, y, on, to, below);
        else
          SYMBOL_staged_rows<0>(args, before, now, lines, first, x, y, on, to, below);
      }
      gmg_barrier(place::threads);
      slot = next;
      parity = 1 - parity;
      to += box->stride[1];
    }
  } else if (thread < 32 + place::pairs + place::edge) {
    /* The first colour's cell beside each row, on the left or on the right. */
    const int y = thread - 32 - place::pairs, j = j0 + y;
    const bool counts = y < BLOCK_J && j < box->cells[1];
    const bool on_left = at0 > 0;
    const bool on_right = 2 * (at0 + BLOCK_I) < box->cells[0];
    REAL below = 0;
    int slot = 0, turn = 0, parity = (start + j + k0 - 1) & 1;
    const int i = parity ? 2 * at0 - 1 : 2 * (at0 + BLOCK_I);
    if (counts && i <= box->cells[0] && k0 > 0)
      below = UNKNOWN[gmg_at(i, box->odd) + j * box->stride[0] + (k0 - 2) * box->stride[1]];
    gmg_barrier(place::threads);
    gmg_await(arrived, 0);
#pragma unroll 1
    for (int k = k0 - 1; k < k0 - 1 + steps; k++) {
      const int next = slot < 2 ? slot + 1 : 0;
      turn += slot == 2;
      if (k <= k1) {
        const REAL *const before = stages + slot * place::stage,
                          *const now = stages + next * place::stage;
        gmg_await(arrived + next, turn);
        if (counts) {
          const int x = parity ? -1 : BLOCK_I;
          const REAL *const own = before + place::UNKNOWN_at + y * place::UNKNOWN_row;
          REAL value = own[gmg_at(parity, place::odd) + x];
          if (k >= 0 && k < box->cells[2] && (parity ? on_left : on_right))
            value =
              SYMBOL_staged_first(&args, before, now, lines, below, x, y, parity, 1 - (y & 1));
          below = own[gmg_at(1 - parity, place::odd) + BLOCK_I - 1 - x];
          firsts[slot * place::plane + (y + 1) * place::first_row + x + 1] = value;
        }
      }
      gmg_barrier(place::threads);
      slot = next;
      parity = 1 - parity;
    }
  } else {
    /* The second colour, two rows each. bits: whether even and odd cells of the rows are inside.
     * parity: of the first colour in planes k and k - 2. */
    const int pair = thread - 32 - place::pairs - place::edge, column = pair % BLOCK_I,
              row = 2 * (pair / BLOCK_I), j = j0 + row;
    int bits = 0, to = at0 + column + j * box->stride[0] + (k0 - 3) * box->stride[1],
        parity = (start + j + k0 - 1) & 1;
    for (int n = 0; n < 4; n++)
      if (j + n / 2 < box->cells[1] && 2 * (at0 + column) + (n & 1) < box->cells[0])
        bits |= 1 << n;
    struct SYMBOL_staged_parts in[2] = {};
    struct SYMBOL_staged_early early[2] = {};
    REAL before[2] = {0, 0}; /* the first colour's values below */
    gmg_barrier(place::threads);
    gmg_await(arrived, 0); /* for the later stages the first colour has waited, a barrier ago */
    /* Plane k - 2, k as above. */
#pragma unroll 1
    for (int n = 0, slot = 0; n < steps; n++, slot = slot < 2 ? slot + 1 : 0) {
      const int x = gmg_after(column, 0.0), y = gmg_after(row, 0.0), last = n <= steps - 2 ? 4 : 0;
      const int on = last | (n >= 2) | (n >= 3 && bits >> (1 - parity) & 1) << 1;
      const int on1 = last | (n >= 2) | (n >= 3 && bits >> (2 + parity) & 1) << 1;
      const REAL *const stage = stages + slot * place::stage,
                        *const first = firsts + (y + 1) * place::first_row + x + 1;
      const REAL *const plane = first + (slot < 2 ? slot + 1 : 0) * place::plane;
      const REAL *const above = first + (slot > 0 ? slot - 1 : 2) * place::plane;
      const REAL *const plane1 = plane + place::first_row, *const above1 = above + place::first_row;
      const int to1 = to + box->stride[0];
      if (parity) {
        SYMBOL_staged_cell<1, 0>(args, stage, lines, plane, above, x, y, on, to, in[0], early[0],
                                 before[0]);
        SYMBOL_staged_cell<0, 1>(args, stage, lines, plane1, above1, x, y + 1, on1, to1, in[1],
                                 early[1], before[1]);
      } else {
        SYMBOL_staged_cell<0, 0>(args, stage, lines, plane, above, x, y, on, to, in[0], early[0],
                                 before[0]);
        SYMBOL_staged_cell<1, 1>(args, stage, lines, plane1, above1, x, y + 1, on1, to1, in[1],
                                 early[1], before[1]);
      }
      gmg_barrier(place::threads);
      parity = 1 - parity;
      to += box->stride[1];
    }
  }
}
