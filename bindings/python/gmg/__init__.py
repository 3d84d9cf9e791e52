"""Geometric multigrid for  a α u − b ∇·(β ∇u) = f  on a box.

    import gmg
    s = gmg.Solver(cells=(64, 64, 64), boundary={"x_lo": ("dirichlet", 1.0)}, rtol=1e-8)
    result = s.solve(1.0)          # result.u, .cycles, .residuals, .reason

Arrays have the order (z, y, x). Errors are exceptions of gmg.Error.
"""
from . import plot
from ._errors import (
    ArgumentError,
    ArgumentTypeError,
    CoefficientError,
    CommunicationError,
    ConversionWarning,
    DeviceError,
    Error,
    InternalError,
    OptionError,
    OrderError,
    OutOfMemoryError,
    UnsupportedError,
)
from ._formula import compile_formula
from ._files import Problem, Solution, read_problem, read_solution, write_problem
from ._library import lib as _lib
from ._operators import Operators, compile_operators
from ._options import names as options
from ._result import Result
from ._report import Backend, Kernel, Level, Table
from ._services import Fluxes, Memory
from ._solver import Solver
from ._tuning import Tuned

__version__: str = _lib.gmg_python_version().decode()
__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "Backend",
    "CoefficientError",
    "CommunicationError",
    "compile_formula",
    "compile_operators",
    "ConversionWarning",
    "DeviceError",
    "Error",
    "Fluxes",
    "InternalError",
    "Kernel",
    "Level",
    "Memory",
    "Operators",
    "OptionError",
    "options",
    "OrderError",
    "OutOfMemoryError",
    "plot",
    "Problem",
    "read_problem",
    "read_solution",
    "Result",
    "Solution",
    "Solver",
    "Table",
    "Tuned",
    "UnsupportedError",
    "write_problem",
]
