"""A sweep as a picture: p-values by tested epsilon, as figures 2 to 4 of Ding et al. (CCS 2018), and exact deltas."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplint.outcomes import Curve
from dplint.report import numerals
from dplint.report.curve_words import line_name

COLOURS = ("#1f5fa8", "#d9701a", "#2c8a4b", "#a03a8f", "#178a94", "#b3262b")
MARKERS = ("o", "s", "^", "D", "v", "P")


def write_svg(curve: Curve, path: Path) -> None:
    """Write the picture. The same curve makes the same bytes. Raises OSError if the file cannot be written."""
    with mpl.rc_context({"svg.hashsalt": "dplint", "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for i, line in enumerate(curve.lines):
            colour = COLOURS[i % len(COLOURS)]
            points = sorted(line.points, key=lambda point: point.epsilon)
            axes.plot(
                [point.epsilon for point in points],
                [point.p_value for point in points],
                color=colour,
                marker=MARKERS[i % len(MARKERS)],
                markersize=4.5,
                linewidth=1.4,
                label=line_name(line),
                clip_on=False,
                zorder=3,
            )
            axes.axvline(line.claimed, color=colour, linestyle="--", linewidth=1.0, zorder=1)
        axes.axhline(curve.level, color="#777777", linestyle=":", linewidth=1.0, zorder=1)
        axes.annotate(
            f"level {numerals.short(curve.level)}",
            xy=(1.0, curve.level),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="right",
            color="#777777",
            fontsize=8,
        )
        _draw_exact(curve, axes)
        axes.set_ylim(0.0, 1.0)
        axes.set_xlabel("tested ε")
        axes.set_ylabel("p-value")
        axes.set_title(f"{curve.mechanism.qualname} (dashed: the claimed ε)", fontsize=11, pad=10)
        axes.grid(visible=True, color="#e6e6e6", linewidth=0.7)
        if curve.lines:
            axes.legend(frameon=False, loc="best")
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "dplint"})


def _draw_exact(curve: Curve, axes: Axes) -> None:
    """The deltas of the lines that were computed, on an axis of their own at the right."""
    if not any(line.exact is not None and line.exact.deltas for line in curve.lines):
        return
    right = axes.twinx()
    right.spines["right"].set_visible(True)
    for i, line in enumerate(curve.lines):
        deltas = () if line.exact is None else line.exact.deltas
        right.plot(
            [one.epsilon for one in deltas],
            [one.delta.middle for one in deltas],
            color=COLOURS[i % len(COLOURS)],
            linestyle=(0, (1, 1.2)),
            linewidth=1.6,
        )
    right.set_ylim(bottom=0.0)
    right.set_ylabel("exact δ of the worst pair (dotted)")
