"""A solve on arrays of CuPy, on CuPy's stream: nothing goes by way of the host.

  PDE:       −∇²u = f on the unit cube, u = 0 at the walls
  Exact:     u = sin πx sin πy sin πz

What must vanish: the error, as the square of the width of a cell. Does nothing without CuPy."""
import importlib
import sys

import gmg

try:
    cupy = importlib.import_module("cupy")
except ImportError:
    print("CuPy is not installed here")
    sys.exit(0)

n = 256
x = cupy.sin(cupy.pi * (cupy.arange(n) + 0.5) / n)
u = x[:, None, None] * x[:, None] * x
solver = gmg.Solver((n, n, n), backend="cuda")
with cupy.cuda.Stream(non_blocking=True):
    result = solver.solve(3 * cupy.pi**2 * u)
    error = float(abs(result.u - u).max())
print(f"{solver.backend().device}: {result!r}, error {error:.1e}")
assert error < 2 / n**2
