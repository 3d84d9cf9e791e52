"""Filling the holes of an image with what is around them.

  PDE:       α u − ∇²u = α image on the unit square, ∂u/∂n = 0 at the walls
  Holes:     α = 0 there, so that u is harmonic; elsewhere α is large, so that u is the image

What must vanish: the largest error in the holes of a harmonic image, over its range, to 1e-3."""
import numpy as np

import gmg

N = 256
x, y = np.meshgrid((np.arange(N) + 0.5) / N, (np.arange(N) + 0.5) / N)
image = x**2 - y**2 + x * y
holes = (np.random.default_rng(1).random((N, N)) < 0.3) | (np.hypot(x - 0.5, y - 0.5) < 0.1)
holes[[0, -1]] = holes[:, [0, -1]] = False  # this image does not have ∂u/∂n = 0
known = np.where(holes, 0.0, 1e6 * N**2)
solver = gmg.Solver((N, N), boundary={"all": "neumann"}, alpha=known)
damaged = np.where(holes, 0.0, image)
result = solver.solve(known * damaged, guess=damaged)
error = abs(result.u - image).max() / np.ptp(image)
print(f"{holes.mean():.0%} of the pixels were lost; the largest error is {error:.1e}")
assert result.converged and error < 1e-3
