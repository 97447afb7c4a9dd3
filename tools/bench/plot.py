# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Line plots as SVG."""

import math
from xml.sax.saxutils import escape

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]  # Okabe and Ito, 2008
WIDTH, HEIGHT = 820, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 46, 52


class Series:
    """Points (x, y) in the order of x; those with a y of None are left out. `mark`: an x drawn large."""

    def __init__(self, label, points, colour=0, dashed=False, mark=None):
        self.label, self.dashed, self.mark = label, dashed, mark
        self.points = [(x, y) for x, y in points if y is not None]
        self.colour = COLOURS[colour % len(COLOURS)]


def ticks(most):
    """From 0 to beyond `most`, in steps of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(most / 5)) if most > 0 else 1
    step = next(s * power for s in (1, 2, 5, 10) if most / (s * power) <= 6)
    return [k * step for k in range(math.ceil(most / step) + 1)]


class Plot:
    def __init__(self, title, x_label, y_label, series, log2=False):
        self.title, self.labels, self.log2 = title, (x_label, y_label), log2
        self.series = [s for s in series if s.points]
        xs = [x for s in self.series for x, _ in s.points]
        self.y_ticks = ticks(max(y for s in self.series for _, y in s.points))
        self.x_low, self.x_high = self.at(min(xs)), self.at(max(xs))
        if log2:
            self.x_ticks = [2 ** k for k in range(math.ceil(self.x_low), math.floor(self.x_high) + 1)]
        else:
            self.x_ticks = sorted(set(xs))
        self.parts = []

    def at(self, x):
        return math.log2(x) if self.log2 else x

    def x(self, value):
        span = self.x_high - self.x_low or 1
        return LEFT + (self.at(value) - self.x_low) / span * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.y_ticks[-1] * (HEIGHT - TOP - BOTTOM)

    def line(self, x1, y1, x2, y2, colour, more=""):
        self.parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" %s/>'
                          % (x1, y1, x2, y2, colour, more))

    def text(self, x, y, words, anchor="middle", more=""):
        self.parts.append('<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>'
                          % (x, y, anchor, more, escape(str(words))))

    def axes(self):
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for value in self.y_ticks:
            y = self.y(value)
            self.line(LEFT, y, right, y, "#dddddd")
            self.text(LEFT - 8, y + 4, "%g" % value, "end")
        for value in self.x_ticks:
            x = self.x(value)
            self.line(x, bottom, x, bottom + 5, "#333333")
            self.text(x, bottom + 19, "%g" % value)
        self.line(LEFT, bottom, right, bottom, "#333333")
        self.line(LEFT, TOP, LEFT, bottom, "#333333")
        self.text(LEFT, 24, self.title, "start", 'font-weight="bold" font-size="15"')
        self.text((LEFT + right) / 2, HEIGHT - 12, self.labels[0])
        middle = (TOP + bottom) / 2
        self.text(18, middle, self.labels[1], "middle", 'transform="rotate(-90 18 %.1f)"' % middle)

    def curve(self, s):
        points = " ".join("%.1f,%.1f" % (self.x(x), self.y(y)) for x, y in s.points)
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>'
                          % (points, s.colour, ' stroke-dasharray="5 4"' if s.dashed else ""))
        for x, y in s.points:
            self.parts.append('<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>'
                              % (self.x(x), self.y(y), 6 if x == s.mark else 2.5, s.colour))

    def legend(self):
        x = WIDTH - RIGHT + 18
        for k, s in enumerate(self.series):
            y = TOP + 8 + 20 * k
            self.line(x, y, x + 26, y, s.colour, 'stroke-width="2"%s' % (
                ' stroke-dasharray="5 4"' if s.dashed else ""))
            self.text(x + 33, y + 4, s.label, "start")

    def svg(self):
        self.axes()
        for s in self.series:
            self.curve(s)
        self.legend()
        head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
                'font-family="sans-serif" font-size="12" fill="#222222">' % (WIDTH, HEIGHT, WIDTH, HEIGHT))
        return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *self.parts, "</svg>", ""])
