#ifndef GMG_COLUMNS
#define GMG_COLUMNS
/* As many values as are 16 bytes, which one access reads or stores where they lie so. */
static __device__ __forceinline__ void gmg_take_few(const double *at, double *few)
{
  const double2 taken = __ldg((const double2 *)at);
  few[0] = taken.x;
  few[1] = taken.y;
}

static __device__ __forceinline__ void gmg_take_few(const float *at, float *few)
{
  const float4 taken = __ldg((const float4 *)at);
  few[0] = taken.x;
  few[1] = taken.y;
  few[2] = taken.z;
  few[3] = taken.w;
}

static __device__ __forceinline__ void gmg_put_few(double *at, const double *few)
{
  double2 put;
  put.x = few[0];
  put.y = few[1];
  *(double2 *)at = put;
}

static __device__ __forceinline__ void gmg_put_few(float *at, const float *few)
{
  float4 put;
  put.x = few[0];
  put.y = few[1];
  put.z = few[2];
  put.w = few[3];
  *(float4 *)at = put;
}

/* The values of neighbouring cells, the first of which lies where 16 bytes begin. */
template <typename real> struct gmg_few {
  real value[16 / sizeof(real)];
  __device__ __forceinline__ real &operator[](int at)
  {
    return value[at];
  }
  __device__ __forceinline__ void put(const gmg_write<real> &row, int first) const
  {
    gmg_put_few(row.first + (int)(row.row + first), value);
  }
};

/* Elements [first + low, first + columns + high) of a row, 16 bytes of which begin at `first`. What
 * is read with them lies in lines of 64 bytes of which they are a part. */
template <typename real, int low, int high> struct gmg_window {
  enum {
    columns = 16 / (int)sizeof(real),
    begin = (low - (low < 0 ? columns - 1 : 0)) / columns,
    end = (2 * columns + high - 1 + 16 * columns) / columns - 16
  };
  real value[columns + high - low];
  __device__ __forceinline__ void take(const gmg_read<real> &row, int first)
  {
#pragma unroll
    for (int c = begin; c < end; c++) {
      const int from = c * columns > low ? c * columns : low,
                to = (c + 1) * columns < columns + high ? (c + 1) * columns : columns + high;
      real few[columns];
      if (to - from > 1)
        gmg_take_few(row.first + (int)(row.row + first + c * columns), few);
      else
        few[from - c * columns] = row[first + from];
#pragma unroll
      for (int n = 0; n < columns; n++)
        if (c * columns + n >= from && c * columns + n < to)
          value[c * columns + n - low] = few[n];
    }
  }
  __device__ __forceinline__ real operator[](int at) const
  {
    return value[at - low];
  }
};
#endif
