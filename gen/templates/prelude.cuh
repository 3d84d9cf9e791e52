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
