# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far something is: a bar on a terminal, written anew in its place; a line each time elsewhere."""

import shutil
import sys
import time


def duration(seconds):
    seconds = int(seconds + 0.5)
    return "%d s" % seconds if seconds < 100 else "%d min" % (seconds // 60) if seconds < 6000 else "%.1f h" % (seconds / 3600)


class Progress:
    """Of `count` steps. Use it in a with statement: the bar is gone afterwards."""
    BAR = 24

    def __init__(self, what, count, out=sys.stderr):
        self.what, self.count, self.out, self.done = what, max(count, 1), out, 0
        self.begin, self.drawn = time.monotonic(), out.isatty()

    def __enter__(self):
        self.show("")
        return self

    def __exit__(self, *_):
        if self.drawn:
            print("\r\x1b[K", end="", file=self.out, flush=True)

    def left(self):
        used = time.monotonic() - self.begin
        return ", %s left" % duration(used / self.done * (self.count - self.done)) if 0 < self.done < self.count else ""

    def show(self, words):
        if not self.drawn:
            return
        full = self.BAR * self.done // self.count
        text = "%s [%s%s] %d of %d%s  %s" % (self.what, "#" * full, "." * (self.BAR - full), self.done, self.count, self.left(),
                                           words)
        print("\r\x1b[K" + text[:shutil.get_terminal_size().columns - 1], end="", file=self.out, flush=True)

    def step(self, words=""):
        """One more is done."""
        self.done += 1
        self.show(words)
        if not self.drawn:
            print("%s %d of %d  %s" % (self.what, self.done, self.count, words), file=self.out, flush=True)
