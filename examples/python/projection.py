"""The pressure projection of a flow of variable density.

  PDE:       −∇·(β ∇p) = −∇·v on the unit square with β = 1 / density, ∂p/∂n = 0 at the walls
  Velocity:  v + (fluxes of p), on faces

What must vanish: the divergence of the projected velocity, over what it was, to 1e-8."""
import numpy as np
import numpy.typing as npt

import gmg

N = 128
Array = npt.NDArray[np.float64]
centre, face = (np.arange(N) + 0.5) / N, np.arange(N + 1) / N


def lightness(x: Array, y: Array) -> Array:
    """Returns 1 / density of a heavy drop in a light gas."""
    return np.where(np.hypot(x[None, :] - 0.5, y[:, None] - 0.4) < 0.2, 0.01, 1.0)


def divergence(x: Array, y: Array) -> Array:
    """Returns the outflow of every cell over its volume."""
    return N * np.diff(x, axis=1) + N * np.diff(y, axis=0)


beta = lightness(face, centre), lightness(centre, face)
vx: Array = np.sin(np.pi * face)[None, :] * np.cos(2 * centre)[:, None]  # 0 through the walls
vy: Array = np.cos(3 * centre)[None, :] * np.sin(np.pi * face)[:, None]
solver = gmg.Solver((N, N), boundary={"all": "neumann"}, beta=beta, rtol=1e-12)
result = solver.solve(-divergence(vx, vy))
flux = solver.fluxes(result.u)
before, after = abs(divergence(vx, vy)).max(), abs(divergence(vx + flux.x, vy + flux.y)).max()
print(f"{result.status} after {result.cycles} cycles; divergence {before:.2f}, then {after:.1e}")
assert after < 1e-8 * before
