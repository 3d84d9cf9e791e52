#!/usr/bin/python3
"""Every malformed problem file is refused: exit status 2, one message that names the file, the
object, what was found and what was expected, nothing from the HDF5 library itself, and no file
written. Alone; on three ranks where the ranks read values, and every tenth of the others (all of
them: test_malformed_large.py).

Precondition: the well-formed file that all others are made from is accepted, and unusual ones that
are right. What must vanish: the failures. Usage: test_malformed.py GMG"""
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

import malformed_storage

NX, NY, NZ = 6, 5, 4
GMG = os.path.abspath(sys.argv[1])


def write_good(f):
    f.attrs["format"] = "gmg-problem"
    f.attrs["version"] = 1
    grid = f.create_group("grid")
    grid.attrs["cells"] = [NX, NY, NZ]
    grid.attrs["lower"] = [0.0, 0.0, 0.0]
    grid.attrs["upper"] = [1.0, 1.0, 1.0]
    f["rhs"] = np.ones((NZ, NY, NX))
    f.create_group("equation")
    f.create_group("boundary")


def face_beta(f):
    f["beta_x"] = np.ones((NZ, NY, NX + 1))
    f["beta_y"] = np.ones((NZ, NY + 1, NX))
    f["beta_z"] = np.ones((NZ + 1, NY, NX))


def put(f, name, value, index=None):
    """Replaces a dataset, or one of its values."""
    if index is not None:
        f[name][index] = value
        return
    if name in f:
        del f[name]
    f[name] = value


def cells(values):
    return lambda f: f["grid"].attrs.__setitem__("cells", values)


def attribute(group, name, value):
    return lambda f: f[group].attrs.__setitem__(name, value)


def together(*steps):
    def run(f):
        for step in steps:
            step(f)

    return run


def with_faces(name, value, index):
    return together(face_beta, lambda f: put(f, name, value, index))


def with_alpha(a, value):
    return together(
        lambda f: put(f, "alpha", np.full((NZ, NY, NX), value)), attribute("equation", "a", a)
    )


def periodic_ends(axis, name, index):
    def run(f):
        face_beta(f)
        f["boundary"].attrs[axis + "_lo"] = "periodic"
        f["boundary"].attrs[axis + "_hi"] = "periodic"
        f[name][index] = 2.0

    return run


def coordinates(name, values):
    return lambda f: f["grid"].create_dataset(name, data=values)


def ones(*shape):
    return np.ones(shape)


def robin(c0, c1):
    steps = [attribute("boundary", "x_lo", "robin")]
    if c0 is not None:
        steps.append(attribute("boundary", "x_lo_c0", c0))
    if c1 is not None:
        steps.append(attribute("boundary", "x_lo_c1", c1))
    return together(*steps)


def link_nowhere(f):
    del f["rhs"]
    f["rhs"] = h5py.SoftLink("/nowhere")


def unequal_x(n):
    x = np.linspace(0, 1, n)
    x[2] = x[1]
    return x


# (name, change to the good file, words that the message must have)
CASES = [
    ("no format", lambda f: f.attrs.__delitem__("format"), ["format", "required"]),
    ("other format", lambda f: f.attrs.__setitem__("format", "other"), ["'other'", "gmg-problem"]),
    ("numeric format", lambda f: f.attrs.__setitem__("format", 3), ["format", "integers", "text"]),
    ("no version", lambda f: f.attrs.__delitem__("version"), ["version", "required"]),
    ("version 2", lambda f: f.attrs.__setitem__("version", 2), ["version", "2", "expected 1"]),
    (
        "version text",
        lambda f: f.attrs.__setitem__("version", "1"),
        ["version", "text", "integers"],
    ),
    (
        "unknown root attribute",
        lambda f: f.attrs.__setitem__("fromat", 1),
        ["'fromat'", "'format'", "version"],
    ),
    (
        "unknown root name",
        lambda f: put(f, "bta", ones(NZ, NY, NX)),
        ["'bta'", "'beta'", "beta_x", "rhs", "/user"],
    ),
    ("unknown root group", lambda f: f.create_group("grids"), ["'grids'", "'grid'"]),
    ("no grid", lambda f: f.__delitem__("grid"), ["/grid", "required"]),
    ("grid a dataset", lambda f: put(f, "grid", 1.0), ["/grid", "not a group"]),
    ("no cells", lambda f: f["grid"].attrs.__delitem__("cells"), ["'cells'", "/grid", "required"]),
    ("no lower", lambda f: f["grid"].attrs.__delitem__("lower"), ["'lower'", "/grid", "required"]),
    ("no upper", lambda f: f["grid"].attrs.__delitem__("upper"), ["'upper'", "/grid", "required"]),
    ("misspelt cells", attribute("grid", "cell", 3), ["'cell'", "'cells'"]),
    ("unknown grid name", coordinates("w", np.linspace(0, 1, 5)), ["'w'", "/grid", "x, y, z"]),
    ("two cells", cells([6, 5]), ["'cells'", "2 values", "expected 3"]),
    ("cells 0", cells([0, 5, 4]), ["'cells'", "(0, 5, 4)", "2^30"]),
    ("cells negative", cells([6, -5, 4]), ["'cells'", "(6, -5, 4)"]),
    ("cells 2^31", cells(np.array([2**31, 5, 4])), ["'cells'", "2147483648"]),
    ("cells 2^63", cells(np.array([2**63 + 5, 5, 4], dtype="u8")), ["'cells'", "2^30"]),
    ("cells huge product", cells(np.array([2**20, 2**20, 2**20])), ["'cells'", "2^40"]),
    ("cells floating", cells([6.0, 5.0, 4.0]), ["'cells'", "floating-point", "integers"]),
    ("cells text", attribute("grid", "cells", "6 5 4"), ["'cells'", "text", "integers"]),
    ("lower above upper", attribute("grid", "lower", [0.0, 2.0, 0.0]), ["lower < upper", " y"]),
    ("lower is upper", attribute("grid", "lower", [0.0, 0.0, 1.0]), ["lower < upper", " z"]),
    (
        "upper not finite",
        attribute("grid", "upper", [1.0, np.inf, 1.0]),
        ["'upper'", "inf", "finite"],
    ),
    ("lower NaN", attribute("grid", "lower", [np.nan, 0.0, 0.0]), ["'lower'", "nan", "finite"]),
    (
        "lower booleans",
        attribute("grid", "lower", [True, False, True]),
        ["'lower'", "enumeration", "numbers"],
    ),
    ("no rhs", lambda f: f.__delitem__("rhs"), ["/rhs", "required"]),
    (
        "rhs a group",
        lambda f: (f.__delitem__("rhs"), f.create_group("rhs")),
        ["/rhs", "not a dataset"],
    ),
    (
        "rhs transposed",
        lambda f: put(f, "rhs", ones(NX, NY, NZ)),
        ["/rhs", "(6, 5, 4)", "(nz, ny, nx)", "(4, 5, 6)"],
    ),
    ("rhs flat", lambda f: put(f, "rhs", ones(NZ * NY * NX)), ["/rhs", "(120)", "(4, 5, 6)"]),
    ("rhs a scalar", lambda f: put(f, "rhs", 1.0), ["/rhs", "()", "(4, 5, 6)"]),
    ("rhs empty", lambda f: put(f, "rhs", h5py.Empty("f8")), ["/rhs", "()", "(4, 5, 6)"]),
    ("rhs 4-D", lambda f: put(f, "rhs", ones(NZ, NY, NX, 1)), ["/rhs", "(4, 5, 6, 1)"]),
    ("rhs text", lambda f: put(f, "rhs", np.full((NZ, NY, NX), b"1")), ["/rhs", "text", "numbers"]),
    (
        "rhs complex",
        lambda f: put(f, "rhs", np.ones((NZ, NY, NX), complex)),
        ["/rhs", "compound", "numbers"],
    ),
    (
        "rhs booleans",
        lambda f: put(f, "rhs", np.ones((NZ, NY, NX), bool)),
        ["/rhs", "booleans", "numbers"],
    ),
    ("rhs NaN", lambda f: put(f, "rhs", np.nan, (1, 2, 3)), ["/rhs", "nan", "(1, 2, 3)", "finite"]),
    ("rhs infinite", lambda f: put(f, "rhs", -np.inf, (3, 4, 5)), ["/rhs", "-inf", "(3, 4, 5)"]),
    ("rhs attribute", lambda f: f["rhs"].attrs.__setitem__("units", "K"), ["'units'", "/rhs"]),
    ("rhs linked nowhere", link_nowhere, ["/rhs"]),
    (
        "alpha shape",
        lambda f: put(f, "alpha", ones(NZ, NY, NX + 1)),
        ["/alpha", "(4, 5, 7)", "(4, 5, 6)"],
    ),
    (
        "alpha NaN",
        lambda f: (put(f, "alpha", ones(NZ, NY, NX)), put(f, "alpha", np.nan, (0, 0, 1))),
        ["/alpha", "nan", "(0, 0, 1)"],
    ),
    ("alpha negative", with_alpha(1.0, -1.0), ["/alpha", "-1", "(0, 0, 0)", "a alpha >= 0"]),
    ("a negative", with_alpha(-1.0, 1.0), ["/alpha", "1", "a alpha >= 0"]),
    (
        "a negative, no alpha",
        attribute("equation", "a", -2.0),
        ["'a'", "/equation", "-2", "a alpha >= 0"],
    ),
    ("a NaN", attribute("equation", "a", np.nan), ["'a'", "/equation", "nan"]),
    ("a two values", attribute("equation", "a", [1.0, 2.0]), ["'a'", "2 values", "expected 1"]),
    ("b zero", attribute("equation", "b", 0.0), ["'b'", "/equation", "> 0"]),
    ("b negative", attribute("equation", "b", -3), ["'b'", "-3", "> 0"]),
    ("b text", attribute("equation", "b", "one"), ["'b'", "text", "numbers"]),
    ("unknown equation attribute", attribute("equation", "c", 1.0), ["'c'", "/equation", "a, b"]),
    (
        "unknown equation name",
        lambda f: f["equation"].create_dataset("a", data=1.0),
        ["'a'", "/equation"],
    ),
    (
        "beta zero",
        lambda f: (put(f, "beta", ones(NZ, NY, NX)), put(f, "beta", 0.0, (2, 1, 0))),
        ["/beta", "0", "(2, 1, 0)", "> 0"],
    ),
    (
        "beta negative",
        lambda f: (put(f, "beta", ones(NZ, NY, NX)), put(f, "beta", -4.0, (3, 0, 0))),
        ["/beta", "-4", "(3, 0, 0)", "> 0"],
    ),
    (
        "beta infinite",
        lambda f: (put(f, "beta", ones(NZ, NY, NX)), put(f, "beta", np.inf, (3, 0, 0))),
        ["/beta", "inf", "(3, 0, 0)"],
    ),
    (
        "beta average",
        lambda f: (
            put(f, "beta", ones(NZ, NY, NX)),
            f["beta"].attrs.__setitem__("average", "geometric"),
        ),
        ["'average'", "geometric", "arithmetic"],
    ),
    (
        "beta attribute",
        lambda f: (
            put(f, "beta", ones(NZ, NY, NX)),
            f["beta"].attrs.__setitem__("averag", "arithmetic"),
        ),
        ["'averag'", "'average'"],
    ),
    (
        "beta twice",
        together(face_beta, lambda f: put(f, "beta", ones(NZ, NY, NX))),
        ["/beta", "/beta_x", "either"],
    ),
    ("beta_x alone", lambda f: put(f, "beta_x", ones(NZ, NY, NX + 1)), ["/beta_y", "/beta_x"]),
    ("beta_x, beta_z", together(face_beta, lambda f: f.__delitem__("beta_y")), ["/beta_y"]),
    (
        "beta_x shape",
        together(face_beta, lambda f: put(f, "beta_x", ones(NZ, NY, NX))),
        ["/beta_x", "(4, 5, 6)", "(nz, ny, nx + 1)", "(4, 5, 7)"],
    ),
    (
        "beta_y shape",
        together(face_beta, lambda f: put(f, "beta_y", ones(NZ, NY, NX + 1))),
        ["/beta_y", "(4, 6, 6)"],
    ),
    (
        "beta_z shape",
        together(face_beta, lambda f: put(f, "beta_z", ones(NZ, NY, NX + 1))),
        ["/beta_z", "(5, 5, 6)"],
    ),
    (
        "beta_x zero at its end",
        with_faces("beta_x", 0.0, (3, 4, 6)),
        ["/beta_x", "(3, 4, 6)", "> 0"],
    ),
    (
        "beta_y NaN at its end",
        with_faces("beta_y", np.nan, (3, 5, 5)),
        ["/beta_y", "nan", "(3, 5, 5)"],
    ),
    (
        "beta_z negative at its end",
        with_faces("beta_z", -1.0, (4, 4, 5)),
        ["/beta_z", "(4, 4, 5)", "> 0"],
    ),
    (
        "beta_x ends",
        periodic_ends("x", "beta_x", (2, 1, 6)),
        ["/beta_x", "periodic", "(2, 1, 0)", "equal"],
    ),
    (
        "beta_y ends",
        periodic_ends("y", "beta_y", (2, 0, 3)),
        ["/beta_y", "periodic", "(2, 0, 3)", "equal"],
    ),
    (
        "beta_z ends",
        periodic_ends("z", "beta_z", (4, 3, 2)),
        ["/beta_z", "periodic", "(0, 3, 2)", "equal"],
    ),
    (
        "guess shape",
        lambda f: put(f, "initial_guess", ones(NZ, NY, 1)),
        ["/initial_guess", "(4, 5, 1)"],
    ),
    (
        "guess NaN",
        lambda f: put(f, "initial_guess", np.full((NZ, NY, NX), np.nan)),
        ["/initial_guess", "(0, 0, 0)"],
    ),
    ("exact NaN", lambda f: put(f, "exact", np.full((NZ, NY, NX), np.nan)), ["/exact", "nan"]),
    ("exact shape", lambda f: put(f, "exact", ones(1, NY, NX)), ["/exact", "(1, 5, 6)"]),
    ("x short", coordinates("x", np.linspace(0, 1, NX)), ["/grid/x", "(6)", "(nx + 1)", "(7)"]),
    ("y not increasing", coordinates("y", unequal_x(NY + 1)), ["/grid/y", "[2]", "increasing"]),
    ("z decreasing", coordinates("z", np.linspace(1, 0, NZ + 1)), ["/grid/z", "[1]", "increasing"]),
    ("x NaN", coordinates("x", [0, 0.1, 0.2, np.nan, 0.5, 0.7, 1]), ["/grid/x", "nan", "[3]"]),
    (
        "x begins elsewhere",
        coordinates("x", np.linspace(0.1, 1, NX + 1)),
        ["/grid/x", "begins", "'lower'"],
    ),
    (
        "z ends elsewhere",
        coordinates("z", np.linspace(0, 1.5, NZ + 1)),
        ["/grid/z", "ends", "1.5", "'upper'"],
    ),
    ("x text", coordinates("x", [b"a"] * (NX + 1)), ["/grid/x", "text", "numbers"]),
    ("boundary a dataset", lambda f: put(f, "boundary", 1.0), ["/boundary", "not a group"]),
    (
        "unknown side",
        attribute("boundary", "x_low", "neumann"),
        ["'x_low'", "'x_lo'", "z_hi_value"],
    ),
    (
        "unknown boundary name",
        lambda f: f["boundary"].create_dataset("x_lo_vale", data=ones(NZ, NY)),
        ["'x_lo_vale'", "'x_lo_value'"],
    ),
    (
        "unknown kind",
        attribute("boundary", "y_lo", "neuman"),
        ["'y_lo'", "'neuman'", "'neumann'", "periodic"],
    ),
    ("kind a number", attribute("boundary", "y_lo", 1), ["'y_lo'", "integers", "text"]),
    ("kind very long", attribute("boundary", "y_lo", np.bytes_(b"x" * 9000)), ["'y_lo'", "9000"]),
    ("kind empty", attribute("boundary", "y_lo", ""), ["'y_lo'", "''", "dirichlet"]),
    (
        "periodic on one side",
        attribute("boundary", "z_hi", "periodic"),
        ["'z_lo'", "'z_hi'", "both or neither"],
    ),
    (
        "value twice",
        together(
            attribute("boundary", "x_lo_value", 1.0),
            lambda f: f["boundary"].create_dataset("x_lo_value", data=ones(NZ, NY)),
        ),
        ["'x_lo_value'", "attribute", "dataset"],
    ),
    (
        "value shape x",
        lambda f: f["boundary"].create_dataset("x_hi_value", data=ones(NY, NZ)),
        ["/boundary/x_hi_value", "(5, 4)", "(nz, ny)", "(4, 5)"],
    ),
    (
        "value shape y",
        lambda f: f["boundary"].create_dataset("y_lo_value", data=ones(NZ, NY)),
        ["/boundary/y_lo_value", "(nz, nx)", "(4, 6)"],
    ),
    (
        "value shape z",
        lambda f: f["boundary"].create_dataset("z_hi_value", data=ones(NZ, NY)),
        ["/boundary/z_hi_value", "(ny, nx)", "(5, 6)"],
    ),
    (
        "value NaN",
        lambda f: f["boundary"].create_dataset("z_lo_value", data=np.full((NY, NX), np.nan)),
        ["/boundary/z_lo_value", "nan", "[0, 0]"],
    ),
    (
        "value attribute infinite",
        attribute("boundary", "z_lo_value", np.inf),
        ["'z_lo_value'", "inf", "finite"],
    ),
    (
        "value attribute array",
        attribute("boundary", "z_lo_value", [1.0, 2.0]),
        ["'z_lo_value'", "2 values"],
    ),
    (
        "value of periodic faces",
        together(
            attribute("boundary", "z_lo", "periodic"),
            attribute("boundary", "z_hi", "periodic"),
            attribute("boundary", "z_lo_value", 1.0),
        ),
        ["'z_lo_value'", "periodic"],
    ),
    ("robin signs", robin(1.0, -1.0), ["'x_lo_c0'", "'x_lo_c1'", "same sign"]),
    ("robin small signs", robin(-1e-200, 1e-200), ["'x_lo_c0'", "'x_lo_c1'", "same sign"]),
    ("robin NaN", robin(np.nan, 1.0), ["'x_lo_c0'", "nan", "finite"]),
    ("robin infinite", robin(1.0, np.inf), ["'x_lo_c1'", "inf", "finite"]),
    ("robin text", robin("1", 1.0), ["'x_lo_c0'", "text", "numbers"]),
    ("robin array", robin(1.0, [1.0, 2.0]), ["'x_lo_c1'", "2 values"]),
    ("robin without both", robin(None, None), ["'x_lo_c0'", "requires"]),
    ("robin zeros", robin(0.0, 0.0), ["'x_lo_c0'", "not both 0"]),
    ("robin without c1", robin(1.0, None), ["'x_lo_c1'", "requires"]),
    ("robin without c0", robin(None, 1.0), ["'x_lo_c0'", "requires"]),
    (
        "c0 of dirichlet",
        attribute("boundary", "x_lo_c0", 1.0),
        ["'x_lo_c0'", "'dirichlet'", "'robin'"],
    ),
    ("user a dataset", lambda f: put(f, "user", 1.0), ["/user", "not a group"]),
] + malformed_storage.REFUSED


def write_bytes(path, data):
    with open(path, "wb") as stream:
        stream.write(data)


def not_hdf5(path, good):
    write_bytes(path, b"not an HDF5 file at all\n" * 50)


def empty(path, good):
    write_bytes(path, b"")


def truncated(path, good):
    data = open(good, "rb").read()
    write_bytes(path, data[: len(data) // 2])


def folder(path, good):
    os.mkdir(path)


def absent(path, good):
    pass


def short_compact(path, good):
    """/rhs in its header, of which the size says that nothing is there: HDF5 would read from
    address 0."""
    write_bytes(path, open(good, "rb").read())
    values = np.arange(1.0, 1 + NX * NY * NZ).reshape(NZ, NY, NX)
    with h5py.File(path, "a") as f:
        del f["rhs"]
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_layout(h5py.h5d.COMPACT)
        space = h5py.h5s.create_simple(values.shape)
        h5py.h5d.create(f.id, b"rhs", h5py.h5t.IEEE_F64LE, space, creation).write(
            h5py.h5s.ALL, h5py.h5s.ALL, values
        )
    data = bytearray(open(path, "rb").read())
    at = data.index(values.tobytes())
    assert data[at - 2 : at] == len(values.tobytes()).to_bytes(2, "little")
    data[at - 2 : at] = bytes(2)
    write_bytes(path, data)


# Files that cannot be read as HDF5, or not in full.
BROKEN = [
    ("not HDF5", not_hdf5, ["not an HDF5 file"]),
    ("empty", empty, ["not an HDF5 file"]),
    ("truncated", truncated, ["truncated"]),
    ("a folder", folder, ["folder"]),
    ("absent", absent, ["No such file"]),
    ("short compact", short_compact, ["/rhs", "0 bytes stored", "expected 960"]),
]


LONGEST = (
    300  # seconds of one run: six of three ranks each, under sanitizers, may share two busy cores
)


def run(folder_name, launcher, path, *options):
    command = launcher + [GMG, "--input", path, *options]
    try:
        done = subprocess.run(
            command,
            cwd=folder_name,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return None, f"no end within {LONGEST} s", ""
    return done.returncode, done.stderr, done.stdout


def check(folder_name, launcher, words, *options):
    """None, or what is wrong with the way problem.h5 was refused."""
    before = sorted(os.listdir(folder_name))
    status, err, _ = run(folder_name, launcher, "problem.h5", "--report", "report.json", *options)
    said = [line for line in err.splitlines() if line.startswith("gmg: ")]
    if status != 2:
        return f"exit status {status}, expected 2; {err.strip()}"
    if len(said) != 1 or (not launcher and len(err.splitlines()) != 1):
        return f"{len(said)} messages, expected one line: {err.strip()}"
    missing = [word for word in ["problem.h5"] + words if word not in said[0]]
    if missing:
        return f"{missing} not in: {said[0]}"
    if "HDF5-DIAG" in err or "*** " in err:
        return f"a library's message: {err.strip()}"
    after = sorted(os.listdir(folder_name))
    return f"left {sorted(set(after) - set(before))}" if after != before else None


def make(folder_name, change):
    path = os.path.join(folder_name, "problem.h5")
    with h5py.File(path, "w") as f:
        write_good(f)
        if change:
            change(f)
    return path


def launchers():
    """One process, and three ranks where the program has MPI."""
    has_mpi = (
        "MPI                none"
        not in subprocess.run([GMG, "info"], capture_output=True, text=True).stdout
    )
    mpirun = shutil.which("mpirun")
    result = [[]]
    if has_mpi and mpirun:
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        result.append([mpirun, "--oversubscribe", "--bind-to", "none", "-n", "3"])
    return result


def refuse(case, launcher):
    """A changed file, solved and checked."""
    name, change, words = case
    with tempfile.TemporaryDirectory() as folder_name:
        make(folder_name, change)
        wrong = check(folder_name, launcher, words)
        if wrong is None and not launcher:
            wrong = check(folder_name, launcher, words, "--check")
    return name, launcher, wrong


def refuse_broken(case, launcher):
    name, breaker, words = case
    with tempfile.TemporaryDirectory() as folder_name, tempfile.TemporaryDirectory() as other:
        breaker(os.path.join(folder_name, "problem.h5"), make(other, None))
        return name, launcher, check(folder_name, launcher, words)


def accept(case, launcher):
    """A right file is solved: here, so many cycles as to show that it was read."""
    name, change = case
    with tempfile.TemporaryDirectory() as folder_name:
        make(folder_name, change)
        status, err, _ = run(folder_name, launcher, "problem.h5", "--max-cycles", "2")
        written = os.path.exists(os.path.join(folder_name, "problem.solution.h5"))
    return (
        name,
        launcher,
        None if status in (0, 1) and written else f"exit status {status}: {err.strip()}",
    )


def by_ranks(name, number):
    """Whether a case is worth three ranks in the quick suite: what is found while all of them read,
    and a sample."""
    return number % 10 == 0 or any(
        word in name for word in ("NaN", "inf", "zero", "negative", "ends", "chunk", "virtual")
    )


def main(everything=False):
    with ThreadPoolExecutor(6) as pool:  # most of the time goes by in starting MPI
        jobs = []
        for launcher in launchers():
            for cases, test in (
                (CASES, refuse),
                (BROKEN, refuse_broken),
                ([("the good file", None)] + malformed_storage.ACCEPTED, accept),
            ):
                jobs += [
                    pool.submit(test, case, launcher)
                    for number, case in enumerate(cases)
                    if everything or not launcher or by_ranks(case[0], number)
                ]
        results = [job.result() for job in jobs]
    failed = 0
    for name, launcher, wrong in results:
        if wrong:
            failed += 1
            print(f"FAILED {name}, {'on three ranks' if launcher else 'alone'}: {wrong}")
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
