/* Made by gmg-gen: kernels of structured-grid multigrid. Indices count from the first interior cell
 * of a box; element (i, j, k) of a field is at i + j stride[0] + k stride[1], in split rows at
 * gmg_at(i, odd) + ... */
typedef int int32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

struct gmg_kernel_box {
  int cells[3];       /* own level, by axis */
  int lower[3];       /* global index of the first cell: colours depend on it */
  int other_cells[3]; /* of the box of the other level that transfers read or write */
  int other_lower[3]; /* likewise */
  ptrdiff_t stride[2], other_stride[2];
  ptrdiff_t odd, other_odd; /* of split rows */
  int paired;
};

struct gmg_reduction {
  double cut[2];   /* 1.5 * 2^52 quanta: term + cut is a multiple of the quantum in its last bits */
  uint64_t bin[2]; /* those multiples, added as integers: in any order the same sum */
  int64_t most;    /* bits of the largest magnitude */
};

struct gmg_cuda_args {
  struct gmg_kernel_box box;
  double scalar[8];
  struct gmg_reduction *reduction;
  void *field[40];   /* element (0, 0, 0) */
  void *out;         /* of forms that write out of place */
  double then[8];    /* of forms that compute both colours: the second one's scalars */
  const void *table; /* of forms for many boxes: a gmg_cuda_record for each of them */
  int each;          /* so many thread blocks for each of them */
};

/* What a launch on many boxes has for each of them. */
template <int fields> struct gmg_cuda_record {
  struct gmg_kernel_box box;
  void *field[fields];
};

/* A thread block's place among those of its box, and how many these are along k. */
struct gmg_block {
  int i, j, k, blocks_k;
};

/* Boxes of fields as the copy engine knows them. */
struct __align__(64) gmg_cuda_tensor
{
  uint64_t word[16];
};
struct gmg_cuda_boxes {
  struct gmg_cuda_tensor box[8];
};

/* What one thread adds to a reduction. */
struct gmg_partial {
  uint64_t bin[2];
  int64_t most;
  int32_t most_single; /* the same of numbers in single precision */
};

/* Thread blocks that cover so many positions. */
static __device__ __forceinline__ int gmg_blocks(int positions, int covered)
{
  return (positions + covered - 1) / covered;
}

/* The arguments on the box of this thread block, in a launch on many of them. Every thread reads
 * them for itself, so that none waits for another. */
template <int fields>
static __device__ __forceinline__ void gmg_take_box(struct gmg_cuda_args *args,
                                                    const struct gmg_cuda_args *launch)
{
  const gmg_cuda_record<fields> *const record =
    (const gmg_cuda_record<fields> *)launch->table + blockIdx.x / (unsigned)launch->each;
  args->box = record->box;
#pragma unroll
  for (int n = 0; n < fields; n++)
    args->field[n] = record->field[n];
#pragma unroll
  for (int n = 0; n < 8; n++)
    args->scalar[n] = launch->scalar[n];
  args->reduction = launch->reduction;
}

/* Its place in such a launch, along i first. A box that has fewer thread blocks than the largest
 * one has none with k from blocks_k on: those have nothing to do. */
static __device__ __forceinline__ struct gmg_block
gmg_block_of(const struct gmg_cuda_args *launch, int blocks_i, int blocks_j, int blocks_k)
{
  const int n = (int)(blockIdx.x % (unsigned)launch->each), row = n / blocks_i;
  const struct gmg_block block = {n - row * blocks_i, row % blocks_j, row / blocks_j, blocks_k};
  return block;
}

/* Asks for the value at an address: it will be wanted soon. */
static __device__ __forceinline__ void gmg_ahead(const void *at)
{
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" : : "l"(at));
#endif
  (void)at;
}

/* Values as they were before the launch: no thread writes them, or only the one that reads them,
 * later. So they may come through the cache for such, and in any order. `row` is where a row of
 * them starts: an index of 32 bits, the same for all fields of a level, takes fewer registers than
 * a pointer for each. once: caches need not keep the value. */
template <typename real, bool once = false> struct gmg_read {
  const real *first;
  int row;
  __device__ __forceinline__ explicit gmg_read(const void *values, ptrdiff_t distance = 0)
      : first((const real *)values), row((int)distance)
  {
  }
  __device__ __forceinline__ real operator[](ptrdiff_t at) const
  {
    return once ? __ldcs(first + (int)(row + at)) : __ldg(first + (int)(row + at));
  }
  __device__ __forceinline__ void ahead(ptrdiff_t at) const
  {
    gmg_ahead(first + (int)(row + at));
  }
  /* Whether the value is the first of 32 bytes, which is what comes at a time. */
  __device__ __forceinline__ bool leads(ptrdiff_t at) const
  {
    return ((size_t)(first + (int)(row + at)) & 31) < sizeof(real);
  }
  __device__ __forceinline__ gmg_read operator+(ptrdiff_t distance) const
  {
    return gmg_read(first, row + distance);
  }
};

/* Values that are stored, addressed alike. */
template <typename real> struct gmg_write {
  real *first;
  int row;
  __device__ __forceinline__ explicit gmg_write(void *values, ptrdiff_t distance = 0)
      : first((real *)values), row((int)distance)
  {
  }
  __device__ __forceinline__ real &operator[](ptrdiff_t at) const
  {
    return first[(int)(row + at)];
  }
  __device__ __forceinline__ gmg_write operator+(ptrdiff_t distance) const
  {
    return gmg_write(first, row + distance);
  }
};

/* Where element i of a split row lies, from element 0. */
static __device__ __forceinline__ ptrdiff_t gmg_at(int i, ptrdiff_t odd)
{
  return (i >> 1) + (i & 1 ? odd : 0);
}

/* Distance from index `at` to the next one that is congruent to digit. */
static __device__ __forceinline__ int gmg_first(int at, int digit, int modulus)
{
  const int distance = (digit - at % modulus) % modulus;
  return distance < 0 ? distance + modulus : distance;
}

/* i, but known no earlier than what is done: keeps the numbers of registers low. */
template <typename real> static __device__ __forceinline__ int gmg_after(int i, real done)
{
#ifdef __CUDA_ARCH__
  asm volatile("// %0 %1" : "+r"(i) : "l"(__double_as_longlong(done)));
#endif
  (void)done;
  return i;
}

/* Whether cell (i, j, k) of a box is of the colour that is wanted, 1 + 0 or 1 + 1; 0: either is. */
static __device__ __forceinline__ int gmg_counts(int only, const int lower[3], int i, int j, int k)
{
  return only == 0 || ((lower[0] + lower[1] + lower[2] + i + j + k + only) & 1);
}

/* A value where it counts, else 0; by its bits, which takes no branch around what it is made of. */
static __device__ __forceinline__ double gmg_only(int counts, double value)
{
  return __longlong_as_double(__double_as_longlong(value) & -(int64_t)counts);
}

static __device__ __forceinline__ float gmg_only_single(int counts, float value)
{
  return __int_as_float(__float_as_int(value) & -counts);
}

static __device__ __forceinline__ int gmg_least(int a, int b)
{
  return a < b ? a : b;
}

/* Shared memory whose size is known at the launch. */
#ifndef gmg_shared
#define gmg_shared(name, bytes) extern __shared__ __align__(128) char name[]
#endif

/* A barrier for all the block's threads, which reach it at different places. */
static __device__ __forceinline__ void gmg_barrier(int threads)
{
#ifdef __CUDA_ARCH__
  asm volatile("barrier.sync 1, %0;" : : "r"(threads) : "memory");
#else
  (void)threads;
  __syncthreads();
#endif
}

/* Boxes that the copy engine brings to shared memory, from architecture 9.0 on: how many bytes are
 * to come; to wait for those of the n-th time. Before 9.0 a warp copies them, and they are there
 * behind the next barrier. */
static __device__ __forceinline__ void gmg_arrivals(uint64_t *arrived)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
               :
               : "r"((int)__cvta_generic_to_shared(arrived))
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#else
  (void)arrived;
#endif
}

static __device__ __forceinline__ void gmg_expect(uint64_t *arrived, int bytes)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"((int)__cvta_generic_to_shared(arrived)), "r"(bytes)
                 : "memory");
#else
  (void)arrived, (void)bytes;
#endif
}

static __device__ __forceinline__ void gmg_await(uint64_t *arrived, int n)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  int there = 0;
  while (!there)
    asm volatile("{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;"
                 " selp.s32 %0, 1, 0, done; }"
                 : "=r"(there)
                 : "r"((int)__cvta_generic_to_shared(arrived)), "r"(n & 1)
                 : "memory");
#else
  (void)arrived, (void)n;
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define GMG_COPY_ENGINE
#endif

/* Asks the copy engine for a box of the tensor: from `first` on along each of its axes. */
static __device__ __forceinline__ void
gmg_copy_tensor(void *to, const struct gmg_cuda_tensor *tensor, const int *first, uint64_t *arrived)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%3, %4, %5, %6}], [%2];"
                 :
                 : "r"((int)__cvta_generic_to_shared(to)), "l"(tensor),
                   "r"((int)__cvta_generic_to_shared(arrived)), "r"(first[0]), "r"(first[1]),
                   "r"(first[2]), "r"(first[3])
                 : "memory");
#elif defined(GMG_COPY_ENGINE) /* a test's */
  if (threadIdx.x == 0)
    gmg_copy_tensor_on_cpu(to, tensor, first);
  (void)arrived;
#else
  (void)to, (void)tensor, (void)first, (void)arrived;
#endif
}

/* Where there is none, a warp copies: cell i of row j in plane k, if the box or its ghosts have
 * one. */
template <typename real>
static __device__ __forceinline__ real gmg_copied(const void *field,
                                                  const struct gmg_kernel_box *box, int i, int j,
                                                  int k)
{
  const bool inside =
    i >= -1 && i <= box->cells[0] && j >= -1 && j <= box->cells[1] && k >= -1 && k <= box->cells[2];
  const ptrdiff_t at = gmg_at(i, box->odd) + j * box->stride[0] + k * box->stride[1];
  return inside ? ((const real *)field)[at] : (real)0;
}

/* Rows from j on of plane k: of each first its even cells from pair `at` on, then its odd ones from
 * pair at - shift on. The tensor's first row and plane are `low` and `below`. Outside it there may
 * be anything. The first warp calls it. */
template <typename real, int width, int rows, int shift, int low, int below>
static __device__ __forceinline__ void
gmg_copy_box(real *to, const struct gmg_cuda_tensor *tensor, const void *field,
             const struct gmg_kernel_box *box, int at, int j, int k, uint64_t *arrived)
{
#ifdef GMG_COPY_ENGINE
  const int first[4] = {at + 32 / (int)sizeof(real), 0, j - low, k - below};
  gmg_copy_tensor(to, tensor, first, arrived);
  (void)field, (void)box;
#else
  for (int n = (int)threadIdx.x; n < rows * 2 * width; n += 32) {
    const int half = n / width % 2, i = 2 * (at + n % width - half * shift) + half;
    to[n] = gmg_copied<real>(field, box, i, j + n / (2 * width), k);
  }
  (void)tensor, (void)arrived;
#endif
}

/* The same of fields that are read at the cell's own place alone: the even cells, and at to + apart
 * the odd ones, whose pairs start 32 bytes further left. Rows start at j where cells are of the
 * given parity, else at j + 1. */
template <typename real, int width, int rows, int apart, int low>
static __device__ __forceinline__ void
gmg_copy_halves(real *to, const struct gmg_cuda_tensor *tensor, const void *field,
                const struct gmg_kernel_box *box, int at, int j, int k, int parity,
                uint64_t *arrived)
{
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const int first[4] = {at - half * (32 / (int)sizeof(real)), half, j - low + (half ^ parity), k};
#ifdef GMG_COPY_ENGINE
    gmg_copy_tensor(to + half * apart, tensor, first, arrived);
    (void)field, (void)box;
#else
    for (int n = (int)threadIdx.x; n < rows * width; n += 32)
      to[half * apart + n] = gmg_copied<real>(field, box, 2 * (first[0] + n % width) + half,
                                              first[2] + low + n / width, k);
    (void)tensor, (void)arrived;
#endif
  }
}

/* n / divisor: a shift where that is a power of two, as most extents are. */
static __device__ __forceinline__ int gmg_quotient(int n, int divisor)
{
  return divisor & (divisor - 1) ? n / divisor : n >> (31 - __clz(divisor));
}

/* Threads of a warp that visit a row of so many positions: a power of two, so that a warp has whole
 * rows. */
static __device__ __forceinline__ int gmg_row_threads(int positions)
{
  int threads = 1;
  while (threads < positions && threads < 32)
    threads *= 2;
  return threads;
}

static __device__ __forceinline__ uint64_t gmg_bits(double x)
{
  return (uint64_t)__double_as_longlong(x);
}

/* The bits of |x|: in the order of |x|, NaN above all else. */
static __device__ __forceinline__ int64_t gmg_size(double x)
{
  return __double_as_longlong(fabs(x));
}

static __device__ __forceinline__ int32_t gmg_size_single(float x)
{
  return __float_as_int(fabsf(x));
}

/* Adds what the threads of a block have found, by one atomic operation each. Every thread of the
 * block calls it; the block has whole warps. */
static __device__ void gmg_add(struct gmg_reduction *total, const struct gmg_partial *partial)
{
  __shared__ uint64_t bins[32][2];
  __shared__ int64_t mosts[32];
  const int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const int warps = (int)(blockDim.x * blockDim.y * blockDim.z) / 32;
  uint64_t bin0 = partial->bin[0], bin1 = partial->bin[1];
  const int64_t single = gmg_size((double)__int_as_float(partial->most_single));
  int64_t most = partial->most > single ? partial->most : single;
  for (int distance = 16; distance > 0; distance /= 2) {
    bin0 += __shfl_down_sync(0xffffffffu, bin0, distance);
    bin1 += __shfl_down_sync(0xffffffffu, bin1, distance);
    const int64_t other = __shfl_down_sync(0xffffffffu, most, distance);
    most = other > most ? other : most;
  }
  __syncthreads(); /* nobody reads any more what an earlier call has left */
  if (thread % 32 == 0) {
    bins[thread / 32][0] = bin0;
    bins[thread / 32][1] = bin1;
    mosts[thread / 32] = most;
  }
  __syncthreads();
  if (thread != 0)
    return;
  for (int warp = 1; warp < warps; warp++) {
    bin0 += bins[warp][0];
    bin1 += bins[warp][1];
    most = mosts[warp] > most ? mosts[warp] : most;
  }
  atomicAdd((unsigned long long *)&total->bin[0], (unsigned long long)bin0);
  atomicAdd((unsigned long long *)&total->bin[1], (unsigned long long)bin1);
  atomicMax((long long *)&total->most, (long long)most);
}

/* w = A u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i
 * Scalars: b
 * Storage: double, plain rows; per cell 6 flops, 16 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_apply_f64_cell(const struct gmg_cuda_args *args, int i, int
    j, int k)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> a_w_row = a_w + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  a_w_row[i] = s_b * a_h_k_at * a_h_j_at * fma(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] -
      a_u_row[i - 1]));
}

static __device__ void second_difference_apply_f64_cells(const struct gmg_cuda_args *args, int thread, int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_apply_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_apply_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_apply_f64_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_apply_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* w = A u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i
 * Scalars: b
 * Storage: float, plain rows; per cell 6 flops, 8 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_apply_f32_cell(const struct gmg_cuda_args *args, int i, int
    j, int k)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> a_w_row = a_w + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_w_row[i] = s_b * a_h_k_at * a_h_j_at * fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] -
      a_u_row[i - 1]));
}

static __device__ void second_difference_apply_f32_cells(const struct gmg_cuda_args *args, int thread, int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_apply_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_apply_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_apply_f32_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_apply_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* w = A u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i
 * Scalars: b
 * Storage: double, split rows; per cell 6 flops, 16 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_apply_f64_split_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int cells)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<double> a_w_row = a_w + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_w_row[same + at] = s_b * a_h_k_at * a_h_j_at * fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
        a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1]));
  }
}

static __device__ void second_difference_apply_f64_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_apply_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_apply_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_apply_f64_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_apply_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* w = A u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i
 * Scalars: b
 * Storage: float, split rows; per cell 6 flops, 8 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_apply_f32_split_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int cells)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<float> a_w_row = a_w + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_w_row[same + at] = s_b * a_h_k_at * a_h_j_at * fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same +
        at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1]));
  }
}

static __device__ void second_difference_apply_f32_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_apply_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_apply_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_apply_f32_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_apply_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b
 * Storage: double, plain rows; per cell 7 flops, 24 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_f64_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_write<double> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> a_r_row = a_r + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  a_r_row[i] = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] *
      (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]);
}

static __device__ void second_difference_residual_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_f64_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b
 * Storage: float, plain rows; per cell 7 flops, 12 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_f32_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_write<float> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> a_r_row = a_r + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  a_r_row[i] = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] *
      (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]);
}

static __device__ void second_difference_residual_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_f32_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b
 * Storage: double, split rows; per cell 7 flops, 24 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_f64_split_cell(const struct gmg_cuda_args *args,
    int at, int j, int k, int cells)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_write<double> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<double> a_r_row = a_r + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_r_row[same + at] = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same
        + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  }
}

static __device__ void second_difference_residual_f64_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_f64_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b
 * Storage: float, split rows; per cell 7 flops, 12 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_f32_split_cell(const struct gmg_cuda_args *args,
    int at, int j, int k, int cells)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_write<float> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<float> a_r_row = a_r + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_r_row[same + at] = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next + at], a_u_row[next + at] -
        a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  }
}

static __device__ void second_difference_residual_f32_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_f32_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* dinv = 1 / the diagonal of A, boundary formulas folded in
 * Writes:  dinv
 * Reads:   h_j, h_k, g_i
 * Scalars: b
 * Storage: double, plain rows; per cell 0 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_inverse_diagonal_f64_parts {
  double divisor;
};

static __device__ __forceinline__ struct second_difference_inverse_diagonal_f64_parts
    second_difference_inverse_diagonal_f64_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_h_j(args->field[0]);
  const gmg_read<double> a_h_k(args->field[1]);
  const gmg_read<double> a_g_i(args->field[2]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  struct second_difference_inverse_diagonal_f64_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  return to;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f64_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_inverse_diagonal_f64_parts &in)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_dinv(args->field[3]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  a_dinv_row[i] = 1.0 / in.divisor;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f64_cell(const struct gmg_cuda_args *args,
    int i, int j, int k)
{
  second_difference_inverse_diagonal_f64_finish(args, i, j, k, second_difference_inverse_diagonal_f64_prepare(args,
      i, j, k));
}

static __device__ void second_difference_inverse_diagonal_f64_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_inverse_diagonal_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_inverse_diagonal_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<4>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_inverse_diagonal_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_inverse_diagonal_f64_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_inverse_diagonal_f64_finish(&args, i, j, k0 + m, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_inverse_diagonal_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* dinv = 1 / the diagonal of A, boundary formulas folded in
 * Writes:  dinv
 * Reads:   h_j, h_k, g_i
 * Scalars: b
 * Storage: float, plain rows; per cell 0 flops, 4 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_inverse_diagonal_f32_parts {
  float divisor;
};

static __device__ __forceinline__ struct second_difference_inverse_diagonal_f32_parts
    second_difference_inverse_diagonal_f32_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_h_j(args->field[0]);
  const gmg_read<float> a_h_k(args->field[1]);
  const gmg_read<float> a_g_i(args->field[2]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  struct second_difference_inverse_diagonal_f32_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  return to;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f32_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_inverse_diagonal_f32_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_dinv(args->field[3]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  a_dinv_row[i] = 1.0f / in.divisor;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f32_cell(const struct gmg_cuda_args *args,
    int i, int j, int k)
{
  second_difference_inverse_diagonal_f32_finish(args, i, j, k, second_difference_inverse_diagonal_f32_prepare(args,
      i, j, k));
}

static __device__ void second_difference_inverse_diagonal_f32_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_inverse_diagonal_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_inverse_diagonal_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<4>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_inverse_diagonal_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_inverse_diagonal_f32_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_inverse_diagonal_f32_finish(&args, i, j, k0 + m, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_inverse_diagonal_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* dinv = 1 / the diagonal of A, boundary formulas folded in
 * Writes:  dinv
 * Reads:   h_j, h_k, g_i
 * Scalars: b
 * Storage: double, split rows; per cell 0 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_inverse_diagonal_f64_split_parts {
  double divisor;
};

static __device__ __forceinline__ struct second_difference_inverse_diagonal_f64_split_parts
    second_difference_inverse_diagonal_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_h_j(args->field[0]);
  const gmg_read<double> a_h_k(args->field[1]);
  const gmg_read<double> a_g_i(args->field[2]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  struct second_difference_inverse_diagonal_f64_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  return to;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f64_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_inverse_diagonal_f64_split_parts &in)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_dinv(args->field[3]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  a_dinv_row[same + at] = 1.0 / in.divisor;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f64_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_inverse_diagonal_f64_split_finish(args, at, j, k, parity,
        second_difference_inverse_diagonal_f64_split_prepare(args, at, j, k, parity));
  }
}

static __device__ void second_difference_inverse_diagonal_f64_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_inverse_diagonal_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_inverse_diagonal_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<4>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_inverse_diagonal_f64_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_inverse_diagonal_f64_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_inverse_diagonal_f64_split_finish(&args, i, j, k0 + m, p, in[m - n][p]);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_inverse_diagonal_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* dinv = 1 / the diagonal of A, boundary formulas folded in
 * Writes:  dinv
 * Reads:   h_j, h_k, g_i
 * Scalars: b
 * Storage: float, split rows; per cell 0 flops, 4 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_inverse_diagonal_f32_split_parts {
  float divisor;
};

static __device__ __forceinline__ struct second_difference_inverse_diagonal_f32_split_parts
    second_difference_inverse_diagonal_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_h_j(args->field[0]);
  const gmg_read<float> a_h_k(args->field[1]);
  const gmg_read<float> a_g_i(args->field[2]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  struct second_difference_inverse_diagonal_f32_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  return to;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f32_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_inverse_diagonal_f32_split_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_dinv(args->field[3]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  a_dinv_row[same + at] = 1.0f / in.divisor;
}

static __device__ __forceinline__ void second_difference_inverse_diagonal_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_inverse_diagonal_f32_split_finish(args, at, j, k, parity,
        second_difference_inverse_diagonal_f32_split_prepare(args, at, j, k, parity));
  }
}

static __device__ void second_difference_inverse_diagonal_f32_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_inverse_diagonal_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_inverse_diagonal_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<4>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_inverse_diagonal_f32_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_inverse_diagonal_f32_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_inverse_diagonal_f32_split_finish(&args, i, j, k0 + m, p, in[m - n][p]);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_inverse_diagonal_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f - A u) / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, plain rows; per cell 9 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_f64_parts {
  double divisor;
  double term;
  double a_u_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_f64_parts
    second_difference_gauss_seidel_f64_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_f64_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i]
      - a_u_row[i - 1])), a_f_row[i]);
  to.a_u_at = a_u_row[i];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_finish(const struct gmg_cuda_args *args,
    int at, int j, int k, int parity, const struct second_difference_gauss_seidel_f64_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<double> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[i] = fma(s_omega / in.divisor, in.term, in.a_u_at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_ahead(const struct gmg_cuda_args *args,
    int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(i);
  const gmg_read<double, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(i);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_f64_finish(args, at, j, k, parity, second_difference_gauss_seidel_f64_prepare(args,
      at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_f64_parity(const struct gmg_cuda_args *args,
    int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_f64_cell(args, at, j, k, second_difference_gauss_seidel_f64_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_f64_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f64_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f64_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f64_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f64_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f64_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f64_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f64_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f64_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_f64_cell(&args, i, j, k, second_difference_gauss_seidel_f64_parity(&args, j,
            k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f - A u) / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, plain rows; per cell 9 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_f32_parts {
  float divisor;
  float term;
  float a_u_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_f32_parts
    second_difference_gauss_seidel_f32_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_f32_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] *
      (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]);
  to.a_u_at = a_u_row[i];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_finish(const struct gmg_cuda_args *args,
    int at, int j, int k, int parity, const struct second_difference_gauss_seidel_f32_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[i] = fmaf(s_omega / in.divisor, in.term, in.a_u_at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_ahead(const struct gmg_cuda_args *args,
    int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(i);
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(i);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_f32_finish(args, at, j, k, parity, second_difference_gauss_seidel_f32_prepare(args,
      at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_f32_parity(const struct gmg_cuda_args *args,
    int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_f32_cell(args, at, j, k, second_difference_gauss_seidel_f32_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_f32_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f32_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f32_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f32_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f32_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f32_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f32_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f32_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f32_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_f32_cell(&args, i, j, k, second_difference_gauss_seidel_f32_parity(&args, j,
            k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f - A u) / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, split rows; per cell 9 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_f64_split_parts {
  double divisor;
  double term;
  double a_u_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_f64_split_parts
    second_difference_gauss_seidel_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_f64_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.a_u_at = a_u_row[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_gauss_seidel_f64_split_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<double> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[same + at] = fma(s_omega / in.divisor, in.term, in.a_u_at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_split_ahead(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(same + at);
  const gmg_read<double, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(same + at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f64_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_f64_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_f64_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_f64_split_parity(const struct gmg_cuda_args
    *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_f64_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_f64_split_cell(args, at, j, k,
        second_difference_gauss_seidel_f64_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_f64_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f64_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f64_split_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f64_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f64_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f64_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f64_split_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f64_split_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f64_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_f64_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_f64_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f - A u) / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, split rows; per cell 9 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_f32_split_parts {
  float divisor;
  float term;
  float a_u_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_f32_split_parts
    second_difference_gauss_seidel_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_f32_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.a_u_at = a_u_row[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_gauss_seidel_f32_split_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[same + at] = fmaf(s_omega / in.divisor, in.term, in.a_u_at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_split_ahead(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(same + at);
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(same + at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_f32_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_f32_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_f32_split_parity(const struct gmg_cuda_args
    *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_f32_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_f32_split_cell(args, at, j, k,
        second_difference_gauss_seidel_f32_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_f32_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f32_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f32_split_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f32_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f32_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_f32_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_f32_split_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_f32_split_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_f32_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_f32_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_f32_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The same from sums, for sweeps that others follow: u = (1 - omega) u + omega (f - N u) / diagonal, A u = diagonal
    u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, plain rows; per cell 8 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_sums_f32_parts {
  float divisor;
  float term;
  float term_2;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_sums_f32_parts
    second_difference_gauss_seidel_sums_f32_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_sums_f32_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.term = fmaf(s_b * a_h_k_at * a_h_j_at, fmaf(a_g_i[i], a_u_row[i - 1], a_g_i[i + 1] * a_u_row[i + 1]),
      a_f_row[i]);
  to.term_2 = (1.0f - s_omega) * a_u_row[i];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_gauss_seidel_sums_f32_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[i] = fmaf(s_omega / in.divisor, in.term, in.term_2);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_ahead(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(i);
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(i);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_sums_f32_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_sums_f32_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_sums_f32_parity(const struct gmg_cuda_args
    *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_sums_f32_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_sums_f32_cell(args, at, j, k,
        second_difference_gauss_seidel_sums_f32_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_sums_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_sums_f32_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_sums_f32_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_sums_f32_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_sums_f32_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_sums_f32_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_sums_f32_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_sums_f32_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_sums_f32_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_sums_f32_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_sums_f32_cell(&args, i, j, k,
            second_difference_gauss_seidel_sums_f32_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The same from sums, for sweeps that others follow: u = (1 - omega) u + omega (f - N u) / diagonal, A u = diagonal
    u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, split rows; per cell 8 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_sums_f32_split_parts {
  float divisor;
  float term;
  float term_2;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_sums_f32_split_parts
    second_difference_gauss_seidel_sums_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_sums_f32_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.term = fmaf(s_b * a_h_k_at * a_h_j_at, fmaf(a_g_i[same + at], a_u_row[next + at - 1], a_g_i[next + at] *
      a_u_row[next + at]), a_f_row[same + at]);
  to.term_2 = (1.0f - s_omega) * a_u_row[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_sums_f32_split_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[same + at] = fmaf(s_omega / in.divisor, in.term, in.term_2);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_split_ahead(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float, true> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_read<float, true> a_f_row = a_f + j * stride_j + k * stride_k;
  a_f_row.ahead(same + at);
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row.ahead(same + at);
}

static __device__ __forceinline__ void second_difference_gauss_seidel_sums_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_sums_f32_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_sums_f32_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_sums_f32_split_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_sums_f32_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_sums_f32_split_cell(args, at, j, k,
        second_difference_gauss_seidel_sums_f32_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_sums_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const bool back = (int)args.scalar[2] & 1;
  const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_sums_f32_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_sums_f32_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_sums_f32_split_ahead(&args, i, j, k0 + m, m & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_sums_f32_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_sums_f32_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_sums_f32_split_parts in[UNROLL];
        if (n + UNROLL < PLANES) {
#pragma unroll
          for (int m = n + UNROLL; m < n + 2 * UNROLL; m++)
            second_difference_gauss_seidel_sums_f32_split_ahead(&args, i, j, k0 + m, (m + 1) & 1);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_sums_f32_split_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_sums_f32_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_sums_f32_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_sums_f32_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The first sweep's first colour where u is 0, whatever is stored: u = omega f / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, plain rows; per cell 1 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_first_f64_parts {
  double divisor;
  double a_f_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_first_f64_parts
    second_difference_gauss_seidel_zero_first_f64_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_first_f64_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.a_f_at = a_f_row[i];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f64_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_first_f64_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<double> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row[i] = s_omega / in.divisor * in.a_f_at;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f64_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_first_f64_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_first_f64_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_first_f64_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_first_f64_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_first_f64_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_first_f64_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_first_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_first_f64_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f64_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f64_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f64_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f64_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_first_f64_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_first_f64_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The first sweep's first colour where u is 0, whatever is stored: u = omega f / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, plain rows; per cell 1 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_first_f32_parts {
  float divisor;
  float a_f_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_first_f32_parts
    second_difference_gauss_seidel_zero_first_f32_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_first_f32_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.a_f_at = a_f_row[i];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f32_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_first_f32_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row[i] = s_omega / in.divisor * in.a_f_at;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f32_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_first_f32_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_first_f32_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_first_f32_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_first_f32_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_first_f32_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_first_f32_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_first_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_first_f32_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f32_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f32_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f32_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f32_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_first_f32_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_first_f32_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The first sweep's first colour where u is 0, whatever is stored: u = omega f / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, split rows; per cell 1 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_first_f64_split_parts {
  double divisor;
  double a_f_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_first_f64_split_parts
    second_difference_gauss_seidel_zero_first_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int
    k, int parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_first_f64_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.a_f_at = a_f_row[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f64_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_first_f64_split_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<double> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row[same + at] = s_omega / in.divisor * in.a_f_at;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f64_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_first_f64_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_first_f64_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_first_f64_split_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_first_f64_split_cells(const struct gmg_cuda_args *args,
    int thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_first_f64_split_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_first_f64_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_first_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_first_f64_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f64_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f64_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f64_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f64_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f64_split_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f64_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_first_f64_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_first_f64_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* The first sweep's first colour where u is 0, whatever is stored: u = omega f / diagonal
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, split rows; per cell 1 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_first_f32_split_parts {
  float divisor;
  float a_f_at;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_first_f32_split_parts
    second_difference_gauss_seidel_zero_first_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int
    k, int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_first_f32_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.a_f_at = a_f_row[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f32_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_first_f32_split_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<float> a_u_row = a_u + j * stride_j + k * stride_k;
  a_u_row[same + at] = s_omega / in.divisor * in.a_f_at;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_first_f32_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_first_f32_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_first_f32_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_first_f32_split_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_first_f32_split_cells(const struct gmg_cuda_args *args,
    int thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_first_f32_split_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_first_f32_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_first_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_first_f32_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f32_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f32_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f32_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_first_f32_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_first_f32_split_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_first_f32_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_first_f32_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_first_f32_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Its second colour then: u = omega (f - N u) / diagonal, A u = diagonal u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, plain rows; per cell 6 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_second_f64_parts {
  double divisor;
  double term;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_second_f64_parts
    second_difference_gauss_seidel_zero_second_f64_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_second_f64_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.term = fma(s_b * a_h_k_at * a_h_j_at, fma(a_g_i[i], a_u_row[i - 1], a_g_i[i + 1] * a_u_row[i + 1]),
      a_f_row[i]);
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f64_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_second_f64_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<double> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[i] = s_omega / in.divisor * in.term;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f64_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_second_f64_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_second_f64_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_second_f64_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_second_f64_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_second_f64_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_second_f64_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_second_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_second_f64_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f64_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f64_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f64_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f64_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_second_f64_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_second_f64_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Its second colour then: u = omega (f - N u) / diagonal, A u = diagonal u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, plain rows; per cell 6 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_second_f32_parts {
  float divisor;
  float term;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_second_f32_parts
    second_difference_gauss_seidel_zero_second_f32_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_second_f32_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[i] + a_g_i[i + 1]);
  to.term = fmaf(s_b * a_h_k_at * a_h_j_at, fmaf(a_g_i[i], a_u_row[i - 1], a_g_i[i + 1] * a_u_row[i + 1]),
      a_f_row[i]);
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f32_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_second_f32_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const int i = 2 * at + parity;
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[i] = s_omega / in.divisor * in.term;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f32_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_second_f32_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_second_f32_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_second_f32_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_second_f32_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_second_f32_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_second_f32_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_second_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_second_f32_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f32_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f32_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f32_prepare(&args, i, j, k0 + m, (m + 1) & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f32_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_second_f32_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_second_f32_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Its second colour then: u = omega (f - N u) / diagonal, A u = diagonal u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: double, split rows; per cell 6 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_second_f64_split_parts {
  double divisor;
  double term;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_second_f64_split_parts
    second_difference_gauss_seidel_zero_second_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j,
    int k, int parity)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_second_f64_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.term = fma(s_b * a_h_k_at * a_h_j_at, fma(a_g_i[same + at], a_u_row[next + at - 1], a_g_i[next + at] *
      a_u_row[next + at]), a_f_row[same + at]);
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f64_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_second_f64_split_parts &in)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<double> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[same + at] = s_omega / in.divisor * in.term;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f64_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_second_f64_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_second_f64_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_second_f64_split_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_second_f64_split_cells(const struct gmg_cuda_args *args,
    int thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_second_f64_split_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_second_f64_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_second_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_second_f64_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f64_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f64_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f64_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f64_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f64_split_prepare(&args, i, j, k0 + m, (m + 1) &
              1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f64_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_second_f64_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_second_f64_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Its second colour then: u = omega (f - N u) / diagonal, A u = diagonal u + N u
 * Writes:  u
 * Reads:   h_j, h_k, g_i, f
 * Scalars: b, omega, colour
 * Storage: float, split rows; per cell 6 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_gauss_seidel_zero_second_f32_split_parts {
  float divisor;
  float term;
};

static __device__ __forceinline__ struct second_difference_gauss_seidel_zero_second_f32_split_parts
    second_difference_gauss_seidel_zero_second_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j,
    int k, int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_gauss_seidel_zero_second_f32_split_parts to;
  to.divisor = s_b * a_h_k_at * a_h_j_at * (a_g_i[same + at] + a_g_i[next + at]);
  to.term = fmaf(s_b * a_h_k_at * a_h_j_at, fmaf(a_g_i[same + at], a_u_row[next + at - 1], a_g_i[next + at] *
      a_u_row[next + at]), a_f_row[same + at]);
  return to;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f32_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_gauss_seidel_zero_second_f32_split_parts &in)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> new_a_u(args->field[0]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const gmg_write<float> new_a_u_row = new_a_u + j * stride_j + k * stride_k;
  new_a_u_row[same + at] = s_omega / in.divisor * in.term;
}

static __device__ __forceinline__ void second_difference_gauss_seidel_zero_second_f32_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity)
{
  const struct gmg_kernel_box *const box = &args->box;
  if (2 * at + parity >= box->cells[0])
    return;
  second_difference_gauss_seidel_zero_second_f32_split_finish(args, at, j, k, parity,
      second_difference_gauss_seidel_zero_second_f32_split_prepare(args, at, j, k, parity));
}

static __device__ __forceinline__ int second_difference_gauss_seidel_zero_second_f32_split_parity(const struct
    gmg_cuda_args *args, int j, int k)
{
  const struct gmg_kernel_box *const box = &args->box;
  const int colour = (int)args->scalar[2];
  const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + 0) & 1;
  return start;
}

static __device__ void second_difference_gauss_seidel_zero_second_f32_split_cells(const struct gmg_cuda_args *args,
    int thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_gauss_seidel_zero_second_f32_split_cell(args, at, j, k,
        second_difference_gauss_seidel_zero_second_f32_split_parity(args, j, k));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 16
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_gauss_seidel_zero_second_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0 &&
        second_difference_gauss_seidel_zero_second_f32_split_parity(&args, j, k0) == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f32_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f32_split_prepare(&args, i, j, k0 + m, m & 1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f32_split_finish(&args, i, j, k0 + m, m & 1, in[m - n]);
      }
    } else if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_gauss_seidel_zero_second_f32_split_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_gauss_seidel_zero_second_f32_split_prepare(&args, i, j, k0 + m, (m + 1) &
              1);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_gauss_seidel_zero_second_f32_split_finish(&args, i, j, k0 + m, (m + 1) & 1, in[m - n]);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_gauss_seidel_zero_second_f32_split_cell(&args, i, j, k,
            second_difference_gauss_seidel_zero_second_f32_split_parity(&args, j, k));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One weighted Jacobi iteration: w = u + omega dinv (f - A u)
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, omega
 * Storage: double, plain rows; per cell 10 flops, 32 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_jacobi_f64_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const gmg_read<double> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> a_w_row = a_w + j * stride_j + k * stride_k;
  const gmg_read<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  a_w_row[i] = fma(s_omega * a_dinv_row[i], fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] -
      a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]), a_u_row[i]);
}

static __device__ void second_difference_jacobi_f64_cells(const struct gmg_cuda_args *args, int thread, int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_jacobi_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_jacobi_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_jacobi_f64_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_jacobi_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One weighted Jacobi iteration: w = u + omega dinv (f - A u)
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, omega
 * Storage: float, plain rows; per cell 10 flops, 16 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_jacobi_f32_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const gmg_read<float> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> a_w_row = a_w + j * stride_j + k * stride_k;
  const gmg_read<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  a_w_row[i] = fmaf(s_omega * a_dinv_row[i], fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1] -
      a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]), a_u_row[i]);
}

static __device__ void second_difference_jacobi_f32_cells(const struct gmg_cuda_args *args, int thread, int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_jacobi_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_jacobi_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_jacobi_f32_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_jacobi_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One weighted Jacobi iteration: w = u + omega dinv (f - A u)
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, omega
 * Storage: double, split rows; per cell 10 flops, 32 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_jacobi_f64_split_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int cells)
{
  const double s_b = args->scalar[0];
  const double s_omega = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const gmg_read<double> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<double> a_w_row = a_w + j * stride_j + k * stride_k;
  const gmg_read<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_w_row[same + at] = fma(s_omega * a_dinv_row[same + at], fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next +
        at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at -
        1])), a_f_row[same + at]), a_u_row[same + at]);
  }
}

static __device__ void second_difference_jacobi_f64_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_jacobi_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_jacobi_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_jacobi_f64_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_jacobi_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One weighted Jacobi iteration: w = u + omega dinv (f - A u)
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, omega
 * Storage: float, split rows; per cell 10 flops, 16 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_jacobi_f32_split_cell(const struct gmg_cuda_args *args, int
    at, int j, int k, int cells)
{
  const float s_b = (float)args->scalar[0];
  const float s_omega = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const gmg_read<float> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<float> a_w_row = a_w + j * stride_j + k * stride_k;
  const gmg_read<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_w_row[same + at] = fmaf(s_omega * a_dinv_row[same + at], fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next +
        at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at -
        1])), a_f_row[same + at]), a_u_row[same + at]);
  }
}

static __device__ void second_difference_jacobi_f32_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_jacobi_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_jacobi_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_jacobi_f32_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_jacobi_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, c1, c2
 * Storage: double, plain rows; per cell 13 flops, 40 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_chebyshev_f64_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const double s_b = args->scalar[0];
  const double s_c1 = args->scalar[1];
  const double s_c2 = args->scalar[2];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_w(args->field[0]);
  const gmg_write<double> new_a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const gmg_read<double> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> new_a_w_row = new_a_w + j * stride_j + k * stride_k;
  const gmg_read<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  const gmg_read<double> a_w_row = a_w + j * stride_j + k * stride_k;
  new_a_w_row[i] = fma(s_c2 * a_dinv_row[i], fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] -
      a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]), fma(s_c1, a_u_row[i] - a_w_row[i],
      a_u_row[i]));
}

static __device__ void second_difference_chebyshev_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_chebyshev_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_chebyshev_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_chebyshev_f64_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_chebyshev_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, c1, c2
 * Storage: float, plain rows; per cell 13 flops, 20 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_chebyshev_f32_cell(const struct gmg_cuda_args *args, int i,
    int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const float s_c1 = (float)args->scalar[1];
  const float s_c2 = (float)args->scalar[2];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_w(args->field[0]);
  const gmg_write<float> new_a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const gmg_read<float> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> new_a_w_row = new_a_w + j * stride_j + k * stride_k;
  const gmg_read<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  const gmg_read<float> a_w_row = a_w + j * stride_j + k * stride_k;
  new_a_w_row[i] = fmaf(s_c2 * a_dinv_row[i], fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1]
      - a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]), fmaf(s_c1, a_u_row[i] - a_w_row[i],
      a_u_row[i]));
}

static __device__ void second_difference_chebyshev_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_chebyshev_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_chebyshev_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_chebyshev_f32_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_chebyshev_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, c1, c2
 * Storage: double, split rows; per cell 13 flops, 40 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_chebyshev_f64_split_cell(const struct gmg_cuda_args *args,
    int at, int j, int k, int cells)
{
  const double s_b = args->scalar[0];
  const double s_c1 = args->scalar[1];
  const double s_c2 = args->scalar[2];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_w(args->field[0]);
  const gmg_write<double> new_a_w(args->field[0]);
  const gmg_read<double> a_u(args->field[1]);
  const gmg_read<double> a_h_j(args->field[2]);
  const gmg_read<double> a_h_k(args->field[3]);
  const gmg_read<double> a_g_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const gmg_read<double> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<double> new_a_w_row = new_a_w + j * stride_j + k * stride_k;
  const gmg_read<double> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  const gmg_read<double> a_w_row = a_w + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    new_a_w_row[same + at] = fma(s_c2 * a_dinv_row[same + at], fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next +
        at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at -
        1])), a_f_row[same + at]), fma(s_c1, a_u_row[same + at] - a_w_row[same + at], a_u_row[same + at]));
  }
}

static __device__ void second_difference_chebyshev_f64_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_chebyshev_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_chebyshev_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_chebyshev_f64_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_chebyshev_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u
 * Writes:  w
 * Reads:   u, h_j, h_k, g_i, f, dinv
 * Scalars: b, c1, c2
 * Storage: float, split rows; per cell 13 flops, 20 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_chebyshev_f32_split_cell(const struct gmg_cuda_args *args,
    int at, int j, int k, int cells)
{
  const float s_b = (float)args->scalar[0];
  const float s_c1 = (float)args->scalar[1];
  const float s_c2 = (float)args->scalar[2];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_w(args->field[0]);
  const gmg_write<float> new_a_w(args->field[0]);
  const gmg_read<float> a_u(args->field[1]);
  const gmg_read<float> a_h_j(args->field[2]);
  const gmg_read<float> a_h_k(args->field[3]);
  const gmg_read<float> a_g_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const gmg_read<float> a_dinv(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<float> new_a_w_row = new_a_w + j * stride_j + k * stride_k;
  const gmg_read<float> a_dinv_row = a_dinv + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  const gmg_read<float> a_w_row = a_w + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    new_a_w_row[same + at] = fmaf(s_c2 * a_dinv_row[same + at], fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next
        + at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at -
        1])), a_f_row[same + at]), fmaf(s_c1, a_u_row[same + at] - a_w_row[same + at], a_u_row[same + at]));
  }
}

static __device__ void second_difference_chebyshev_f32_split_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_chebyshev_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_chebyshev_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_chebyshev_f32_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_chebyshev_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b
 * Storage: double, plain rows; per cell 11 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_f64_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_f64_parts
    second_difference_residual_norm_f64_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_f64_parts to;
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i]
      - a_u_row[i - 1])), a_f_row[i]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_f64_finish(const struct gmg_cuda_args *args,
    int i, int j, int k, const struct second_difference_residual_norm_f64_parts &in, struct gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_r = in.term * (1.0 / in.divisor);
  double term = s_r * s_r;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_f64_cell(const struct gmg_cuda_args *args,
    int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_norm_f64_finish(args, i, j, k, second_difference_residual_norm_f64_prepare(args, i, j,
      k), partial);
}

static __device__ void second_difference_residual_norm_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_f64_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_norm_f64_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_norm_f64_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_f64_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b
 * Storage: float, plain rows; per cell 11 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_f32_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_f32_parts
    second_difference_residual_norm_f32_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_h_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_f32_parts to;
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] *
      (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_f32_finish(const struct gmg_cuda_args *args,
    int i, int j, int k, const struct second_difference_residual_norm_f32_parts &in, struct gmg_partial *partial)
{
  const float s_b = (float)args->scalar[0];
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  float s_r = in.term * (1.0f / in.divisor);
  const double term = s_r * s_r;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_f32_cell(const struct gmg_cuda_args *args,
    int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_norm_f32_finish(args, i, j, k, second_difference_residual_norm_f32_prepare(args, i, j,
      k), partial);
}

static __device__ void second_difference_residual_norm_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_f32_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_norm_f32_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_norm_f32_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_f32_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b
 * Storage: double, split rows; per cell 11 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_f64_split_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_f64_split_parts
    second_difference_residual_norm_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_f64_split_parts to;
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_f64_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_residual_norm_f64_split_parts &in,
    struct gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_r = in.term * (1.0 / in.divisor);
  double term = s_r * s_r;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_f64_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_norm_f64_split_finish(args, at, j, k, parity,
        second_difference_residual_norm_f64_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_norm_f64_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_f64_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_norm_f64_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_norm_f64_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b
 * Storage: float, split rows; per cell 11 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_f32_split_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_f32_split_parts
    second_difference_residual_norm_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const float s_b = (float)args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_h_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_f32_split_parts to;
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_f32_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_residual_norm_f32_split_parts &in,
    struct gmg_partial *partial)
{
  const float s_b = (float)args->scalar[0];
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  float s_r = in.term * (1.0f / in.divisor);
  const double term = s_r * s_r;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_norm_f32_split_finish(args, at, j, k, parity,
        second_difference_residual_norm_f32_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_norm_f32_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_f32_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_norm_f32_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_norm_f32_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* single = s (f - A u), with the sum of squares and the maximum of (f - A u) / volume
 * Writes:  single
 * Reads:   u, h_j, h_k, g_i, f, h_i
 * Scalars: b, s
 * Storage: double, plain rows; per cell 12 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_single_f64_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_single_f64_parts
    second_difference_residual_single_f64_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const double s_s = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_read<double> a_h_i(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_single_f64_parts to;
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i]
      - a_u_row[i - 1])), a_f_row[i]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_single_f64_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_residual_single_f64_parts &in, struct gmg_partial
    *partial)
{
  const double s_b = args->scalar[0];
  const double s_s = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_single(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  const gmg_write<double> a_single_row = a_single + j * stride_j + k * stride_k;
  double s_r = in.term;
  a_single_row[i] = s_s * s_r;
  double s_q = s_r * (1.0 / in.divisor);
  double term = s_q * s_q;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_q);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_single_f64_cell(const struct gmg_cuda_args *args,
    int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_single_f64_finish(args, i, j, k, second_difference_residual_single_f64_prepare(args, i,
      j, k), partial);
}

static __device__ void second_difference_residual_single_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_single_f64_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_single_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_single_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_single_f64_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_single_f64_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_single_f64_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* single = s (f - A u), with the sum of squares and the maximum of (f - A u) / volume
 * Writes:  single
 * Reads:   u, h_j, h_k, g_i, f, h_i
 * Scalars: b, s
 * Storage: float, plain rows; per cell 12 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_single_f32_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_single_f32_parts
    second_difference_residual_single_f32_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const float s_s = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_read<float> a_h_i(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_single_f32_parts to;
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] *
      (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_single_f32_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_residual_single_f32_parts &in, struct gmg_partial
    *partial)
{
  const float s_b = (float)args->scalar[0];
  const float s_s = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_single(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  const gmg_write<float> a_single_row = a_single + j * stride_j + k * stride_k;
  float s_r = in.term;
  a_single_row[i] = s_s * s_r;
  float s_q = s_r * (1.0f / in.divisor);
  const double term = s_q * s_q;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_q);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_single_f32_cell(const struct gmg_cuda_args *args,
    int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_single_f32_finish(args, i, j, k, second_difference_residual_single_f32_prepare(args, i,
      j, k), partial);
}

static __device__ void second_difference_residual_single_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_single_f32_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_single_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_single_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_single_f32_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_single_f32_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_single_f32_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* single = s (f - A u), with the sum of squares and the maximum of (f - A u) / volume
 * Writes:  single
 * Reads:   u, h_j, h_k, g_i, f, h_i
 * Scalars: b, s
 * Storage: double, split rows; per cell 12 flops, 24 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_single_f64_split_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_single_f64_split_parts
    second_difference_residual_single_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const double s_b = args->scalar[0];
  const double s_s = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_read<double> a_h_i(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_single_f64_split_parts to;
  to.term = fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_single_f64_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_residual_single_f64_split_parts &in,
    struct gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double s_s = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<double> a_single(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  const gmg_write<double> a_single_row = a_single + j * stride_j + k * stride_k;
  double s_r = in.term;
  a_single_row[same + at] = s_s * s_r;
  double s_q = s_r * (1.0 / in.divisor);
  double term = s_q * s_q;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_q);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_single_f64_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_single_f64_split_finish(args, at, j, k, parity,
        second_difference_residual_single_f64_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_single_f64_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_single_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_single_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_single_f64_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_single_f64_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_single_f64_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_single_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* single = s (f - A u), with the sum of squares and the maximum of (f - A u) / volume
 * Writes:  single
 * Reads:   u, h_j, h_k, g_i, f, h_i
 * Scalars: b, s
 * Storage: float, split rows; per cell 12 flops, 12 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_single_f32_split_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_single_f32_split_parts
    second_difference_residual_single_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_s = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_read<float> a_h_i(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_single_f32_split_parts to;
  to.term = fmaf(-(s_b * a_h_k_at * a_h_j_at), fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at],
      a_g_i[same + at] * (a_u_row[same + at] - a_u_row[next + at - 1])), a_f_row[same + at]);
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_single_f32_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_residual_single_f32_split_parts &in,
    struct gmg_partial *partial)
{
  const float s_b = (float)args->scalar[0];
  const float s_s = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_write<float> a_single(args->field[6]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  const gmg_write<float> a_single_row = a_single + j * stride_j + k * stride_k;
  float s_r = in.term;
  a_single_row[same + at] = s_s * s_r;
  float s_q = s_r * (1.0f / in.divisor);
  const double term = s_q * s_q;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_q);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_single_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_single_f32_split_finish(args, at, j, k, parity,
        second_difference_residual_single_f32_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_single_f32_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_single_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_single_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<7>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_single_f32_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_single_f32_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_single_f32_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_single_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of the sum of the sizes of the terms of A u, over the volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i
 * Scalars: b
 * Storage: double, plain rows; per cell 10 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_terms_norm_f64_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_terms_norm_f64_parts
    second_difference_terms_norm_f64_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  struct second_difference_terms_norm_f64_parts to;
  to.term = fabs(s_b) * fabs(a_h_k_at) * fabs(a_h_j_at) * fma(fabs(a_g_i[i]), fabs(a_u_row[i]) + fabs(a_u_row[i -
      1]), fabs(a_g_i[i + 1]) * (fabs(a_u_row[i + 1]) + fabs(a_u_row[i])));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_terms_norm_f64_finish(const struct gmg_cuda_args *args, int
    i, int j, int k, const struct second_difference_terms_norm_f64_parts &in, struct gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_t = in.term * (1.0 / in.divisor);
  double term = s_t * s_t;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_t);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_terms_norm_f64_cell(const struct gmg_cuda_args *args, int
    i, int j, int k, struct gmg_partial *partial)
{
  second_difference_terms_norm_f64_finish(args, i, j, k, second_difference_terms_norm_f64_prepare(args, i, j, k),
      partial);
}

static __device__ void second_difference_terms_norm_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_terms_norm_f64_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_terms_norm_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_terms_norm_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_terms_norm_f64_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_terms_norm_f64_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_terms_norm_f64_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of the sum of the sizes of the terms of A u, over the volume
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i
 * Scalars: b
 * Storage: double, split rows; per cell 10 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_terms_norm_f64_split_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_terms_norm_f64_split_parts
    second_difference_terms_norm_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k, int
    parity)
{
  const double s_b = args->scalar[0];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  struct second_difference_terms_norm_f64_split_parts to;
  to.term = fabs(s_b) * fabs(a_h_k_at) * fabs(a_h_j_at) * fma(fabs(a_g_i[same + at]), fabs(a_u_row[same + at]) +
      fabs(a_u_row[next + at - 1]), fabs(a_g_i[next + at]) * (fabs(a_u_row[next + at]) + fabs(a_u_row[same + at])));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_terms_norm_f64_split_finish(const struct gmg_cuda_args
    *args, int at, int j, int k, int parity, const struct second_difference_terms_norm_f64_split_parts &in, struct
    gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_t = in.term * (1.0 / in.divisor);
  double term = s_t * s_t;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_t);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_terms_norm_f64_split_cell(const struct gmg_cuda_args *args,
    int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_terms_norm_f64_split_finish(args, at, j, k, parity,
        second_difference_terms_norm_f64_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_terms_norm_f64_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_terms_norm_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_terms_norm_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<5>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_terms_norm_f64_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_terms_norm_f64_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_terms_norm_f64_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_terms_norm_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u in the cells of one colour, 0 in the others
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b, only
 * Storage: double, plain rows; per cell 7 flops, 24 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_part_f64_cell(const struct gmg_cuda_args *args,
    int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_write<double> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<double> a_r_row = a_r + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  a_r_row[i] = gmg_only(gmg_counts((int)s_only, box->lower, i, j, k), fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i
      + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]));
}

static __device__ void second_difference_residual_part_f64_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_part_f64_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_part_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_part_f64_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_part_f64_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u in the cells of one colour, 0 in the others
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b, only
 * Storage: float, plain rows; per cell 7 flops, 12 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_part_f32_cell(const struct gmg_cuda_args *args,
    int i, int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_write<float> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const gmg_write<float> a_r_row = a_r + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  a_r_row[i] = gmg_only_single(gmg_counts((int)s_only, box->lower, i, j, k), fmaf(-(s_b * a_h_k_at * a_h_j_at),
      fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]));
}

static __device__ void second_difference_residual_part_f32_cells(const struct gmg_cuda_args *args, int thread, int
    threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_part_f32_cell(args, at, j, k);
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_part_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_part_f32_cell(&args, i, j, k0 + n);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_part_f32_cell(&args, i, j, k);
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u in the cells of one colour, 0 in the others
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b, only
 * Storage: double, split rows; per cell 7 flops, 24 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_part_f64_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_f(args->field[4]);
  const gmg_write<double> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<double> a_r_row = a_r + j * stride_j + k * stride_k;
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_r_row[same + at] = gmg_only(gmg_counts((int)s_only, box->lower, parity, j, k), fma(-(s_b * a_h_k_at *
        a_h_j_at), fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same
        + at] - a_u_row[next + at - 1])), a_f_row[same + at]));
  }
}

static __device__ void second_difference_residual_part_f64_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_part_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_part_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_part_f64_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_part_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* r = f - A u in the cells of one colour, 0 in the others
 * Writes:  r
 * Reads:   u, h_j, h_k, g_i, f
 * Scalars: b, only
 * Storage: float, split rows; per cell 7 flops, 12 compulsory bytes
 * Source:  second_difference.c */
static __device__ __forceinline__ void second_difference_residual_part_f32_split_cell(const struct gmg_cuda_args
    *args, int at, int j, int k, int cells)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_f(args->field[4]);
  const gmg_write<float> a_r(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const gmg_write<float> a_r_row = a_r + j * stride_j + k * stride_k;
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
#pragma unroll
  for (int parity = 0; parity < cells; parity++) {
    const ptrdiff_t same = gmg_at(parity, odd);
    const ptrdiff_t next = gmg_at(parity + 1, odd);
    a_r_row[same + at] = gmg_only_single(gmg_counts((int)s_only, box->lower, parity, j, k), fmaf(-(s_b * a_h_k_at *
        a_h_j_at), fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same
        + at] - a_u_row[next + at - 1])), a_f_row[same + at]));
  }
}

static __device__ void second_difference_residual_part_f32_split_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_part_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at));
  }
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 4
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 2
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 5
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_part_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0]) {
#pragma unroll UNROLL
      for (int n = 0; n < PLANES; n++)
        second_difference_residual_part_f32_split_cell(&args, i, j, k0 + n, 2);
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_part_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i));
    }
  }
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume in the cells of one colour
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b, only
 * Storage: double, plain rows; per cell 11 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_part_f64_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_part_f64_parts
    second_difference_residual_norm_part_f64_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_part_f64_parts to;
  to.term = gmg_only(gmg_counts((int)s_only, box->lower, i, j, k), fma(-(s_b * a_h_k_at * a_h_j_at), fma(-a_g_i[i +
      1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f64_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_residual_norm_part_f64_parts &in, struct gmg_partial
    *partial)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_r = in.term * (1.0 / in.divisor);
  double term = s_r * s_r;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f64_cell(const struct gmg_cuda_args
    *args, int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_norm_part_f64_finish(args, i, j, k,
      second_difference_residual_norm_part_f64_prepare(args, i, j, k), partial);
}

static __device__ void second_difference_residual_norm_part_f64_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_part_f64_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_part_f64_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_part_f64_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_norm_part_f64_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_norm_part_f64_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_part_f64_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume in the cells of one colour
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b, only
 * Storage: float, plain rows; per cell 11 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_part_f32_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_part_f32_parts
    second_difference_residual_norm_part_f32_prepare(const struct gmg_cuda_args *args, int i, int j, int k)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_h_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_part_f32_parts to;
  to.term = gmg_only_single(gmg_counts((int)s_only, box->lower, i, j, k), fmaf(-(s_b * a_h_k_at * a_h_j_at),
      fmaf(-a_g_i[i + 1], a_u_row[i + 1] - a_u_row[i], a_g_i[i] * (a_u_row[i] - a_u_row[i - 1])), a_f_row[i]));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[i];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f32_finish(const struct gmg_cuda_args
    *args, int i, int j, int k, const struct second_difference_residual_norm_part_f32_parts &in, struct gmg_partial
    *partial)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  float s_r = in.term * (1.0f / in.divisor);
  const double term = s_r * s_r;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f32_cell(const struct gmg_cuda_args
    *args, int i, int j, int k, struct gmg_partial *partial)
{
  second_difference_residual_norm_part_f32_finish(args, i, j, k,
      second_difference_residual_norm_part_f32_prepare(args, i, j, k), partial);
}

static __device__ void second_difference_residual_norm_part_f32_cells(const struct gmg_cuda_args *args, int thread,
    int threads)
{
  const int positions_i = args->box.cells[0];
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_part_f32_cell(args, at, j, k, &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_part_f32_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks(args.box.cells[0], BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = args.box.cells[0];
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_part_f32_parts in[UNROLL];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          in[m - n] = second_difference_residual_norm_part_f32_prepare(&args, i, j, k0 + m);
#pragma unroll
        for (int m = n; m < n + UNROLL; m++)
          second_difference_residual_norm_part_f32_finish(&args, i, j, k0 + m, in[m - n], &partial);
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_part_f32_cell(&args, i, j, k, &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume in the cells of one colour
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b, only
 * Storage: double, split rows; per cell 11 flops, 16 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_part_f64_split_parts {
  double term;
  double divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_part_f64_split_parts
    second_difference_residual_norm_part_f64_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<double> a_u(args->field[0]);
  const gmg_read<double> a_h_j(args->field[1]);
  const gmg_read<double> a_h_k(args->field[2]);
  const gmg_read<double> a_g_i(args->field[3]);
  const gmg_read<double> a_h_i(args->field[4]);
  const gmg_read<double> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const double a_h_k_at = a_h_k[k];
  const double a_h_j_at = a_h_j[j];
  const gmg_read<double> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<double> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_part_f64_split_parts to;
  to.term = gmg_only(gmg_counts((int)s_only, box->lower, parity, j, k), fma(-(s_b * a_h_k_at * a_h_j_at),
      fma(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] -
      a_u_row[next + at - 1])), a_f_row[same + at]));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f64_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_residual_norm_part_f64_split_parts &in, struct gmg_partial *partial)
{
  const double s_b = args->scalar[0];
  const double s_only = args->scalar[1];
  const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1];
  uint64_t &bin0 = partial->bin[0], &bin1 = partial->bin[1];
  int64_t &most_of = partial->most;
  double s_r = in.term * (1.0 / in.divisor);
  double term = s_r * s_r;
  const double shifted = term + cut0;
  bin0 += gmg_bits(shifted) - gmg_bits(cut0);
  term -= shifted - cut0;
  bin1 += gmg_bits(term + cut1) - gmg_bits(cut1);
  const int64_t size = gmg_size(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f64_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_norm_part_f64_split_finish(args, at, j, k, parity,
        second_difference_residual_norm_part_f64_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_norm_part_f64_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_part_f64_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_part_f64_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_part_f64_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_norm_part_f64_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_norm_part_f64_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_part_f64_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

/* Sum of squares and maximum of (f - A u) / volume in the cells of one colour
 * Writes:  nothing but sums
 * Reads:   u, h_j, h_k, g_i, h_i, f
 * Scalars: b, only
 * Storage: float, split rows; per cell 11 flops, 8 compulsory bytes
 * Source:  second_difference.c */
struct second_difference_residual_norm_part_f32_split_parts {
  float term;
  float divisor;
};

static __device__ __forceinline__ struct second_difference_residual_norm_part_f32_split_parts
    second_difference_residual_norm_part_f32_split_prepare(const struct gmg_cuda_args *args, int at, int j, int k,
    int parity)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const struct gmg_kernel_box *const box = &args->box;
  const gmg_read<float> a_u(args->field[0]);
  const gmg_read<float> a_h_j(args->field[1]);
  const gmg_read<float> a_h_k(args->field[2]);
  const gmg_read<float> a_g_i(args->field[3]);
  const gmg_read<float> a_h_i(args->field[4]);
  const gmg_read<float> a_f(args->field[5]);
  const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];
  const ptrdiff_t odd = box->odd;
  const ptrdiff_t same = gmg_at(parity, odd);
  const ptrdiff_t next = gmg_at(parity + 1, odd);
  const float a_h_k_at = a_h_k[k];
  const float a_h_j_at = a_h_j[j];
  const gmg_read<float> a_u_row = a_u + j * stride_j + k * stride_k;
  const gmg_read<float> a_f_row = a_f + j * stride_j + k * stride_k;
  struct second_difference_residual_norm_part_f32_split_parts to;
  to.term = gmg_only_single(gmg_counts((int)s_only, box->lower, parity, j, k), fmaf(-(s_b * a_h_k_at * a_h_j_at),
      fmaf(-a_g_i[next + at], a_u_row[next + at] - a_u_row[same + at], a_g_i[same + at] * (a_u_row[same + at] -
      a_u_row[next + at - 1])), a_f_row[same + at]));
  to.divisor = a_h_k_at * a_h_j_at * a_h_i[same + at];
  return to;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f32_split_finish(const struct
    gmg_cuda_args *args, int at, int j, int k, int parity, const struct
    second_difference_residual_norm_part_f32_split_parts &in, struct gmg_partial *partial)
{
  const float s_b = (float)args->scalar[0];
  const float s_only = (float)args->scalar[1];
  const double cut0 = args->reduction->cut[0];
  uint64_t &bin0 = partial->bin[0];
  int32_t &most_of = partial->most_single;
  float s_r = in.term * (1.0f / in.divisor);
  const double term = s_r * s_r;
  bin0 += gmg_bits(term + cut0) - gmg_bits(cut0);
  const int32_t size = gmg_size_single(s_r);
  most_of = size > most_of ? size : most_of;
}

static __device__ __forceinline__ void second_difference_residual_norm_part_f32_split_cell(const struct
    gmg_cuda_args *args, int at, int j, int k, int cells, struct gmg_partial *partial)
{
  for (int parity = 0; parity < cells; parity++) {
    second_difference_residual_norm_part_f32_split_finish(args, at, j, k, parity,
        second_difference_residual_norm_part_f32_split_prepare(args, at, j, k, parity), partial);
  }
}

static __device__ void second_difference_residual_norm_part_f32_split_cells(const struct gmg_cuda_args *args, int
    thread, int threads)
{
  const int positions_i = (args->box.cells[0] + 1) / 2;
  const int positions_j = args->box.cells[1];
  const int positions = positions_i * positions_j * (args->box.cells[2]);
  struct gmg_partial partial = {};
  for (int n = thread; n < positions; n += threads) {
    const int row = gmg_quotient(n, positions_i);
    const int at = n - row * positions_i;
    const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;
    second_difference_residual_norm_part_f32_split_cell(args, at, j, k, gmg_least(2, args->box.cells[0] - 2 * at),
        &partial);
  }
  gmg_add(args->reduction, &partial);
}

#ifndef BLOCK_I
#define BLOCK_I 32
#endif
#ifndef BLOCK_J
#define BLOCK_J 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
/* Thread blocks over i and j; each thread marches through PLANES planes along k. */
extern "C" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)
second_difference_residual_norm_part_f32_split_march(const __grid_constant__ struct gmg_cuda_args launch)
{
#ifdef MANY
  struct gmg_cuda_args args;
  gmg_take_box<6>(&args, &launch);
  const int blocks_i = gmg_blocks((args.box.cells[0] + 1) / 2, BLOCK_I);
  const int blocks_j = gmg_blocks(args.box.cells[1], BLOCK_J * ROWS);
  const int blocks_k = gmg_blocks(args.box.cells[2], PLANES);
  const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);
  if (block.k >= blocks_k)
    return;
#else
  const struct gmg_cuda_args &args = launch;
  const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)gridDim.z};
#endif
  const int i = block.i * BLOCK_I + (int)threadIdx.x;
  const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;
  const int k0 = block.k * PLANES;
  const int end_i = (args.box.cells[0] + 1) / 2;
  const int end_j = gmg_least(j0 + BLOCK_J * ROWS, args.box.cells[1]);
  const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);
  struct gmg_partial partial = {};
  for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {
    if (k0 + PLANES == end_k && 2 * i + 1 < args.box.cells[0] && PLANES % UNROLL == 0) {
#pragma unroll 1
      for (int n = 0; n < PLANES; n += UNROLL) {
        struct second_difference_residual_norm_part_f32_split_parts in[UNROLL][2];
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            in[m - n][p] = second_difference_residual_norm_part_f32_split_prepare(&args, i, j, k0 + m, p);
        }
#pragma unroll
        for (int m = n; m < n + UNROLL; m++) {
#pragma unroll
          for (int p = 0; p < 2; p++)
            second_difference_residual_norm_part_f32_split_finish(&args, i, j, k0 + m, p, in[m - n][p], &partial);
        }
      }
    } else {
#pragma unroll 1
      for (int k = k0; k < end_k; k++)
        second_difference_residual_norm_part_f32_split_cell(&args, i, j, k, gmg_least(2, args.box.cells[0] - 2 * i),
            &partial);
    }
  }
  gmg_add(args.reduction, &partial);
}
#undef BLOCK_I
#undef BLOCK_J
#undef ROWS
#undef PLANES
#undef UNROLL
#undef BLOCKS
#undef MANY

