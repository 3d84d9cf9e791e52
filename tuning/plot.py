#!/usr/bin/env python3
"""Draws what `gmg bench --output FILE.json` wrote: its kernels under the roofs of the machine, and
the time of each level by kernel.

usage: plot.py FILE.json [--roofline FILE.png] [--levels FILE.png]

Without an option both are drawn, beside the JSON. The ending of a picture's name says its format.
Exit status: 0 drawn, 2 bad arguments or input, 4 matplotlib is not installed."""
import argparse
import json
import math
import os
import sys

BAD_INPUT, NO_MATPLOTLIB = 2, 4
# Levels from the finest, which is the darkest; and kernels, by their order in the solve's time.
LEVEL_COLOURS = "viridis"
KERNEL_COLOURS = [
    "#1f4e79",
    "#d1793b",
    "#4a9d6f",
    "#b8433f",
    "#7f6bb3",
    "#8c6d4f",
    "#d68fb8",
    "#9a9a3a",
]
REST_COLOUR = "#c4c4c4"
MOST_LABELS = 6


def refuse(text):
    print(f"plot.py: {text}", file=sys.stderr)
    sys.exit(BAD_INPUT)


def read(path):
    try:
        with open(path, encoding="utf-8") as stream:
            bench = json.load(stream)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {error}")
    if not isinstance(bench, dict) or bench.get("format") != "gmg-bench":
        refuse(f"{path} is not what gmg bench --output writes")
    return bench


def backend_of(bench):
    """The back end of the finest level: its roofs are drawn."""
    return bench["levels"][0]["backend"]


def best_roofs(bench, backend):
    """The fastest pattern from each place with the most threads, and the multiply-adds, as
    (name, rate)."""
    traffic, operations = {}, {}
    roofs = [roof for roof in bench["roofs"] if roof["backend"] == backend and "rate" in roof]
    threads = max((roof["threads"] for roof in roofs), default=0)
    for roof in roofs:
        if roof["threads"] != threads:
            continue
        if roof["kind"].startswith("fma"):
            operations[roof["kind"][4:]] = roof["rate"]
        elif roof["rate"] > traffic.get(roof["cache"], (0, ""))[0]:
            traffic[roof["cache"]] = roof["rate"], roof["kind"].replace("_", ", ")
    places = sorted(traffic, key=lambda cache: cache or 9)
    return [(f"L{cache}" if cache else "memory", *traffic[cache]) for cache in places], operations


def short(name):
    """A kernel's name without its operator, as words."""
    words = name.split("_")
    if words[0][-1:].isdigit() and len(words) > 1:
        words = words[1:]
    return " ".join(words).replace("gauss seidel", "Gauss-Seidel")


def rounded(value):
    """Three digits, and no exponent."""
    return f"{float(f'{value:.3g}'):g}" if value < 1e5 else f"{value:.0f}"


def cells_text(cells):
    return f"{cells[0]}³" if len(set(cells)) == 1 else " × ".join(map(str, cells))


def title(bench):
    cells, machine, solve = bench["problem"]["cells"], bench["machine"], bench["solve"]
    what = machine.get("device") or machine["instruction_set"]
    threads = machine["threads"] * machine["ranks"]
    run = (
        f"{threads} thread{'s' * (threads > 1)}"
        if machine["ranks"] == 1
        else (f"{machine['ranks']} ranks of {machine['threads']} threads")
    )
    return f"{bench['problem']['name']}, {cells_text(cells)} cells, {run}, {what}", solve


def points_of(bench, backend):
    """(level, kernel, operations per byte, operations per second), the dearest first."""
    points = []
    for number, level in enumerate(bench["levels"]):
        for kernel in level["kernels"]:
            bytes_ = kernel["bytes"]
            if (
                kernel["backend"] == backend
                and kernel["flops"] > 0
                and bytes_
                and kernel["seconds"]
            ):
                points.append(
                    (
                        number,
                        kernel,
                        kernel["flops"] / bytes_,
                        kernel["flops"] / kernel["seconds"],
                    )
                )
    return sorted(points, key=lambda point: -point[1]["seconds"])


def place_labels(labels, low, high):
    """Heights for labels at the right edge, on a logarithmic axis, that do not cover each other."""
    step, placed, last = (high / low) ** 0.045, [], 0
    for height, *rest in sorted(labels):
        last = max(height, last * step)
        placed.append((last, height, *rest))
    return placed


def draw_roofs(axes, traffic, operations, span):
    x0, x1 = span
    top = max(operations.values())
    for _, rate, _ in traffic:
        end = min(top / rate, x1)
        axes.plot([x0, end], [x0 * rate, end * rate], color="#555555", lw=1.1)
    for name, rate in operations.items():
        start = min(rate / one[1] for one in traffic)
        axes.plot([max(start, x0), x1], [rate, rate], color="#555555", lw=1.1)
        axes.annotate(
            f"multiply-adds in {name} {rounded(rate / 1e9)} Gflop/s",
            (x1, rate),
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            fontsize=8,
            color="#333333",
        )


def name_roofs(axes, traffic, x0):
    """Along their lines; called when the layout is settled."""
    for name, rate, pattern in traffic:
        ends = [axes.transData.transform((x, x * rate)) for x in (x0, 2 * x0)]
        angle = math.degrees(math.atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0]))
        axes.annotate(
            f"{name} {rounded(rate / 1e9)} GB/s ({pattern})",
            (1.1 * x0, 1.1 * x0 * rate),
            xytext=(5, -9) if name == "memory" else (-1, 3),
            textcoords="offset points",
            rotation=angle,
            rotation_mode="anchor",
            fontsize=8,
            color="#333333",
        )


def draw_points(axes, points, levels, colours):
    dearest = points[0][1]["seconds"]
    for level, kernel, x, y in points:  # small ones stay visible on top of large ones
        axes.scatter(
            [x],
            [y],
            s=16 + 260 * kernel["seconds"] / dearest,
            marker="o" if kernel["bits"] == 64 else "s",
            color=colours(level / max(levels - 1, 1)),
            edgecolor="white",
            linewidth=0.6,
            zorder=3,
            alpha=0.9,
        )


def label_points(axes, points):
    """Names the dearest kernels, once each, beside their points."""
    seen, labels = set(), []
    for _, kernel, x, y in points:
        name = short(kernel["name"])
        if name not in seen and len(seen) < MOST_LABELS:
            seen.add(name)
            labels.append((y, x, name))
    low, high = axes.get_ylim()
    edge = axes.get_xlim()[1]
    for height, y, x, name in place_labels(labels, low, high):
        axes.annotate(
            name,
            (x, y),
            xytext=(edge * 0.92, height),
            ha="right",
            va="center",
            fontsize=8.5,
            arrowprops={"arrowstyle": "-", "color": "#999999", "lw": 0.6, "shrinkB": 3},
            zorder=4,
        )


def roofline_of(bench, plt):
    """The figure of the kernels under the roofs."""
    backend = backend_of(bench)
    traffic, operations = best_roofs(bench, backend)
    points = points_of(bench, backend)
    if not points or not traffic or not operations:
        refuse("no kernel ran, or no roof was measured")
    figure, axes = plt.subplots(figsize=(10.5, 6.2))
    span = (min(point[2] for point in points) / 4, max(point[2] for point in points) * 9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*span)
    dearest = points[0][1]["seconds"]
    shown = [point for point in points if point[1]["seconds"] > 1e-3 * dearest]
    low = min(point[3] for point in shown) / 2.5
    axes.set_ylim(low, max(operations.values()) * 2)
    draw_roofs(axes, traffic, operations, span)
    colours = plt.get_cmap(LEVEL_COLOURS)
    levels = len(bench["levels"])
    draw_points(axes, shown, levels, colours)
    label_points(axes, shown)
    drawn = sorted({point[0] for point in shown})
    handles = [
        plt.Line2D([], [], ls="", marker="o", color=colours(level / max(levels - 1, 1)), ms=8)
        for level in drawn
    ]
    names = [f"{level}: {cells_text(bench['levels'][level]['cells'])}" for level in drawn]
    if any(point[1]["bits"] == 32 for point in shown):
        handles += [
            plt.Line2D([], [], ls="", marker=marker, color="#777777", ms=7) for marker in "os"
        ]
        names += ["double", "float"]
    axes.legend(
        handles,
        names,
        title="level",
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        alignment="left",
    )
    axes.set_xlabel("operations per compulsory byte")
    axes.set_ylabel("operations per second")
    axes.yaxis.set_major_formatter(plt.FuncFormatter(lambda y, _: f"{y / 1e9:g} G"))
    axes.xaxis.set_major_formatter(plt.FuncFormatter(lambda x, _: f"{x:g}"))
    axes.grid(True, which="major", color="#e6e6e6", lw=0.6)
    text, solve = title(bench)
    axes.set_title(text, fontsize=10, loc="left")
    figure.text(
        0.01,
        0.01,
        f"areas: time in the fastest of {solve['repeats']} solves; the solve reaches "
        f"{100 * solve['share']:.0f} % of its bound",
        fontsize=8,
        color="#555555",
    )
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    name_roofs(axes, traffic, span[0])
    return figure


def draw_roofline(bench, path, plt):
    figure = roofline_of(bench, plt)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw_times(bench, axes):
    """Each level's time, and what it would be at the roofs."""
    levels = bench["levels"]
    times = [1e3 * (level["all"]["seconds"] + level["exchange_seconds"]) for level in levels]
    bounds = [1e3 * level["all"]["bound_seconds"] for level in levels]
    low = max(min(time for time in times + [1e9] if time > 0) / 4, 1e-7)
    axes.bar(range(len(levels)), times, 0.72, color="#8fb3d1", zorder=3, label="measured")
    for n, (time, bound) in enumerate(zip(times, bounds)):
        axes.plot(
            [n - 0.42, n + 0.42],
            [bound, bound],
            color="black",
            lw=1.8,
            zorder=4,
            label="at the roofs" if n == 0 else None,
        )
        axes.annotate(
            f"{rounded(time)} ms",
            (n, time),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color="#333333",
        )
    axes.set_yscale("log")
    axes.set_ylim(
        min(low, max(min(b for b in bounds + [low] if b > 0) / 2, low / 300)), max(times) * 2.5
    )
    axes.set_ylabel("milliseconds per solve")
    axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axes.grid(True, axis="y", color="#e6e6e6", lw=0.6)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def draw_levels(bench, path, plt):
    levels = bench["levels"]
    total = {}
    for level in levels:
        for kernel in level["kernels"]:
            name = short(kernel["name"])
            total[name] = total.get(name, 0) + kernel["seconds"]
        total["exchanges"] = total.get("exchanges", 0) + level["exchange_seconds"]
    order = [name for name in sorted(total, key=lambda name: -total[name]) if total[name] > 0]
    named, rest = order[: len(KERNEL_COLOURS)], order[len(KERNEL_COLOURS) :]
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(9.5, 7), sharex=True, gridspec_kw={"height_ratios": [1, 1.25]}
    )
    draw_times(bench, above)
    sums = [
        sum(kernel["seconds"] for kernel in level["kernels"]) + level["exchange_seconds"]
        for level in levels
    ]
    bottom = [0.0] * len(levels)

    def stack(names, label, colour):
        parts = []
        for level, whole in zip(levels, sums):
            mine = sum(k["seconds"] for k in level["kernels"] if short(k["name"]) in names)
            mine += level["exchange_seconds"] * ("exchanges" in names)
            parts.append(100 * mine / whole if whole else 0)
        below.bar(range(len(levels)), parts, 0.72, bottom, color=colour, label=label, zorder=3)
        for n, part in enumerate(parts):
            bottom[n] += part

    for name, colour in zip(named, KERNEL_COLOURS):
        stack({name}, name, colour)
    if rest:
        stack(set(rest), f"{len(rest)} others", REST_COLOUR)
    below.set_ylim(0, 100)
    below.set_ylabel("% of the level's time")
    below.set_xticks(
        range(len(levels)),
        [f"{n}\n{cells_text(level['cells'])}" for n, level in enumerate(levels)],
        fontsize=8,
    )
    below.set_xlabel("level")
    handles, labels = below.get_legend_handles_labels()
    below.legend(
        handles[::-1],
        labels[::-1],
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
    )
    text, _ = title(bench)
    above.set_title(text, fontsize=10, loc="left")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        prog="plot.py", description="Draws what gmg bench --output wrote."
    )
    parser.add_argument("json")
    parser.add_argument("--roofline", metavar="FILE.png")
    parser.add_argument("--levels", metavar="FILE.png")
    asked = parser.parse_args()
    bench = read(asked.json)
    try:
        import matplotlib
    except ImportError:
        return NO_MATPLOTLIB
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    stem = os.path.splitext(asked.json)[0]
    both = not asked.roofline and not asked.levels
    if asked.roofline or both:
        draw_roofline(bench, asked.roofline or f"{stem}-roofline.png", plt)
    if asked.levels or both:
        draw_levels(bench, asked.levels or f"{stem}-levels.png", plt)
    return 0


if __name__ == "__main__":
    sys.exit(main())
