#include "stencil.h"

/* The Jacobi counterpart of listing 1 (gsrb.c), in the same manner: no colour, and an output array of its own. */
/* clang-format off */
#define PR_SIZE 64
#define NUM_BOXS 64

GMG_KERNEL
void smooth_jacobi(double a, double b, double h, double c){
  double    _new[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double    _phi[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double    _rhs[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double  _alpha[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double _beta_i[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_I(1);
  double _beta_j[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_J(1);
  double _beta_k[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] FACE_K(1);
  double _lambda[NUM_BOXS][PR_SIZE+2][PR_SIZE + 2][PR_SIZE + 2] CELL(1);
  double h2inv = 1.0/(h*h);

  int i,j,k; int box;
  double _t;

  for(box=0; box<NUM_BOXS; box++){
   for(k=1; k<=PR_SIZE; k++){
    for(j=1; j<=PR_SIZE; j++){
     for(i=1; i<=PR_SIZE; i++){
      _t = b*h2inv*(
       + _beta_i[box][k][j][i+1]*( _phi[box][k][j][i+1]-_phi[box][k][j][i ] )
       - _beta_i[box][k][j][i ]*( _phi[box][k][j][i ]-_phi[box][k][j][i-1] )
       + _beta_j[box][k][j+1][i]*( _phi[box][k][j+1][i]-_phi[box][k][j ][i] )
       - _beta_j[box][k][j ][i]*( _phi[box][k][j ][i]-_phi[box][k][j-1][i] )
       + _beta_k[box][k+1][j][i]*( _phi[box][k+1][j][i]-_phi[box][k ][j][i] )
       - _beta_k[box][k ][j][i]*( _phi[box][k ][j][i]-_phi[box][k-1][j][i] ));
      _t = a*_alpha[box][k][j][i]*_phi[box][k][j][i] - _t;
      _new[box][k][j][i] = _phi[box][k][j][i]
        + c*_lambda[box][k][j][i]*(_rhs[box][k][j][i] - _t);
    }}}}
}
