#ifndef GMG_LARGEST
#define GMG_LARGEST
/* An integer for each number, in their order: -0 below 0, NaN above all else, whatever its sign. */
static __device__ __forceinline__ int64_t gmg_order(double x)
{
  const int64_t largest = ~((int64_t)1 << 63), bits = __double_as_longlong(x);
  return x != x ? largest : bits < 0 ? bits ^ largest : bits;
}

/* What a thread has found of such integers: nothing yet. */
static __device__ __forceinline__ struct gmg_partial gmg_no_largest()
{
  struct gmg_partial partial = {};
  partial.most = (int64_t)1 << 63;
  return partial;
}

/* As gmg_add, of the largest values alone, which may have any sign. */
static __device__ void gmg_add_largest(struct gmg_reduction *total,
                                       const struct gmg_partial *partial)
{
  __shared__ int64_t mosts[32];
  const int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const int warps = (int)(blockDim.x * blockDim.y * blockDim.z) / 32;
  int64_t most = partial->most;
  for (int distance = 16; distance > 0; distance /= 2) {
    const int64_t other = __shfl_down_sync(0xffffffffu, most, distance);
    most = other > most ? other : most;
  }
  __syncthreads(); /* nobody reads any more what an earlier call has left */
  if (thread % 32 == 0)
    mosts[thread / 32] = most;
  __syncthreads();
  if (thread != 0)
    return;
  for (int warp = 1; warp < warps; warp++)
    most = mosts[warp] > most ? mosts[warp] : most;
  atomicMax((long long *)&total->most, (long long)most);
}
#endif

