#!/usr/bin/env python3
"""Draws what `gmg tune --record FILE.json` wrote: for each search the seconds of its candidates
over two of their choices, and which candidate was chosen.

usage: plot_surface.py FILE.json [--output FILE.png] [--most N]

Without --output the picture goes beside the JSON. --most: searches that are drawn, those whose
candidates take longest first; default 6.
Exit status: 0 drawn, 2 bad arguments or input, 4 matplotlib is not installed."""
import argparse
import json
import math
import os
import sys

BAD_INPUT, NO_MATPLOTLIB = 2, 4
COLOURS = "viridis_r"
ALONE, TOGETHER = 1, 2
# Two choices that a surface has as axes, by the names of all choices; and which candidates it has.
BLOCK = "block_i", "block_j"
STRIP, TILE = ("rows", "stages"), ("tile_rows", "tile_planes")


def refuse(text):
    print(f"plot_surface.py: {text}", file=sys.stderr)
    sys.exit(BAD_INPUT)


def read(path):
    try:
        with open(path, encoding="utf-8") as stream:
            record = json.load(stream)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {error}")
    if not isinstance(record, dict) or record.get("format") != "gmg-tune":
        refuse(f"{path} is not what gmg tune --record writes")
    return record["searches"]


def timed(search):
    """Candidates as (choices by name, seconds), without those that were discarded."""
    names = search["choices"]
    for *values, seconds in search["candidates"]:
        if seconds is not None:
            yield dict(zip(names, values)), seconds


def axes_of(search):
    """The two choices to draw, and the value of `passes` that candidates must have, or None. On the
    CPU those of the candidate that was chosen, or if that is by the rules those with more points.
    """
    if "block_i" in search["choices"]:
        return BLOCK, None
    chosen = dict(zip(search["choices"], search.get("chosen", search["begin"])["values"]))
    passes = chosen.get("passes")
    if not passes:
        found = [choices["passes"] for choices, _ in timed(search)]
        passes = TOGETHER if found.count(TOGETHER) >= found.count(ALONE) else ALONE
    return (STRIP if passes == TOGETHER else TILE), passes


def surface(search, axes, passes):
    """The least seconds of all candidates at each place."""
    least = {}
    for choices, seconds in timed(search):
        place = choices[axes[0]], choices[axes[1]]
        if passes in (None, choices.get("passes")) and 0 not in place:
            least[place] = min(seconds, least.get(place, math.inf))
    return least


def rounded(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            break
    return f"{float(f'{seconds * factor:.3g}'):g} {unit}"


def short(search):
    """What was searched, in a line or two."""
    subject = search["subject"].removeprefix("kernel ").replace(" x ", "×")
    return f"{search['problem'].replace(' x ', '×')}\n{subject}"


def mark(axes, search, names, places):
    """The candidate that was chosen, and the one that the search began with, where they are in the
    picture. Returns what is said of them."""
    said = []
    for which, colour, word in (("begin", "black", "default"), ("chosen", "#d1322d", "chosen")):
        if which not in search:
            continue
        choices = dict(zip(search["choices"], search[which]["values"]))
        place = choices[names[0]], choices[names[1]]
        seconds = search[which]["seconds"]
        said.append(f"{word} {rounded(seconds) if seconds is not None else 'cannot run'}")
        if place in places:
            size = 190 if which == "begin" else 110
            axes.scatter(
                *places[place],
                s=size,
                marker="s",
                facecolor="none",
                edgecolor=colour,
                lw=2,
                zorder=3,
            )
        elif 0 in place:
            said[-1] += " (by the rules)"
    return ", ".join(said)


def draw_one(figure, axes, search, plt):
    names, passes = axes_of(search)
    least = surface(search, names, passes)
    values = [sorted({place[n] for place in least}) for n in (0, 1)]
    places = {place: (values[0].index(place[0]), values[1].index(place[1])) for place in least}
    best = min(least.values())
    points = axes.scatter(
        [place[0] for place in places.values()],
        [place[1] for place in places.values()],
        c=[seconds / best for seconds in least.values()],
        s=330,
        marker="s",
        cmap=plt.get_cmap(COLOURS),
        norm=plt.matplotlib.colors.LogNorm(1, max(1.05, max(least.values()) / best)),
    )
    bar = figure.colorbar(points, ax=axes, pad=0.02)
    bar.ax.yaxis.set_major_formatter(lambda ratio, _: f"{ratio:.3g}")
    bar.ax.yaxis.set_minor_formatter(lambda ratio, _: f"{ratio:.3g}")
    bar.ax.tick_params(which="both", labelsize=7)
    axes.set_xticks(range(len(values[0])), values[0], fontsize=8)
    axes.set_yticks(range(len(values[1])), values[1], fontsize=8)
    axes.set_xlim(-0.7, len(values[0]) - 0.3)
    axes.set_ylim(-0.7, len(values[1]) - 0.3)
    axes.set_xlabel(names[0], fontsize=8)
    axes.set_ylabel(names[1], fontsize=8)
    said = mark(axes, search, names, places)
    axes.set_title(f"{short(search)}\n{said}", fontsize=7.5, loc="left")


def has_points(search):
    return bool(surface(search, *axes_of(search)))


def draw(searches, path, plt):
    across = min(len(searches), 3)
    down = -(-len(searches) // across)
    figure, grid = plt.subplots(
        down, across, figsize=(4.6 * across, 3.5 * down + 0.3), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(searches) :]:
        axes.set_axis_off()
    for axes, search in zip(grid.flat, searches):
        draw_one(figure, axes, search, plt)
    figure.suptitle(
        "colour: time over that of the fastest; a place has the fastest of all candidates there; "
        "black: where the search began, red: what it chose",
        fontsize=8,
        x=0.01,
        ha="left",
        wrap=True,
    )
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        prog="plot_surface.py", description="Draws what gmg tune --record wrote."
    )
    parser.add_argument("json")
    parser.add_argument("--output", metavar="FILE.png")
    parser.add_argument("--most", type=int, default=6)
    asked = parser.parse_args()
    searches = [search for search in read(asked.json) if has_points(search)]
    if not searches:
        refuse(f"{asked.json} has no candidate that was timed")
    searches.sort(key=lambda search: -min(seconds for _, seconds in timed(search)))
    try:
        import matplotlib
    except ImportError:
        return NO_MATPLOTLIB
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    path = asked.output or f"{os.path.splitext(asked.json)[0]}.png"
    draw(searches[: max(asked.most, 1)], path, plt)
    return 0


if __name__ == "__main__":
    sys.exit(main())
