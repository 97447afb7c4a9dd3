# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots as SVG, and as PNG where a converter is installed: lines and points on linear or logarithmic axes, and bars
along a line of time. Colours are those of a light page, of a dark one, or of the reader's choice (`auto`)."""

import math
import os
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

# Okabe and Ito, 2008; on a dark page the dark ones are brighter.
LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
DARK = ["#56b4e9", "#ff8c42", "#2fd6a3", "#e6a3c8", "#f0c04a", "#9ad4f5", "#ffffff"]
PAPER = {"light": ("#ffffff", "#222222", "#dddddd", "#333333"), "dark": ("#15191e", "#e4e7ea", "#39414a", "#b8c0c8")}
THEMES = ("light", "dark", "auto")
WIDTH, HEIGHT = 820, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 46, 52


# ---- pages ------------------------------------------------------------------------------------

def rules(theme):
    """Style of the classes that the pictures use."""
    back, words, grid, axis = PAPER[theme]
    found = [".back{fill:%s}" % back, "text,.words{fill:%s}" % words, ".grid{stroke:%s}" % grid, ".axis{stroke:%s}" % axis,
             ".ground{fill:%s}" % grid]
    for k, colour in enumerate(DARK if theme == "dark" else LIGHT):
        found.append(".s%d{stroke:%s}.f%d{fill:%s}" % (k, colour, k, colour))
    return "".join(found)


def style(theme):
    if theme == "auto":
        return rules("light") + "@media (prefers-color-scheme: dark){%s}" % rules("dark")
    return rules(theme)


def page(width, height, parts, theme):
    head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
            'font-family="sans-serif" font-size="12">' % (width, height, width, height))
    return "\n".join([head, "<style>%s</style>" % style(theme), '<rect width="100%" height="100%" class="back"/>', *parts,
                      "</svg>", ""])


def text(x, y, words, anchor="start", more=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>' % (x, y, anchor, more, escape(str(words)))


def line(x1, y1, x2, y2, kind, more=""):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s" %s/>' % (x1, y1, x2, y2, kind, more)


def fit(words, most):
    """Its end says most of a name."""
    return words if len(words) <= most else "..." + words[3 - most:]


def title_of(words):
    return text(16, 24, words, more='font-weight="bold" font-size="15"')


def converter(source, target):
    """A command that makes a PNG of an SVG, twice as large; None: there is none."""
    if shutil.which("rsvg-convert"):
        return ["rsvg-convert", "--zoom", "2", source, "-o", target]
    if shutil.which("inkscape"):
        return ["inkscape", source, "--export-type=png", "--export-dpi=192", "-o", target]
    if subprocess.run([sys.executable, "-c", "import cairosvg"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "cairosvg", source, "-o", target, "--scale", "2"]
    return None


def save(path, svg):
    """Writes SVG, or PNG if the name ends so. Returns what went wrong, or None."""
    if not path.endswith(".png"):
        with open(path, "w") as file:
            file.write(svg)
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plot.svg")
        with open(source, "w") as file:
            file.write(svg)
        command = converter(source, path)
        if not command:
            return "%s: a PNG needs rsvg-convert (Debian: librsvg2-bin), inkscape or Python's cairosvg; or name an .svg" % path
        done = subprocess.run(command, capture_output=True, text=True)
        return None if done.returncode == 0 else "%s: %s" % (command[0], done.stderr.strip())


# ---- axes -------------------------------------------------------------------------------------

def ticks(most):
    """From 0 to beyond `most`, in steps of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(most / 5)) if most > 0 else 1
    step = next(s * power for s in (1, 2, 5, 10) if most / (s * power) <= 6)
    return [k * step for k in range(math.ceil(most / step) + 1)]


class Axis:
    """Where values are between 0 and 1, and which get a mark. kind: "from 0", "log2", "log10" or "each" (each value
    has a mark)."""

    def __init__(self, values, kind):
        self.kind = kind
        if kind == "from 0":
            self.ticks = ticks(max(values))
            self.low, self.high = 0, self.ticks[-1]
        elif kind == "log10":
            self.low, self.high = math.log10(min(values)) - 0.05, math.log10(max(values)) + 0.05
            least = 1 if self.high - self.low > 2.5 else 3  # marks a decade
            steps = (1,) if least == 1 else (1, 2, 5)
            powers = range(math.floor(self.low), math.ceil(self.high) + 1)
            self.ticks = [s * 10.0 ** p for p in powers for s in steps if self.low <= math.log10(s * 10.0 ** p) <= self.high]
        else:
            self.low, self.high = self.of(min(values)), self.of(max(values))
            self.ticks = sorted(set(values))
            if kind == "log2":
                self.ticks = [2 ** k for k in range(math.ceil(self.low), math.floor(self.high) + 1)]

    def of(self, value):
        return math.log2(value) if self.kind == "log2" else math.log10(value) if self.kind == "log10" else value

    def __call__(self, value):
        return (self.of(value) - self.low) / ((self.high - self.low) or 1)


# ---- lines and points -------------------------------------------------------------------------

class Series:
    """Points (x, y) in the order of x; those with a y of None are left out. `mark`: an x drawn large. `joined`: by a
    line. `names`: what a reader sees over each point. No label: not in the legend."""

    def __init__(self, label, points, colour=0, dashed=False, mark=None, joined=True, names=None):
        self.label, self.dashed, self.mark, self.joined = label, dashed, mark, joined
        self.points = [(x, y) for x, y in points if y is not None]
        self.names = names or [""] * len(self.points)
        self.colour = colour % len(LIGHT)


class Plot:
    def __init__(self, title, x_label, y_label, series, log2=False, log=False, theme="light"):
        self.title, self.labels, self.theme = title, (x_label, y_label), theme
        self.series = [s for s in series if s.points]
        xs = [x for s in self.series for x, _ in s.points]
        ys = [y for s in self.series for _, y in s.points]
        self.across = Axis(xs, "log10" if log else "log2" if log2 else "each")
        self.up = Axis(ys, "log10" if log else "from 0")
        self.parts = []

    def x(self, value):
        return LEFT + self.across(value) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - self.up(value) * (HEIGHT - TOP - BOTTOM)

    def axes(self):
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for value in self.up.ticks:
            y = self.y(value)
            self.parts += [line(LEFT, y, right, y, "grid"), text(LEFT - 8, y + 4, "%g" % value, "end")]
        for value in self.across.ticks:
            x = self.x(value)
            self.parts += [line(x, bottom, x, bottom + 5, "axis"), text(x, bottom + 19, "%g" % value, "middle")]
        middle = (TOP + bottom) / 2
        self.parts += [line(LEFT, bottom, right, bottom, "axis"), line(LEFT, TOP, LEFT, bottom, "axis"), title_of(self.title),
                       text((LEFT + right) / 2, HEIGHT - 12, self.labels[0], "middle"),
                       text(18, middle, self.labels[1], "middle", 'transform="rotate(-90 18 %.1f)"' % middle)]

    def curve(self, s):
        points = " ".join("%.1f,%.1f" % (self.x(x), self.y(y)) for x, y in s.points)
        if s.joined:
            self.parts.append('<polyline points="%s" fill="none" class="s%d" stroke-width="2"%s/>'
                              % (points, s.colour, ' stroke-dasharray="5 4"' if s.dashed else ""))
        for (x, y), name in zip(s.points, s.names):
            size = 6 if x == s.mark else 2.5 if s.joined else 4
            if s.joined and s.dashed is None:  # a line without points
                continue
            self.parts.append('<circle cx="%.1f" cy="%.1f" r="%g" class="f%d">%s</circle>'
                              % (self.x(x), self.y(y), size, s.colour, name and "<title>%s</title>" % escape(name)))

    def legend(self):
        x = WIDTH - RIGHT + 18
        for k, s in enumerate(s for s in self.series if s.label):
            y = TOP + 8 + 20 * k
            if s.joined:
                self.parts.append(line(x, y, x + 26, y, "s%d" % s.colour, 'stroke-width="2"%s' % (
                    ' stroke-dasharray="5 4"' if s.dashed else "")))
            else:
                self.parts.append('<circle cx="%.1f" cy="%.1f" r="4" class="f%d"/>' % (x + 13, y, s.colour))
            self.parts.append(text(x + 33, y + 4, fit(s.label, 27)))

    def svg(self):
        self.axes()
        for s in self.series:
            self.curve(s)
        self.legend()
        return page(WIDTH, HEIGHT, self.parts, self.theme)


# ---- time -------------------------------------------------------------------------------------

class Timeline:
    """Rows of bars: {row: [(start, seconds, colour, name)]}, in seconds from 0. `legend`: (colour, words)."""
    ROW, LEFT = 30, 150

    def __init__(self, title, rows, legend, theme="light"):
        self.title, self.rows, self.legend, self.theme = title, rows, legend, theme
        self.end = max((s + d for bars in rows.values() for s, d, _, _ in bars), default=1) or 1
        self.unit, self.scale = ("s", 1) if self.end >= 2 else ("ms", 1e3) if self.end >= 2e-3 else ("us", 1e6)

    def x(self, seconds):
        return self.LEFT + seconds / self.end * (WIDTH - self.LEFT - 24)

    def svg(self):
        bottom = 76 + self.ROW * len(self.rows)
        parts, at = [title_of(self.title)], self.LEFT
        for colour, words in self.legend:
            parts += ['<rect x="%d" y="40" width="12" height="12" class="f%d"/>' % (at, colour), text(at + 17, 50, words)]
            at += 40 + 7 * len(words)
        for value in ticks(self.end * self.scale):
            if value <= self.end * self.scale * 1.0001:
                x = self.x(value / self.scale)
                parts += [line(x, 64, x, bottom, "grid"), text(x, bottom + 16, "%g" % value, "middle")]
        for k, (name, bars) in enumerate(self.rows.items()):
            y = 70 + self.ROW * k
            parts.append(text(self.LEFT - 8, y + 14, fit(name, 24), "end"))
            for start, seconds, colour, words in bars:
                width = max(self.x(start + seconds) - self.x(start), 0.8)  # a short bar is seen, too
                parts.append('<rect x="%.2f" y="%d" width="%.2f" height="20" class="f%d"><title>%s</title></rect>'
                             % (self.x(start), y, width, colour, escape(words)))
        parts.append(text((self.LEFT + WIDTH) / 2, bottom + 36, self.unit, "middle"))
        return page(WIDTH, bottom + 48, parts, self.theme)
