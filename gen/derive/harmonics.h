/* Frequencies that a grid with half the cells along some axes cannot tell apart, and operators on
 * periodic grids as matrices over them. The error at cell i is Σ over h of e_h exp(i theta . cell)
 * (-1)^(the sum of the cell's indices along the axes in the bits of h). */
#ifndef GEN_HARMONICS_H
#define GEN_HARMONICS_H

#include "symbol.h"

enum { GEN_HARMONICS = 8, GEN_MAX_COLOURS = 8, GEN_SQUARINGS = 12 /* for 4 digits of a radius */ };

/* at[row][column] is real + i imaginary. */
struct gen_matrix {
  double real[GEN_HARMONICS][GEN_HARMONICS], imaginary[GEN_HARMONICS][GEN_HARMONICS];
};

/* The centre's weight, which is positive where gen_unit_stencil made the stencil. */
double gen_stencil_diagonal(const struct gen_stencil *stencil);
/* The axes along which the stencil couples points, a bit each. */
int gen_coupled_axes(const struct gen_stencil *stencil);
/* The stencil's symbol at one frequency, over its diagonal. */
double gen_symbol(const struct gen_stencil *stencil, const double theta[3]);
/* At theta, with pi added along the axes in the bits of the index. */
void gen_symbols_at(const struct gen_stencil *stencil, const double theta[3],
                    double value[GEN_HARMONICS]);
/* Low frequencies, number 0 up to gen_frequencies, 2 steps + 1 of them along each axis, from -pi/2
 * to pi/2: those of a periodic grid with 4 steps cells there. The upper half of them suffices where
 * the symbol is the same at -theta. */
int gen_frequencies(const int steps[3]);
void gen_frequency(int axes, const int steps[3], int index, double theta[3]);
/* The colours of a block of two cells along each axis, cell c being the second one along the axes
 * in its bits. */
struct gen_cell_colours {
  int colours, of[GEN_HARMONICS];
};
/* False where there are more colours than cells. axes: those that the stencil couples. */
bool gen_colour_cells(const struct gen_guard *colouring, int axes, struct gen_cell_colours *cells);

/* A sweep of Gauss-Seidel: m becomes (1 - omega C A / diagonal) m for every colour's cells C in
 * turn, with the symbols of A over its diagonal. omega: one for each colour. */
void gen_sweep_colours(const struct gen_cell_colours *cells, const double value[GEN_HARMONICS],
                       const double omega[], struct gen_matrix *m);
/* The norm of the power 2^squarings, to one over that: not below the radius. Fewer squarings are
 * done where they show that the result is at most `enough`: something up to it is returned then. */
double gen_spectral_radius(struct gen_matrix matrix, int squarings, double enough);

#endif
