"""The page of tests/bench/paper_figures.py: tables beside the paper's numbers."""
import math
import os

import paper_numbers as paper

BACKENDS = {"openmp": "CPU", "cuda": "GPU"}
WAY_TEXT = {"alone": "one by one", "passes": "in passes"}


def groups_of(measured):
    """What was measured by target: {name, backend, cells, ..., runs by (combination, way)}."""
    groups = {}
    for number, one in enumerate(measured):
        for run in one["runs"]:
            key = number, run["target"]
            if key not in groups:
                about = {"cells": one["cells"]}
                same = ("backend", "compiler", "machine", "threads", "triad")
                about.update({name: run[name] for name in same})
                groups[key] = {**about, "name": run["target"], "runs": {}}
            groups[key]["runs"][run["combination"], run["way"]] = run
            groups[key]["triad"] = max(groups[key]["triad"], run["triad"])
    return list(groups.values())


def pairs_of(groups, backend):
    """The groups of a back end that can be compared: of the same cells and machine as the first."""
    same = [group for group in groups if group["backend"] == backend]
    first = same[:1] or [{"cells": 0, "machine": ""}]
    alike = [
        group
        for group in same
        if (group["cells"], group["machine"]) == (first[0]["cells"], first[0]["machine"])
    ]
    return alike if len(alike) > 1 else []


def rounded(value, digits=3):
    return f"{float(f'{value:.{digits}g}'):g}" if value < 1e4 else f"{value:.0f}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def choice_text(level, backend, threads):
    """Where wisdom has one, a choice that is faster than the rules' is bold."""
    choice = level["choice"]
    if choice is None:
        return "–"
    if backend == "cuda":
        shape = choice or level["began"]
        if not shape:
            return "default"
        text = f"⟨{shape['block_i']}, {shape['block_j']}⟩"
        rest = f", {shape['rows']} rows, {shape['planes']} planes"
        return f"**{text}**{rest}" if choice else f"{text}{rest}"
    if not choice:
        return "rules"
    few = f", {choice['threads']} of {threads} threads" if choice["threads"] < threads else ""
    if choice["passes"] == 1:
        return f"**tile {choice['tile_rows']} × {choice['tile_planes']}**{few}"
    return f"**{choice['rows']} rows, {choice['stages']} stages**, {choice['planes']} planes{few}"


def title_of(group):
    compiler = f", {group['compiler']}" if group["compiler"] else ""
    count = group["threads"]
    threads = f", {count} thread{'s' * (count > 1)}" if group["backend"] == "openmp" else ""
    return f"{group['name']} ({group['machine']}{compiler}{threads}; {group['cells']}³ cells)"


def write_table_2(groups):
    head = ["the paper, Kepler GPU"] + [f"64 × {64 >> level}³" for level in range(paper.LEVELS)]
    rows = [
        [name] + [f"⟨{x}, {y}, 1⟩" for x, y in blocks] for name, blocks in paper.TABLE_2.items()
    ]
    yield table(head, rows)
    for group in groups:
        head = [group["name"], ""] + [
            f"{group['cells'] >> level}³" for level in range(paper.LEVELS)
        ]
        rows = []
        for (combination, way), run in group["runs"].items():
            found = {level["cells"][0]: level for level in run["levels"]}
            cells = [
                choice_text(found[size], group["backend"], group["threads"])
                if size in found
                else "–"
                for size in (group["cells"] >> level for level in range(paper.LEVELS))
            ]
            rows.append([combination, WAY_TEXT[way], *cells])
        count = sum(run["candidates"] for run in group["runs"].values())
        yield f"{title_of(group)}, {count} candidates timed:\n"
        yield table(head, rows)


def finest(run, which):
    return run["levels"][0][which] if run["levels"] else None


def rate_of(smooth):
    return smooth["bytes"] / smooth["seconds"]


def write_figure_5(groups):
    stream = ", ".join(f"{name} {rate} GB/s" for name, rate in paper.STREAM.items())
    yield f"The paper: {paper.FIGURE_5}. STREAM there: {stream}.\n"
    head = ["", "", "bytes a cell, the paper's", "gmg's", "by the rules, ms", "tuned, ms"]
    head += ["tuned, GB/s", "of the triad", "bound by, reached"]
    for group in groups:
        rows = []
        for (combination, way), run in group["runs"].items():
            tuned, default = finest(run, "tuned"), finest(run, "default")
            if tuned is None:
                continue
            rows.append(
                [
                    combination,
                    WAY_TEXT[way],
                    str(paper.BYTES[combination]),
                    rounded(tuned["bytes"] / group["cells"] ** 3),
                    rounded(1e3 * default["seconds"]),
                    rounded(1e3 * tuned["seconds"]),
                    rounded(rate_of(tuned) / 1e9),
                    f"{100 * rate_of(tuned) / group['triad']:.0f} %",
                    f"{tuned['bound']}, {100 * tuned['share']:.0f} %",
                ]
            )
        yield f"{title_of(group)}; triad {rounded(group['triad'] / 1e9)} GB/s:\n"
        yield table(head, rows)


def write_figure_6(groups):
    yield f"The paper: {paper.FIGURE_6}.\n"
    for group in groups:
        sizes = [group["cells"] >> level for level in range(paper.LEVELS)]
        rows = []
        for (combination, way), run in group["runs"].items():
            found = {level["cells"][0]: level["tuned"]["seconds"] for level in run["levels"]}
            times = [rounded(1e6 * found[size]) if size in found else "–" for size in sizes]
            rows.append([combination, WAY_TEXT[way], *times])
        reference = group["runs"].get(("VC GSRB", "alone"))
        if reference and reference["levels"]:
            first = reference["levels"][0]["tuned"]["seconds"]
            times = [rounded(1e6 * first / 8**level) for level in range(paper.LEVELS)]
            rows.append(["perfect scaling", "of VC GSRB", *times])
        yield f"{title_of(group)}, µs for a smooth, tuned:\n"
        yield table(["", ""] + [f"{size}³" for size in sizes], rows)


def mean_ratio(one, other, which):
    """The geometric mean of the times of one target's finest smooths over another's."""
    logs = [
        math.log(finest(run, which)["seconds"] / finest(other["runs"][key], which)["seconds"])
        for key, run in one["runs"].items()
        if key in other["runs"] and run["levels"] and other["runs"][key]["levels"]
    ]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def write_pair(groups):
    head = ["", ""]
    for group in groups:
        head += [f"{group['name']}: rules, ms", "tuned, ms", "chosen"]
    rows = []
    for key in groups[0]["runs"]:
        row = [key[0], WAY_TEXT[key[1]]]
        for group in groups:
            run = group["runs"].get(key)
            if not run or not run["levels"]:
                row += ["–"] * 3
                continue
            row += [rounded(1e3 * finest(run, which)["seconds"]) for which in ("default", "tuned")]
            row.append(choice_text(run["levels"][0], group["backend"], group["threads"]))
        rows.append(row)
    yield "; ".join(title_of(group) for group in groups) + ":\n"
    yield table(head, rows)
    for other in groups[1:]:
        ratios = [mean_ratio(other, groups[0], which) for which in ("default", "tuned")]
        yield (
            f"{other['name']} takes {ratios[0]:.2f} of the time of {groups[0]['name']} by the "
            f"rules, {ratios[1]:.2f} tuned (geometric means of the rows).\n"
        )


def write_figure_8(groups):
    yield f"The paper, two versions of nvcc on one GPU: {paper.FIGURE_8}.\n"
    for backend, what in (("openmp", "compilers of the CPU"), ("cuda", "versions of NVRTC")):
        alike = pairs_of(groups, backend)
        if alike:
            yield from write_pair(alike)
        else:
            yield f"Two {what} were not measured, and are left out.\n"


def write_missing(groups):
    for backend, name in BACKENDS.items():
        if not any(group["backend"] == backend for group in groups):
            yield f"**Not measured: a {name}.** It is left out of all that follows.\n"
    for group in groups:
        missing = [name for name in paper.COMBINATIONS if (name, "alone") not in group["runs"]]
        if missing:
            yield f"Of {group['name']} not measured: {', '.join(missing)}.\n"
        for key, run in group["runs"].items():
            lost = [level["cells"][0] for level in run["levels"] if level["choice"] is None]
            if lost:
                sizes = ", ".join(f"{size}³" for size in lost)
                yield (
                    f"{group['name']}, {key[0]} {WAY_TEXT[key[1]]}: wisdom has nothing of {sizes}: "
                    "the budget ended before, or the tuned solve was slower and was not saved.\n"
                )


INTRODUCTION = f"""# The paper's table 2 and figures 5, 6 and 8

The paper: {paper.TITLE}.
This page is written by `tests/bench/paper_figures.py`, the target `bench-paper`, by the commands
below. Of the paper's figures only what its text says stands beside gmg's numbers: none was read
off a graph.

Both solve by V-cycles in double precision: {paper.CYCLES} of them, {paper.SMOOTHS} smooths before
and after the coarser level, {paper.BOTTOM_SMOOTHS} on the coarsest one. A *smooth* is a sweep over
one colour of red-black Gauss-Seidel (GSRB), or one of Jacobi over all cells. *VC*: α and β vary;
*CC*: they are constant. A level of the paper is 64 boxes, one of gmg is one box, and gmg has one
level more below the five, so that all five are tuned. *One by one*: every kernel is a sweep over
memory, as in the paper (`--passes none`); *in passes*: several share one, as gmg does by itself
where that is right. *Rules*: the choices without wisdom.

"""

SECTIONS = (
    (
        "Table 2: the best blocks",
        "A thread block of the paper sweeps all planes of its box. Bold: chosen by `gmg tune`, as\n"
        "it was faster than the rules' choice beyond noise. On a CPU a *tile* has rows and planes\n"
        "that one thread computes at a time; in a pass a strip has *rows*, and its kernels are\n"
        "*stages*. Times of all candidates are `gmg tune --record FILE.json`'s.",
        write_table_2,
    ),
    (
        "Figure 5: share of bandwidth",
        "A smooth of the finest level. Bytes are compulsory ones: each value once for a read,\n"
        "once more for a write. gmg keeps the colours apart in memory, so that a sweep over one\n"
        "colour of GSRB moves half of most fields. More than 100 % of the triad of memory comes\n"
        "from caches: the last column names the roof that binds by `gmg bench`, and how much of\n"
        "it was reached. In passes the bytes are those that each kernel would need by itself.\n"
        "Where `gmg tune` chose nothing but the rules' choices, what differs between times by\n"
        "the rules and tuned is noise.",
        write_figure_5,
    ),
    ("Figure 6: time of a smooth by level", "", write_figure_6),
    ("Figure 8: compilers", "A smooth of the finest level.", write_figure_8),
)


def about(one):
    """How the runs of one JSON were made."""
    note = f" {one['note']}" if one["note"] else ""
    return (
        f"- {one['date']}, {one['cells']}³ cells, {one['budget']} s for each search, times of the "
        f"fastest of {one['repeats']} solves.{note}\n  `{one['command']}`\n"
    )


def write_page(measured, path, pictures):
    """pictures: (number of the figure, its file), beside the page."""
    groups = groups_of(measured)
    shown = {number: os.path.basename(file) for number, file in pictures}
    parts = [INTRODUCTION, *map(about, measured), ""]
    parts += write_missing(groups)
    for title, text, write in SECTIONS:
        parts.append(f"## {title}\n")
        if text:
            parts.append(f"{text}\n")
        number = int(title.split(":")[0].split()[-1])
        if number in shown:
            parts.append(f"![{title.split(': ')[1]}]({shown[number]})\n")
        parts += write(groups)
    body = "".join(part if part.startswith("- ") else f"{part}\n" for part in parts)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(body.rstrip("\n").replace("\n\n\n", "\n\n") + "\n")
