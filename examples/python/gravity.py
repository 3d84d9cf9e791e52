"""Self-gravity of particles on a periodic box, by cloud in cell.

  PDE:       ∇²φ = 4π (ρ − mean of ρ), periodic; the solver takes the mean off by itself
  Particles: their masses go to the eight nearest cells, and forces come from these

What must vanish: the sum of all forces, over the largest one, to 1e-6."""
import itertools

import numpy as np
import numpy.typing as npt

import gmg

N, COUNT = 32, 1000
Array = npt.NDArray[np.float64]
places = np.random.default_rng(1).random((COUNT, 3))  # (x, y, z)
mass = np.full(COUNT, 1.0 / COUNT)


def clouds(at: Array) -> "list[tuple[tuple[npt.NDArray[np.int64], ...], Array]]":
    """Returns the eight cells of every particle, (z, y, x), and their weights."""
    found: "list[tuple[tuple[npt.NDArray[np.int64], ...], Array]]" = []
    scaled = at * N - 0.5
    low = np.floor(scaled).astype(np.int64)
    high = scaled - low
    for corner in itertools.product((0, 1), repeat=3):
        weight = np.prod(np.where(corner, high, 1 - high), axis=1)
        x, y, z = ((low + corner) % N).T
        found.append(((z, y, x), weight))
    return found


density = np.zeros((N, N, N))
for cells, weight in clouds(places):
    np.add.at(density, cells, mass * weight * N**3)
solver = gmg.Solver((N, N, N), boundary={"all": "periodic"})
result = solver.solve(-4 * np.pi * density)
assert result.singular and result.converged
force = np.zeros((COUNT, 3))
for axis in range(3):
    slope = np.roll(result.u, -1, 2 - axis) - np.roll(result.u, 1, 2 - axis)
    for cells, weight in clouds(places):
        force[:, axis] -= mass * weight * slope[cells] * N / 2
whole = abs(force.sum(axis=0)).max() / abs(force).max()
print(f"{result.cycles} cycles; the sum of {COUNT} forces over the largest one is {whole:.1e}")
assert whole < 1e-6
