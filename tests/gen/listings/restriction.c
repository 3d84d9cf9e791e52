#include "stencil.h"

/* Listing 2 of Basu et al., "Compiler-based code generation and autotuning for geometric multigrid on GPU-accelerated
 * supercomputers", Parallel Computing 64 (2017): cell-average restriction. The loops count the coarse cells from 0, and so
 * do the interiors of both arrays. */
/* clang-format off */
#define PR_SIZE 64
#define NUM_BOXS 64

GMG_KERNEL
void restriction( int fine_id, int coarse_id, int fine_level){
  int i,j,k;
  int box;
  double   _fine[NUM_BOXS][ PR_SIZE    + 2][ PR_SIZE    + 2][ PR_SIZE    + 2] FINE_CELL(0);
  double _coarse[NUM_BOXS][(PR_SIZE/2) + 2][(PR_SIZE/2) + 2][(PR_SIZE/2) + 2] CELL(0);
  for(box=0; box<NUM_BOXS; box++){
   for(k=0; k< PR_SIZE/2; k++){
    for(j=0; j< PR_SIZE/2; j++){
     for(i=0; i< PR_SIZE/2; i++){
      _coarse[box][k][j][i] = 0.125 *
      (_fine[box][2*k  ][2*j  ][2*i] + _fine[box][2*k  ][2*j  ][2*i+1] +
       _fine[box][2*k  ][2*j+1][2*i] + _fine[box][2*k  ][2*j+1][2*i+1] +
       _fine[box][2*k+1][2*j  ][2*i] + _fine[box][2*k+1][2*j  ][2*i+1] +
       _fine[box][2*k+1][2*j+1][2*i] + _fine[box][2*k+1][2*j+1][2*i+1]) ;
  }}}}
}
