"""The pictures of tests/bench/paper_figures.py."""
import paper_numbers as paper
from paper_page import BACKENDS, WAY_TEXT, finest, groups_of, pairs_of, title_of

COLOURS = {
    "VC GSRB": "#1f4e79",
    "VC Jacobi": "#d1793b",
    "CC GSRB": "#4a9d6f",
    "CC Jacobi": "#b8433f",
}
SERIES = [
    ("alone", "default", "#c9d9e8"),
    ("alone", "tuned", "#1f4e79"),
    ("passes", "default", "#f2d5bd"),
    ("passes", "tuned", "#d1793b"),
]
COMPILERS = ["#1f4e79", "#d1793b", "#4a9d6f", "#b8433f"]
WHICH_TEXT = {"default": "by the rules", "tuned": "tuned"}


def panels(plt, count, height):
    figure, grid = plt.subplots(
        1, count, figsize=(max(5.5 * count, 6.5), height), squeeze=False, layout="constrained"
    )
    for axes in grid[0]:
        axes.grid(True, axis="y", color="#e6e6e6", lw=0.6, zorder=0)
    return figure, grid[0]


def save(figure, plt, path):
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path


def heading(group):
    """Its parts on lines that are about as long."""
    words = title_of(group).replace(" (", "\n(", 1).split(", ")
    return ", ".join(words[:-2]) + ",\n" + ", ".join(words[-2:])


def combinations_of(groups):
    return [
        name
        for name in paper.COMBINATIONS
        if any((name, way) in group["runs"] for group in groups for way in WAY_TEXT)
    ]


def draw_figure_5(groups, path, plt):
    """Milliseconds of a smooth, with what they would be at the rate of the triad."""
    figure, row = panels(plt, len(groups), 4.2)
    names = combinations_of(groups)
    for axes, group in zip(row, groups):
        for place, (way, which, colour) in enumerate(SERIES):
            bars = [
                (n, 1e3 * finest(run, which)["seconds"])
                for n, name in enumerate(names)
                if (run := group["runs"].get((name, way))) and run["levels"]
            ]
            if bars:
                axes.bar(
                    [n + 0.2 * (place - 1.5) for n, _ in bars],
                    [time for _, time in bars],
                    0.19,
                    color=colour,
                    label=f"{WAY_TEXT[way]}, {WHICH_TEXT[which]}",
                    zorder=3,
                )
        bounds = [
            (n, 1e3 * finest(run, "default")["bytes"] / group["triad"])
            for n, name in enumerate(names)
            if (run := group["runs"].get((name, "alone"))) and run["levels"]
        ]
        axes.plot(
            [n - 0.2 for n, _ in bounds],
            [bound for _, bound in bounds],
            ls="",
            marker="o",
            mfc="none",
            mec="black",
            label="its bytes at the triad's rate",
            zorder=4,
        )
        axes.set_xticks(range(len(names)), names, fontsize=9)
        axes.set_title(heading(group), fontsize=8.5, loc="left")
        axes.set_ylabel("ms for a smooth of the finest level")
    row[-1].legend(fontsize=7.5)
    return save(figure, plt, path)


def draw_figure_6(groups, path, plt):
    figure, row = panels(plt, len(groups), 4.4)
    for axes, group in zip(row, groups):
        for (name, way), run in group["runs"].items():
            axes.plot(
                [level["cells"][0] for level in run["levels"]],
                [1e6 * level["tuned"]["seconds"] for level in run["levels"]],
                color=COLOURS[name],
                ls="-" if way == "alone" else ":",
                marker="o" if way == "alone" else ".",
                ms=5,
                label=f"{name}, {WAY_TEXT[way]}",
            )
        reference = group["runs"].get(("VC GSRB", "alone"))
        if reference and reference["levels"]:
            first = 1e6 * finest(reference, "tuned")["seconds"]
            sizes = [group["cells"] >> level for level in range(paper.LEVELS)]
            scaled = [first / 8**level for level in range(paper.LEVELS)]
            axes.plot(sizes, scaled, color="#777777", ls="--", lw=1, label="perfect scaling")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        sizes = sorted(
            {level["cells"][0] for run in group["runs"].values() for level in run["levels"]}
        )
        axes.set_xticks(sizes, [f"{size}³" for size in sizes])
        axes.invert_xaxis()
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        axes.set_title(heading(group), fontsize=8.5, loc="left")
        axes.set_ylabel("µs for a smooth, tuned")
        axes.set_xlabel("level")
    row[-1].legend(fontsize=7)
    return save(figure, plt, path)


def draw_pair(axes, groups, way):
    names = combinations_of(groups)
    width = 0.8 / (2 * len(groups))
    for number, group in enumerate(groups):
        for place, which in enumerate(("default", "tuned")):
            bars = [
                (n, 1e3 * finest(run, which)["seconds"])
                for n, name in enumerate(names)
                if (run := group["runs"].get((name, way))) and run["levels"]
            ]
            axes.bar(
                [n - 0.4 + width * (2 * number + place + 0.5) for n, _ in bars],
                [time for _, time in bars],
                0.94 * width,
                color=COMPILERS[number % len(COMPILERS)],
                alpha=0.4 if which == "default" else 1,
                label=f"{group['name']}, {WHICH_TEXT[which]}",
                zorder=3,
            )
    axes.set_xticks(range(len(names)), names, fontsize=9)
    axes.set_ylabel("ms for a smooth of the finest level")
    axes.set_title(f"{BACKENDS[groups[0]['backend']]}, {WAY_TEXT[way]}", fontsize=9, loc="left")


def draw_figure_8(groups, path, plt):
    """None where no two targets can be compared."""
    pairs = [alike for backend in BACKENDS if (alike := pairs_of(groups, backend))]
    shown = [
        (alike, way)
        for alike in pairs
        for way in WAY_TEXT
        if any(key[1] == way for key in alike[0]["runs"])
    ]
    if not shown:
        return None
    figure, row = panels(plt, len(shown), 4)
    for axes, (alike, way) in zip(row, shown):
        draw_pair(axes, alike, way)
        axes.legend(fontsize=7.5)
    return save(figure, plt, path)


def draw_all(measured, stem):
    """Returns the number and the file of each figure that there was something for."""
    import matplotlib.pyplot as plt

    groups = [
        group
        for group in groups_of(measured)
        if any(run["levels"] for run in group["runs"].values())
    ]
    drawn = []
    for number, draw in ((5, draw_figure_5), (6, draw_figure_6), (8, draw_figure_8)):
        path = draw(groups, f"{stem}-figure-{number}.png", plt) if groups else None
        if path:
            print(f"drew {path}")
            drawn.append((number, path))
    return drawn
