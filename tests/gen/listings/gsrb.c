#include "stencil.h"

/* Listing 1 of Basu et al., "Compiler-based code generation and autotuning for geometric multigrid on GPU-accelerated
 * supercomputers", Parallel Computing 64 (2017): one red or black sweep of Gauss-Seidel on the
 * variable-coefficient operator, with the minus signs and the brace that the stored text lost, and a centring behind
 * each array. */
/* clang-format off */
#define PR_SIZE 64
#define NUM_BOXS 64

GMG_KERNEL
void smooth_GSRB(double a, double b, double h, int sweep){
  double   _phi[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double   _rhs[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double _alpha[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double _beta_i[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_I(1);
  double _beta_j[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_J(1);
  double _beta_k[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_K(1);
  double _lambda[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double h2inv = 1.0/(h*h);

  int i,j,k; int box;
  int color = sweep; double _t;

  for(box=0; box<NUM_BOXS; box++){
   for(k=1; k<=PR_SIZE; k++){
    for(j=1; j<=PR_SIZE; j++){
     for(i=1; i<=PR_SIZE; i++){
      if(( i+ j + k + (color) ) % 2 == 1 ) {
       _t = b*h2inv*(
        + _beta_i[box][k][j][i+1]*( _phi[box][k][j][i+1]-_phi[box][k][j][i ] )
        - _beta_i[box][k][j][i ]*( _phi[box][k][j][i ]-_phi[box][k][j][i-1] )
        + _beta_j[box][k][j+1][i]*( _phi[box][k][j+1][i]-_phi[box][k][j ][i] )
        - _beta_j[box][k][j ][i]*( _phi[box][k][j ][i]-_phi[box][k][j-1][i] )
        + _beta_k[box][k+1][j][i]*( _phi[box][k+1][j][i]-_phi[box][k ][j][i] )
        - _beta_k[box][k ][j][i]*( _phi[box][k ][j][i]-_phi[box][k-1][j][i] ));
       _t = a*_alpha[box][k][j][i]*_phi[box][k][j][i] - _t;
       _phi[box][k][j][i] = _phi[box][k][j][i]
         - _lambda[box][k][j][i]*(_t -_rhs[box][k][j][i]);
    }}}}}
}
