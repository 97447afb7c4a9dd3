# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of cache-kernels.ll under stencil-sim's cache view."""

import os
import subprocess
from dataclasses import dataclass

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cache-kernels.ll")
BLOCK = 256


@dataclass
class Stencil:
    """iw x ih outputs, an sw x sh neighbourhood, columns of width w in bands of height h. The input
    has `pad` more cells on each side, and rows of `pitch` cells."""
    iw: int
    ih: int
    sw: int
    sh: int
    w: int
    h: int
    pad: int = 0

    kernel = "stencil"

    @property
    def pitch(self):
        return (self.iw + 2 * self.pad + 7) // 8 * 8

    def arguments(self):
        cells = self.pitch * (self.ih + 2 * self.pad)
        numbers = (self.iw, self.ih, self.sw, self.sh, self.w, self.h, self.pad, self.pitch)
        return [f"buf:f32:{cells}:iota", f"buf:f32:{self.iw * self.ih}:zero",
                *(f"i32:{n}" for n in numbers)]


@dataclass
class Product:
    """C = A B with iw x ih elements, sums of d terms; columns as above."""
    iw: int
    ih: int
    d: int
    w: int
    h: int

    kernel = "matmul"

    def arguments(self):
        sizes = (self.d * self.ih, self.iw * self.d)
        numbers = (self.iw, self.ih, self.d, self.w, self.h)
        return [*(f"buf:f32:{n}:iota" for n in sizes), f"buf:f32:{self.iw * self.ih}:zero",
                *(f"i32:{n}" for n in numbers)]


def run(simulator, case, lines, line_cells, *options):
    """The case on a fully associative L1 of so many lines, thread after thread: what is printed."""
    line = 4 * line_cells
    command = [simulator, KERNELS, "--kernel", case.kernel, "--block", str(BLOCK),
               "--grid", str((case.iw * case.ih + BLOCK - 1) // BLOCK), "--trace-cache",
               "--cache", f"l1={lines * line}:{line}:full", "--order", "threads", *options]
    for argument in case.arguments():
        command += ["--arg", argument]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def fetched(text, buffers):
    """Lines that the L1 fetched of these arguments."""
    rows = (line.rsplit(None, 4) for line in text.splitlines() if line.startswith("L1 "))
    names = {f"argument {b}" for b in buffers}
    return sum(int(row[4]) for row in rows if len(row) == 5 and row[0][2:].strip() in names)
