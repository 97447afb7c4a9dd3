# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the spatial-temporal diagrams of N. Prasetya's thesis (2022), figures 3.1, 3.3, 4.4 and 4.6,
for the parameters of its tables 3.1 and 3.2, and compares each cell of them with a simulation of
its own.

    cache_figures.py STENCIL-SIM DIR

The SVGs stay in DIR. A column of the diagrams is a thread, a row a line of four floats.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree
from collections import OrderedDict

from cache_runs import Product, Stencil, run

LINE_CELLS = 4
SVG = "{http://www.w3.org/2000/svg}"


def places(case):
    """Outputs (x, y) in the threads' order: equations 4.1 to 4.6, for whole columns."""
    for left in range(0, case.iw, case.w):
        width = min(case.w, case.iw - left)
        for i in range(width * case.ih):
            yield left + i % width, i // width


def clamp(n, extent):
    return max(0, min(extent - 1, n))


def stencil_reads(case, x, y):
    for dy in range(case.sh):
        for dx in range(case.sw):
            row, column = clamp(y + dy - case.sh // 2, case.ih), clamp(x + dx - case.sw // 2, case.iw)
            yield (row * case.pitch + column) // LINE_CELLS


def product_reads(case, x, y):
    """B's lines come below A's."""
    lines_of_a = case.d * case.ih // LINE_CELLS
    for k in range(case.d):
        yield (y * case.d + k) // LINE_CELLS
        yield lines_of_a + (k * case.iw + x) // LINE_CELLS


def simulate(case, lines):
    """For each kind of mark, its cells (thread, line)."""
    reads = stencil_reads if isinstance(case, Stencil) else product_reads
    cells = {"fetched": set(), "hit": set(), "resident": set()}
    cache = OrderedDict()  # the line used last is the last one
    for thread, (x, y) in enumerate(places(case)):
        used = set()
        for line in reads(case, x, y):
            used.add(line)
            if line in cache:
                cache.move_to_end(line)
                continue
            cells["fetched"].add((thread, line))
            cache[line] = True
            if len(cache) > lines:
                cache.popitem(last=False)
        cells["hit"] |= {(thread, line) for line in used} - cells["fetched"]
        cells["resident"] |= {(thread, line) for line in cache if line not in used}
    return cells


def drawn(path):
    """The same, from the diagram."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg", root.tag
    cells = {}
    for group in root.iter(SVG + "g"):
        kind = group.get("class")
        if not kind:
            continue
        cells[kind] = set()
        for mark in group.iter(SVG + "rect"):
            x, y, width = (int(mark.get(name)) for name in ("x", "y", "width"))
            assert mark.get("height") == "1"
            new = {(x + i, y) for i in range(width)}
            assert not new & cells[kind]
            cells[kind] |= new
    return cells, [text.text for text in root.iter(SVG + "text")]


def binned(cells, last, threads, lines):
    """The cells of a diagram that draws so many threads in a column and lines in a row: fetched
    comes before hit, and that before what is resident at the column's end."""
    def group(kind):
        return {(thread // threads, line // lines) for thread, line in kind}

    fetched, hit = group(cells["fetched"]), group(cells["hit"])
    late = {cell for cell in cells["resident"] | cells["hit"] | cells["fetched"]
            if cell[0] % threads == threads - 1 or cell[0] == last}
    return {"fetched": fetched, "hit": hit - fetched, "resident": group(late) - hit - fetched}


# A column is 8 threads there and a row 8 lines: at most 2048 and 1024 are drawn of 16384 and, with
# the output's, of 8192.
LARGE = Stencil(128, 128, 5, 5, 32, 128)

FIGURES = (("figure-3.1", Stencil(16, 16, 7, 7, 16, 16), 24, 64),
           ("figure-4.4", Stencil(16, 16, 7, 7, 4, 16), 24, 64),
           ("figure-3.3", Product(16, 16, 16, 16, 16), 32, 128),
           ("figure-4.6", Product(16, 16, 16, 4, 16), 32, 128))
WORDS = ("time (threads, in their order)", "address (lines of 16 bytes)", "argument 0",
         "resident: in the cache, not accessed", "hit: accessed, in the cache",
         "fetched: brought into the cache")


def main():
    simulator, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for name, case, lines, rows in FIGURES:
        path = os.path.join(folder, name + ".svg")
        run(simulator, case, lines, LINE_CELLS, "--plot", path)
        expected, (cells, texts) = simulate(case, lines), drawn(path)
        same = cells == expected and all(word in texts for word in WORDS)
        inside = all(x < 256 and y < rows for kind in cells.values() for x, y in kind)
        failed += not (same and inside)
        counts = ", ".join(f"{len(cells[kind])} {kind}" for kind in ("fetched", "hit", "resident"))
        print(f"{name}: {counts}: {'as expected' if same and inside else 'FAILED'}")
    path = os.path.join(folder, "large.svg")
    run(simulator, LARGE, 60, LINE_CELLS, "--plot", path)
    same = drawn(path)[0] == binned(simulate(LARGE, 60), 16383, 8, 8)
    print(f"large: {'as expected' if same else 'FAILED'}")
    return failed + (not same) != 0


if __name__ == "__main__":
    sys.exit(main())
