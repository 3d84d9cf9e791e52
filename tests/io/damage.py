"""Problem files of every HDF5 layout, damage to them, and what the program may make of it: shared
by the tests of damaged files.

seeds(folder) writes small valid problems, so that most bytes are metadata; mutant(data, random)
gives one damaged copy; Judge runs the program on it, alone or on several ranks."""
import glob
import os
import re
import shutil
import subprocess

import h5py
import numpy as np

NX, NY, NZ = 4, 3, 2


def basic(f, text=str, **storage):
    f.attrs["format"] = text("gmg-problem")
    f.attrs["version"] = 1
    grid = f.create_group("grid")
    grid.attrs["cells"] = [NX, NY, NZ]
    grid.attrs["lower"] = [0.0, 0.0, 0.0]
    grid.attrs["upper"] = [1.0, 1.0, 1.0]
    f.create_dataset("rhs", data=np.linspace(1, 2, NX * NY * NZ).reshape(NZ, NY, NX), **storage)


def plain(f):
    basic(f)


def faces(f):
    basic(f, np.bytes_)
    f["alpha"] = np.ones((NZ, NY, NX), "f4")
    for axis, shape in (("x", (NZ, NY, NX + 1)), ("y", (NZ, NY + 1, NX)), ("z", (NZ + 1, NY, NX))):
        f["beta_" + axis] = np.ones(shape)
    equation, boundary = f.create_group("equation"), f.create_group("boundary")
    equation.attrs["a"], equation.attrs["b"] = 1.0, 2
    boundary.attrs["x_lo"], boundary.attrs["x_hi"] = "periodic", "periodic"
    boundary.attrs["y_lo"], boundary.attrs["y_lo_value"] = "neumann", 0.5
    boundary["z_hi_value"] = np.ones((NY, NX))
    f["grid/z"] = np.array([0.0, 0.4, 1.0])


def chunked(f):
    basic(f, chunks=(1, 2, 2), compression="gzip", shuffle=True, fletcher32=True)
    f.create_dataset("beta", data=np.ones((NZ, NY, NX)), chunks=(NZ, NY, NX), compression="gzip")
    f["beta"].attrs["average"] = "arithmetic"
    f.create_dataset(
        "initial_guess", data=np.zeros((NZ, NY, NX)), chunks=(1, NY, NX), maxshape=(None, NY, NX)
    )
    f.create_dataset("exact", data=np.zeros((NZ, NY, NX), "i2"), chunks=(1, 3, 4), scaleoffset=0)


def compact(f):
    basic(f)
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_layout(h5py.h5d.COMPACT)
    values = np.ones((NZ, NY, NX))
    space = h5py.h5s.create_simple(values.shape)
    h5py.h5d.create(f.id, b"beta", h5py.h5t.IEEE_F64LE, space, layout).write(
        h5py.h5s.ALL, h5py.h5s.ALL, values
    )
    user = f.create_group("user")
    for n in range(12):
        user.attrs[f"note {n}"] = "text " * n


SEEDS = {
    "plain": (plain, "earliest"),
    "faces": (faces, "earliest"),
    "chunked": (chunked, "earliest"),
    "compact": (compact, "earliest"),
    "plain-v110": (plain, "latest"),
    "faces-v110": (faces, "latest"),
    "chunked-v110": (chunked, "latest"),
}


def seeds(folder):
    """Writes the valid files; their paths by name."""
    paths = {}
    for name, (fill, version) in SEEDS.items():
        paths[name] = os.path.join(folder, name + ".h5")
        with h5py.File(paths[name], "w", libver=version) as f:
            fill(f)
    return paths


def flip_bits(data, random):
    for _ in range(random.choice([1, 1, 1, 2, 4, 16])):
        at = random.randrange(len(data))
        data[at] ^= 1 << random.randrange(8)


def set_bytes(data, random):
    for _ in range(random.choice([1, 1, 2, 4])):
        data[random.randrange(len(data))] = random.choice(
            [0, 1, 2, 127, 128, 255, random.randrange(256)]
        )


def set_word(data, random):
    size = random.choice([2, 4, 8])
    at = random.randrange(len(data) // size) * size
    value = random.choice(
        [
            0,
            1,
            2,
            2**31 - 1,
            2**31,
            2**32 - 1,
            2**63,
            2**64 - 1,
            len(data),
            len(data) - 8,
            at,
            random.randrange(len(data)),
        ]
    )
    data[at : at + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")


def copy_block(data, random):
    size = random.choice([8, 16, 64, 256])
    source, at = random.randrange(len(data)), random.randrange(len(data))
    block = data[source : source + size]
    data[at : at + len(block)] = block


def clear_block(data, random):
    at, size = random.randrange(len(data)), random.choice([4, 8, 32, 512])
    size = min(size, len(data) - at)
    data[at : at + size] = bytes([random.choice([0, 255])]) * size


def cut(data, random):
    del data[random.randrange(len(data)) :]


def remove_block(data, random):
    at = random.randrange(len(data))
    del data[at : at + random.choice([1, 4, 8, 96])]


def insert_block(data, random):
    at = random.randrange(len(data))
    data[at:at] = bytes(random.randrange(256) for _ in range(random.choice([1, 4, 8, 96])))


CHANGES = [
    flip_bits,
    flip_bits,
    flip_bits,
    set_bytes,
    set_word,
    set_word,
    copy_block,
    clear_block,
    cut,
    remove_block,
    insert_block,
]


# Bytes that make HDF5 1.10.8 itself crash or read without end, found by random damage: seed,
# {offset: byte}.
CRASHERS = [("plain-v110", {2078: 16}), ("faces-v110", {6173: 64})]


def mutant(data, random):
    """A damaged copy."""
    changed = bytearray(data)
    while changed == data:
        random.choice(CHANGES)(changed, random)
        if not changed:
            break
    return bytes(changed)


# HDF5 may go wrong on damaged files, and the C library on its behalf; the program must survive it.
# A frame of our own text above any of HDF5's is a bug of ours.
OWN = re.compile(r"[/ ](io|solver|tests/fuzz)/\w+\.[ch]:\d+")


def own_fault(report):
    """Whether the innermost frame of a sanitizer's report that is the program's or HDF5's is the
    program's."""
    if "runtime error:" in report:  # HDF5 is built without UBSan
        return True
    for line in report.splitlines():
        if "libhdf5" in line:
            return False
        if OWN.search(line):
            return True
    return False


class Judge:
    """Runs the program in a folder of its own on one file after another."""

    def __init__(self, gmg, folder, ranks=1):
        self.gmg, self.folder, self.ranks = gmg, folder, ranks
        self.launcher = []
        if ranks > 1:
            self.launcher = [
                shutil.which("mpirun"),
                "--oversubscribe",
                "--bind-to",
                "none",
                "-n",
                str(ranks),
            ]
        self.logs = os.path.join(folder, "sanitizer")
        self.seen = {
            "refused": 0,
            "accepted": 0,
            "HDF5 crashed": 0,
            "HDF5 without end": 0,
            "HDF5 ended by the sanitizer": 0,
        }
        signals = ("segv", "abort", "sigbus", "sigfpe", "sigill")
        options = ":".join([f"log_path={self.logs}", *(f"handle_{name}=2" for name in signals)])
        self.environment = {
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "ASAN_OPTIONS": options + ":detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": f"print_stacktrace=1:log_path={self.logs}",
        }

    def judge(self, data):
        """None, or what is wrong with the way the program treats a file with these bytes; and its
        exit status, None where a sanitizer ended it for a fault of HDF5's."""
        path = os.path.join(self.folder, "problem.h5")
        with open(path, "wb") as stream:
            stream.write(data)
        command = self.launcher + [
            self.gmg,
            "--input",
            "problem.h5",
            "--max-cycles",
            "3",
            "--report",
            "report.json",
        ]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=self.environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=300,
            )
        except subprocess.TimeoutExpired:
            return "no end within 300 s", None
        reports = [open(name, errors="replace").read() for name in glob.glob(self.logs + ".*")]
        left = set(os.listdir(self.folder)) - {"problem.h5"}
        left -= {os.path.basename(name) for name in glob.glob(self.logs + ".*")}
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        if (
            reports
            and done.returncode == 1
            and not left
            and not any(own_fault(report) for report in reports)
        ):
            self.seen[
                "HDF5 ended by the sanitizer"
            ] += 1  # as on a filter that yields less than a chunk; otherwise harmless
            return None, None
        return self.complaint(done, left, reports), done.returncode

    def complaint(self, done, left, reports):
        said = [line for line in done.stderr.splitlines() if line.startswith("gmg: ")]
        if any(own_fault(report) for report in reports):
            return "the program's own fault: " + "\n".join(reports)
        if (
            "it ended the process" in done.stderr and not reports
        ):  # UBSan, which reports to the standard error alone
            return f"the program's own fault: {done.stderr.strip()}"
        if "HDF5-DIAG" in done.stderr or "*** " in done.stderr:
            return f"a library's message: {done.stderr.strip()}"
        if done.returncode in (0, 1):
            self.seen["accepted"] += 1
            expected = {"problem.solution.h5", "problem.solution.xdmf", "report.json"}
            return (
                None if left == expected else f"exit status {done.returncode}, files {sorted(left)}"
            )
        if done.returncode != 2:
            return f"exit status {done.returncode}: {done.stderr.strip()}"
        if (
            len(said) != 1
            or not said[0].startswith("gmg: problem.h5")
            or (self.ranks == 1 and len(done.stderr.splitlines()) != 1)
        ):
            return f"{len(said)} messages, expected one line: {done.stderr.strip()}"
        self.seen["HDF5 crashed"] += "crashes when it reads" in said[0]
        self.seen["HDF5 without end"] += "without end" in said[0]
        self.seen["refused"] += 1
        return f"left {sorted(left)}" if left else None


def show(data, seed, name):
    """The damage, so that a failure can be looked at again."""
    if len(data) == len(seed):
        return f"{name} with {({n: data[n] for n in range(len(data)) if data[n] != seed[n]})}"
    return f"{name}, {len(seed)} bytes, damaged to {len(data)} bytes"


def torment(gmg, folder, alone, parallel, random):
    """`alone` damaged files on one process, the first `parallel` of them on three ranks too, which
    must end the same way. Prints the failures and a summary; the number of failures."""
    judges = [
        Judge(gmg, os.path.join(folder, "alone")),
        Judge(gmg, os.path.join(folder, "ranks"), 3),
    ]
    originals = {name: open(path, "rb").read() for name, path in seeds(folder).items()}
    failed = 0
    for judge in judges:
        os.mkdir(judge.folder)
    for number in range(alone):
        if number < len(CRASHERS):
            name, data = CRASHERS[number][0], bytearray(originals[CRASHERS[number][0]])
            for at, byte in CRASHERS[number][1].items():
                data[at] = byte
        else:
            name = list(originals)[number % len(originals)]
            data = mutant(originals[name], random)
        wrong, status = judges[0].judge(bytes(data))
        if wrong is None and number < parallel:
            wrong, other = judges[1].judge(bytes(data))
            if wrong is None and other != status and None not in (other, status):
                wrong = f"exit status {status} alone and {other} on three ranks"
        if wrong:
            failed += 1
            print(f"FAILED {show(data, originals[name], name)}: {wrong}", flush=True)
    for judge in judges:
        print(f"{judge.ranks} ranks: {judge.seen}")
    return failed


def has_mpi(gmg):
    return (
        "MPI                none"
        not in subprocess.run([gmg, "info"], capture_output=True, text=True).stdout
    )
