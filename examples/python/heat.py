"""Heat conduction by implicit time steps.

  PDE:       ∂u/∂t = ∇²u on the unit cube, u = 0 at the walls
  Scheme:    Crank–Nicolson: (2 / dt) w − ∇²w = (4 / dt) u, and u becomes w − u
  Exact:     u = exp(−3 π² t) sin πx sin πy sin πz

What must vanish: the distance of the observed order in space and time from 2, up to 0.1."""
import numpy as np

import gmg


def error_on(n: int, until: float = 0.05) -> float:
    """Returns the largest error on n³ cells after n steps."""
    dt = until / n
    x = np.sin(np.pi * (np.arange(n) + 0.5) / n)
    u = x[:, None, None] * x[:, None] * x
    exact = np.exp(-3 * np.pi**2 * until) * u
    solver = gmg.Solver((n, n, n), a=2 / dt, rtol=1e-9)
    w = u.copy()
    for _ in range(n):
        solver.solve(4 / dt * u, out=w, guess=w)
        u = w - u
    return float(abs(u - exact).max())


coarse, fine = error_on(12), error_on(24)
order = np.log2(coarse / fine)
print(f"largest error {coarse:.2e} on 12³, {fine:.2e} on 24³ cells: order {order:.2f}")
assert abs(order - 2) < 0.1
