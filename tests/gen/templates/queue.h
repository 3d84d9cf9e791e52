/* What stands around gen/templates/queue.cuh, and values of its words. */
#define REAL double
#define CELLS 2
#define FIELD 0
#define FIELDS 2
#define END_I args.box.cells[0]
#define END_J args.box.cells[1]
#define END_K args.box.cells[2]
#define PLACE gmg_at(i, box->odd)
#define SUMS
#define MORE
#define BLOCK_I 32
#define BLOCK_J 8
#define ROWS 1
#define PLANES 8
#define BLOCKS 1
static void SYMBOL_beside(const struct gmg_cuda_args *args, int at, int parity, int j, int k,
                          double, double, double, double, double, double)
{
  (void)args, (void)at, (void)parity, (void)j, (void)k;
}
