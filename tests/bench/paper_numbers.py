"""What the paper says, for tests/bench/paper_figures.py.

Basu, Williams, Van Straalen, Oliker, Colella, Hall: Compiler-based code generation and autotuning
for geometric multigrid on GPU-accelerated supercomputers, Parallel Computing 2017,
doi:10.1016/j.parco.2017.04.002 (miniGMG, CUDA-CHiLL). Its figures were at hand without their
drawings: numbers of figures are those of its text alone, and none was read off a graph."""

TITLE = (
    "Basu et al., *Compiler-based code generation and autotuning for geometric multigrid on "
    "GPU-accelerated supercomputers*, Parallel Computing 2017, doi:10.1016/j.parco.2017.04.002"
)
# Section 5.1: 256^3 cells in 64 boxes of 64^3 on a Kepler GPU, 4 smooths before and after, 10
# V-cycles, 48 smooths on the coarsest level. A smooth is a sweep over one colour (listing 1), or
# one of Jacobi over all cells.
SMOOTHS, CYCLES, BOTTOM_SMOOTHS = 4, 10, 48

# A combination: the case of gmg make, the smoother, how many smooths one of gmg's sweeps is.
COMBINATIONS = {
    "VC GSRB": ("helmholtz", "gsrb", 2),
    "VC Jacobi": ("helmholtz", "jacobi", 1),
    "CC GSRB": ("constant", "gsrb", 2),
    "CC Jacobi": ("constant", "jacobi", 1),
}

# Table 2: the best thread block <x, y, 1> on levels of 64 boxes of 64^3, 32^3, 16^3, 8^3, 4^3.
TABLE_2 = {
    "VC GSRB": [(64, 8), (32, 8), (16, 4), (8, 8), (4, 4)],
    "VC Jacobi": [(64, 16), (32, 4), (16, 16), (8, 8), (4, 4)],
    "CC GSRB": [(64, 4), (32, 8), (16, 4), (8, 4), (4, 4)],
    "CC Jacobi": [(64, 8), (32, 4), (16, 16), (8, 8), (4, 4)],
}
LEVELS = 5

# Section 5.2: bytes that a stencil must move, and operations per cell.
BYTES = {"VC GSRB": 64, "VC Jacobi": 72, "CC GSRB": 32, "CC Jacobi": 40}
FLOPS = {"VC GSRB": 12, "VC Jacobi": 24, "CC GSRB": 6, "CC Jacobi": 13}

# Table 1: GB/s of STREAM (of the GPU by the Empirical Roofline Toolkit).
STREAM = {"Edison, 2 × 12 cores": 97, "Titan, 2 × 8 cores": 31, "Titan, Kepler GPU": 160}

FIGURE_5 = (
    "85 % of 160 GB/s on the Kepler GPU; on the CPUs of Edison up to more than 100 % of what "
    "STREAM's triad allows, as the triad does not reach what the memory can do (section 5.3)"
)
FIGURE_6 = (
    "no difference between smoothers and coefficients; the three finest levels follow perfect "
    "scaling, those of 64 × 8³ and 64 × 4³ stay at about 20 µs, the time of a launch (section 5.4)"
)
FIGURE_8 = (
    "its hand-optimised implementation, the best one with CUDA 5.0, was 23 % slower with CUDA 7.0 "
    "than with 5.0, and there 14 % slower than plain tiles; the auto-tuned one took about as long "
    "with both, by other choices (section 5.6)"
)
