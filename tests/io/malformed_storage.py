"""More problem files for test_malformed.py: types, storage, links and sizes that h5py's ordinary
calls do not make."""
import zlib

import h5py
import numpy as np

NX, NY, NZ = 6, 5, 4
SHAPE = (NZ, NY, NX)


def rhs(make):
    """Replaces /rhs: make(f) creates another."""

    def run(f):
        del f["rhs"]
        make(f)

    return run


def typed(kind):
    """/rhs of a type that h5py has no numpy equivalent for, never written."""
    return rhs(lambda f: h5py.h5d.create(f.id, b"rhs", kind, h5py.h5s.create_simple(SHAPE)))


def valued(values, **storage):
    return rhs(lambda f: f.create_dataset("rhs", data=values, **storage))


def linked(name, target):
    def run(f):
        if name in f:
            del f[name]
        f[name] = target

    return run


def attribute(group, name, value):
    return lambda f: f[group].attrs.__setitem__(name, value)


def cells(*values, kind=None):
    return attribute("grid", "cells", np.array(values, kind))


def filtered(number):
    """/rhs behind an optional filter that is not installed anywhere."""

    def make(f):
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((2, 5, 6))
        creation.set_filter(number, h5py.h5z.FLAG_OPTIONAL, (1, 2))
        h5py.h5d.create(f.id, b"rhs", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple(SHAPE), creation)

    return rhs(make)


def external(bytes_there):
    """/rhs in a raw file that is absent (None) or short."""

    def make(f):
        f.create_dataset("rhs", SHAPE, "f8", external=[("raw.bin", 0, 8 * NX * NY * NZ)])
        if bytes_there is not None:
            with open(f.filename.replace("problem.h5", "raw.bin"), "wb") as stream:
                stream.write(bytes(bytes_there))

    return rhs(make)


def virtual(with_file, name="values"):
    def make(f):
        if with_file:
            with h5py.File(f.filename.replace("problem.h5", "source.h5"), "w") as source:
                source["values"] = np.ones(SHAPE)
        layout = h5py.VirtualLayout(SHAPE, "f8")
        layout[:] = h5py.VirtualSource("source.h5", name, SHAPE)
        f.create_virtual_dataset("rhs", layout)

    return rhs(make)


def unwritten_text(f):
    """An attribute of variable length that was made and never written."""
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(h5py.h5t.VARIABLE)
    del f.attrs["format"]
    h5py.h5a.create(f.id, b"format", kind, h5py.h5s.create(h5py.h5s.SCALAR))


def bad_chunk(f):
    """Compressed values that zlib cannot undo."""
    del f["rhs"]
    rhs_data = f.create_dataset("rhs", SHAPE, "f8", chunks=(2, 5, 6), compression="gzip")
    rhs_data[:] = 1.0
    rhs_data.id.write_direct_chunk((2, 0, 0), b"no zlib stream" * 9)


def short_chunk(name, shape, chunk):
    """Compressed values of which a chunk holds two, and nothing that zlib would complain of."""

    def make(f):
        if name in f:
            del f[name]
        values = f.create_dataset(name, shape, "f8", chunks=chunk, compression="gzip")
        values[...] = 1.0
        values.id.write_direct_chunk((0,) * len(shape), zlib.compress(np.ones(2).tobytes()))

    return make


REFUSED = [
    (
        "rhs an enumeration",
        valued(np.ones(SHAPE, "i4"), dtype=h5py.enum_dtype({"one": 1}, "i4")),
        ["/rhs", "enumeration", "numbers"],
    ),
    ("rhs opaque", valued(np.zeros(SHAPE, "V8")), ["/rhs", "opaque", "numbers"]),
    ("rhs bit fields", typed(h5py.h5t.STD_B32LE), ["/rhs", "bit fields", "numbers"]),
    ("rhs time", typed(h5py.h5t.UNIX_D32LE), ["/rhs", "times", "numbers"]),
    (
        "rhs references",
        valued(np.full(SHAPE, None), dtype=h5py.ref_dtype),
        ["/rhs", "references", "numbers"],
    ),
    (
        "rhs lists",
        rhs(lambda f: f.create_dataset("rhs", SHAPE, h5py.vlen_dtype("f8"))),
        ["/rhs", "variable-length", "numbers"],
    ),
    (
        "rhs of arrays",
        rhs(lambda f: f.create_dataset("rhs", SHAPE, "(2,)f8")),
        ["/rhs", "arrays", "numbers"],
    ),
    (
        "rhs variable text",
        rhs(lambda f: f.create_dataset("rhs", SHAPE, h5py.string_dtype())),
        ["/rhs", "text", "numbers"],
    ),
    (
        "rhs compound of one",
        valued(np.zeros(SHAPE, [("a", "f8")])),
        ["/rhs", "compound", "numbers"],
    ),
    ("rhs a named type", linked("rhs", np.dtype("f8")), ["/rhs", "not a dataset"]),
    (
        "rhs beyond double",
        valued(np.full(SHAPE, np.longdouble("1e4000"))),
        ["/rhs", "inf", "(0, 0, 0)", "finite"],
    ),
    ("rhs half infinite", valued(np.full(SHAPE, np.inf, "f2")), ["/rhs", "inf", "finite"]),
    ("rhs big-endian NaN", valued(np.full(SHAPE, np.nan, ">f4")), ["/rhs", "nan", "finite"]),
    (
        "rhs huge and sparse",
        rhs(lambda f: f.create_dataset("rhs", (2**40, 2**10, 2**10), chunks=(8, 8, 8))),
        ["/rhs", "(1099511627776, 1024, 1024)", "(4, 5, 6)"],
    ),
    (
        "rhs with no cells",
        rhs(lambda f: f.create_dataset("rhs", (0, NY, NX))),
        ["/rhs", "(0, 5, 6)", "(4, 5, 6)"],
    ),
    ("rhs 32-D", valued(np.ones((1,) * 32)), ["/rhs", "(1, 1, 1", "(4, 5, 6)"]),
    (
        "lzf",
        valued(np.ones(SHAPE), compression="lzf"),
        ["/rhs", "filter 32000 (lzf)", "not installed", "gzip"],
    ),
    ("unknown filter", filtered(32015), ["/rhs", "filter 32015", "not installed"]),
    ("bad chunk", bad_chunk, ["/rhs", "cannot be read", "inflate"]),
    (
        "short chunk",
        short_chunk("rhs", SHAPE, (2, 5, 6)),
        ["/rhs", "cannot be read", "16 bytes", "expected 480"],
    ),
    (
        "short chunk of coordinates",
        short_chunk("grid/x", (NX + 1,), (NX + 1,)),
        ["/grid/x", "cannot be read", "16 bytes", "expected 56"],
    ),
    ("raw file absent", external(None), ["/rhs", "raw.bin", "No such file"]),
    ("raw file short", external(100), ["/rhs", "raw.bin", "100 bytes", "expected 960"]),
    ("virtual, no file", virtual(False), ["/rhs", "virtual", "source.h5", "No such file"]),
    ("virtual, no dataset", virtual(True, "other"), ["/rhs", "virtual", "other", "source.h5"]),
    (
        "soft link to itself",
        linked("rhs", h5py.SoftLink("/rhs")),
        ["/rhs", "cannot be opened", "too many links"],
    ),
    (
        "grid linked nowhere",
        linked("grid", h5py.SoftLink("/nowhere")),
        ["/grid", "cannot be opened"],
    ),
    (
        "boundary linked nowhere",
        linked("boundary", h5py.SoftLink("/nowhere")),
        ["/boundary", "cannot be opened"],
    ),
    (
        "beta linked nowhere",
        linked("beta", h5py.SoftLink("nowhere/at/all")),
        ["/beta", "cannot be opened"],
    ),
    (
        "user linked nowhere",
        linked("user", h5py.SoftLink("/nowhere")),
        ["/user", "cannot be opened"],
    ),
    (
        "external link, no file",
        linked("rhs", h5py.ExternalLink("absent.h5", "/rhs")),
        ["/rhs", "absent.h5"],
    ),
    (
        "external link to a folder",
        linked("rhs", h5py.ExternalLink(".", "/rhs")),
        ["/rhs", "cannot be opened"],
    ),
    ("rhs linked to a group", linked("rhs", h5py.SoftLink("/grid")), ["/rhs", "not a dataset"]),
    ("grid linked to rhs", linked("grid", h5py.SoftLink("/rhs")), ["/grid", "not a group"]),
    (
        "grid linked to the root",
        linked("grid", h5py.SoftLink("/")),
        ["/grid", "'boundary'", "unknown"],
    ),
    ("cells -1", cells(-1, NY, NZ), ["'cells'", "(-1, 5, 4)"]),
    ("cells -2^31", cells(-(2**31), NY, NZ), ["'cells'", "-2147483648"]),
    ("cells -2^63", cells(-(2**63), NY, NZ), ["'cells'", "-9223372036854775808"]),
    ("cells 2^31 - 1", cells(2**31 - 1, NY, NZ), ["'cells'", "2147483647", "2^30"]),
    ("cells 2^30 + 1", cells(2**30 + 1, 1, 1), ["'cells'", "1073741825", "2^30"]),
    ("cells 2^32 + 6", cells(2**32 + NX, NY, NZ), ["'cells'", "4294967302", "2^30"]),
    ("cells 2^64 - 1", cells(2**64 - 1, NY, NZ, kind="u8"), ["'cells'", "2^30"]),
    ("cells whose product is 2^64", cells(2**22, 2**21, 2**21), ["'cells'", "2^40"]),
    ("cells whose product is 2^90", cells(2**30, 2**30, 2**30), ["'cells'", "2^40"]),
    ("cells 0 in z", cells(NX, NY, 0), ["'cells'", "(6, 5, 0)"]),
    ("cells 8 bit", cells(NX, -128, NZ, kind="i1"), ["'cells'", "(6, -128, 4)"]),
    ("cells one number", attribute("grid", "cells", NX), ["'cells'", "1 values", "expected 3"]),
    (
        "cells empty",
        attribute("grid", "cells", h5py.Empty("i4")),
        ["'cells'", "0 values", "expected 3"],
    ),
    (
        "cells booleans",
        attribute("grid", "cells", [True, True, True]),
        ["'cells'", "enumeration", "integers"],
    ),
    (
        "cells opaque",
        attribute("grid", "cells", np.zeros(3, "V4")),
        ["'cells'", "opaque", "integers"],
    ),
    (
        "cells compound",
        attribute("grid", "cells", np.zeros(3, [("n", "i4")])),
        ["'cells'", "compound", "integers"],
    ),
    (
        "lower empty",
        attribute("grid", "lower", h5py.Empty("f8")),
        ["'lower'", "0 values", "expected 3"],
    ),
    (
        "lower beyond double",
        attribute("grid", "lower", np.full(3, np.longdouble("-1e4000"))),
        ["'lower'", "-inf", "finite"],
    ),
    (
        "extent beyond double",
        lambda f: (
            attribute("grid", "lower", [-1.5e308, 0, 0])(f),
            attribute("grid", "upper", [1.5e308, 1, 1])(f),
        ),
        ["lower", "upper", "/grid"],
    ),
    (
        "version floating",
        attribute("/", "version", 1.0),
        ["'version'", "floating-point", "integers"],
    ),
    (
        "version 2^32 + 1",
        attribute("/", "version", 2**32 + 1),
        ["'version'", "4294967297", "expected 1"],
    ),
    ("version empty", attribute("/", "version", h5py.Empty("i4")), ["'version'", "0 values"]),
    (
        "version two values",
        attribute("/", "version", [1, 1]),
        ["'version'", "2 values", "expected 1"],
    ),
    (
        "format two words",
        attribute("/", "format", ["gmg-problem", "gmg-problem"]),
        ["'format'", "2 values"],
    ),
    ("format empty", attribute("/", "format", h5py.Empty("S4")), ["'format'", "0 values"]),
    ("format unwritten", unwritten_text, ["'format'", "''", "gmg-problem"]),
    (
        "format longer",
        attribute("/", "format", "gmg-problem" + "s" * 5000),
        ["'format'", "gmg-problems"],
    ),
    ("format with more", attribute("/", "format", "gmg-problem\n"), ["'format'", "gmg-problem?"]),
    (
        "format not UTF-8",
        attribute("/", "format", np.bytes_(b"\xff\xfe")),
        ["'format'", "gmg-problem"],
    ),
    ("name of 900 letters", lambda f: f.create_group("x" * 900), ["unknown name 'xxx", "/user"]),
    ("name of two lines", lambda f: f.create_group("rhs\n\x1b[2J"), ["'rhs??[2J'", "'rhs'"]),
    ("name in capitals", lambda f: f.create_group("RHS"), ["'RHS'"]),
    ("name with a blank", lambda f: f.create_group("rhs "), ["'rhs '", "'rhs'"]),
    ("attribute of two lines", attribute("grid", "cells\n", 1), ["'cells?'", "'cells'"]),
    (
        "kind with a bad byte",
        attribute("boundary", "x_lo", np.bytes_(b"neumann\x01")),
        ["'x_lo'", "'neumann?'"],
    ),
    (
        "kind two words",
        attribute("boundary", "x_lo", ["neumann", "neumann"]),
        ["'x_lo'", "2 values"],
    ),
    (
        "value an enumeration",
        attribute("boundary", "x_lo_value", True),
        ["'x_lo_value'", "enumeration"],
    ),
    (
        "value dataset a scalar",
        lambda f: f["boundary"].create_dataset("x_lo_value", data=1.0),
        ["/boundary/x_lo_value", "()", "(4, 5)"],
    ),
    (
        "value dataset a group",
        lambda f: f["boundary"].create_group("x_lo_value"),
        ["/boundary/x_lo_value", "not a dataset"],
    ),
    (
        "value dataset text",
        lambda f: f["boundary"].create_dataset("x_lo_value", data=np.full((NZ, NY), b"0")),
        ["/boundary/x_lo_value", "text", "numbers"],
    ),
    ("x a group", lambda f: f["grid"].create_group("x"), ["/grid/x", "not a dataset"]),
    (
        "x infinite",
        lambda f: f["grid"].create_dataset("x", data=[0, 0.1, 0.2, 0.3, 0.5, 0.7, np.inf]),
        ["/grid/x", "inf", "[6]"],
    ),
    (
        "x beyond single",
        lambda f: f["grid"].create_dataset("x", data=np.linspace(0, 1, NX + 1) + 1e-3),
        ["/grid/x", "begins", "'lower'"],
    ),
]


def swap(values):
    return valued(np.random.default_rng(1).random(SHAPE).astype(values))


def sparse(f):
    """Chunks of which most were never written: HDF5 fills them."""
    del f["rhs"]
    values = f.create_dataset(
        "rhs", SHAPE, "f8", chunks=(3, 3, 3), compression="gzip", fillvalue=2.0
    )
    values[:3, :3, :3] = 1.0


def user_of_anything(f):
    user = f.create_group("user")
    user["again"] = user
    user["nowhere"] = h5py.SoftLink("/nowhere")
    user["text"] = "anything\n"
    user.attrs["list"] = np.zeros(3, "V4")


# Unusual, and right: solved alone and on three ranks.
ACCEPTED = [
    ("big-endian", swap(">f8")),
    ("half precision", swap("f2")),
    ("extended precision", swap("f16")),
    ("8-bit integers", swap("i1")),
    ("64-bit integers", valued(np.full(SHAPE, 2**63 + 1, "u8"))),
    ("sparse chunks", sparse),
    ("never written", rhs(lambda f: f.create_dataset("rhs", SHAPE, "f8"))),
    ("gzip", valued(np.ones(SHAPE), compression="gzip", shuffle=True, fletcher32=True)),
    ("a whole raw file", external(8 * NX * NY * NZ)),
    ("virtual", virtual(True)),
    (
        "soft link",
        lambda f: (
            f.create_group("user"),
            f.move("rhs", "user/values"),
            linked("rhs", h5py.SoftLink("/user/values"))(f),
        ),
    ),
    ("anything in /user", user_of_anything),
    ("format padded", attribute("/", "format", np.bytes_(b"gmg-problem    "))),
    ("cells a row", attribute("grid", "cells", np.array([[NX, NY, NZ]], ">u2"))),
]
