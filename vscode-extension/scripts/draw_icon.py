"""Draws media/icon.png: the outputs on two neighbouring inputs, and the event that tells them apart.

python vscode-extension/scripts/draw_icon.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("agg")

from matplotlib import pyplot as plt
from matplotlib.patches import FancyBboxPatch

PIXELS = 256
GROUND, FIRST, SECOND, EVENT = "#1d2b4f", "#7fb4ff", "#ffffff", "#ff6b5e"


def main() -> None:
    """Two bell curves over each other; where the second one is far likelier than the first is the event."""
    figure = plt.figure(figsize=(1, 1), dpi=PIXELS)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    box = FancyBboxPatch((0.18, 0.18), 0.64, 0.64, boxstyle="round,pad=0.18,rounding_size=0.2", fc=GROUND, ec="none")
    axes.add_patch(box)
    x = np.linspace(0.1, 0.9, 400)
    first, second = _bell(x, 0.4), _bell(x, 0.6)
    event = x >= 0.665
    axes.fill_between(x[event], 0.22, second[event], color=EVENT, lw=0)
    axes.plot(x, first, color=FIRST, lw=4.2, solid_capstyle="round")
    axes.plot(x, second, color=SECOND, lw=4.2, solid_capstyle="round")
    axes.plot([0.1, 0.9], [0.22, 0.22], color=SECOND, lw=2.2, alpha=0.55, solid_capstyle="round")
    target = Path(__file__).resolve().parent.parent / "media" / "icon.png"
    figure.savefig(target, dpi=PIXELS, transparent=True)


def _bell(x: np.ndarray, centre: float) -> np.ndarray:
    return 0.22 + 0.54 * np.exp(-(((x - centre) / 0.15) ** 2))


if __name__ == "__main__":
    main()
