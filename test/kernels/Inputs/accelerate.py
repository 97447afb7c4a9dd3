#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a module as accelerate-llvm-ptx emits one for a 2-D stencil: a kernel for the cells inside
and one for a face of the border, grid-stride loops over a 64-bit flat index, no noalias.

    accelerate.py RADIUS [TYPE] [strict]      strict: without fast-math flags"""

import sys

FLAGS = "nsz arcp contract afn reassoc "
WEIGHTS = [0.25, 0.125, 0.0625]  # by the distance of rows + of columns; sums of small integers are exact

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
"""
# differ.py's descriptions; the border here is the upper one.
DESCRIPTIONS = """; types: {type}
; stencil_inside: rows:i64=ny columns:i64=nx b[(nx+2*{r})*(ny+2*{r})] h:i64=ny+2*{r} w:i64=nx+2*{r} a[(nx+2*{r})*(ny+2*{r})] h:i64=ny+2*{r} w:i64=nx+2*{r}; threads nx*ny/2
; stencil_border: fromrow:i64=0 fromcolumn:i64=0 rows:i64={r} columns:i64=nx+2*{r} b[(nx+2*{r})*(ny+2*{r})] h:i64=ny+2*{r} w:i64=nx+2*{r} a[(nx+2*{r})*(ny+2*{r})] h:i64=ny+2*{r} w:i64=nx+2*{r}; threads (nx+2*{r})*{r}
"""
TAIL = """define private void @accprelude_nanosleep(i32 noundef %0) alwaysinline convergent nounwind {
  tail call void asm sideeffect "nanosleep.u32 $0;", "r"(i32 %0)
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @stencil_inside, !"kernel", i32 1}
!1 = !{ptr @stencil_border, !"kernel", i32 1}
"""


class Function:
    """A kernel's lines; `block` is the label of the one being written."""

    def __init__(self, type_, flags):
        self.type, self.flags, self.lines, self.count, self.block = type_, flags, [], 0, "entry"

    def add(self, text):
        self.lines.append("  %%r%d = %s" % (self.count, text))
        self.count += 1
        return "%%r%d" % (self.count - 1)

    def label(self, name):
        self.lines.append(name + ":")
        self.block = name

    def name(self, stem):
        self.count += 1
        return "%s%d" % (stem, self.count)

    def choose(self, condition, then, other):
        """if condition: then() else: other(), as blocks and a phi."""
        yes, no, end = self.name("if.then"), self.name("if.else"), self.name("if.exit")
        self.lines.append("  br i1 %s, label %%%s, label %%%s" % (condition, yes, no))
        ways = []
        for label, value in (yes, then), (no, other):
            self.label(label)
            ways.append((value(), self.block))
            self.lines.append("  br label %%%s" % end)
        self.label(end)
        return self.add("phi i64 [%s, %%%s], [%s, %%%s]" % (ways[0] + ways[1]))

    def clamped(self, at, length):
        below = self.add("icmp slt i64 %s, 0" % at)

        def above():
            past = self.add("icmp sge i64 %s, %s" % (at, length))
            return self.choose(past, lambda: self.add("sub i64 %s, 1" % length), lambda: at)
        return self.choose(below, lambda: "0", above)

    def load(self, x, y, dx, dy, border):
        column = self.add("add i64 %s, %d" % (x, dx)) if dx else x
        row = self.add("add i64 %s, %d" % (y, dy)) if dy else y
        if border:
            row = self.clamped(row, "%in.sh1")
            column = self.clamped(column, "%in.sh0")
        start = self.add("mul i64 %s, %%in.sh0" % row)
        index = self.add("add i64 %s, %s" % (start, column))
        place = self.add("getelementptr inbounds %s, ptr %%in.ad0, i64 %s" % (self.type, index))
        return self.add("load %s, ptr %s" % (self.type, place))

    def first_index(self):
        call = "tail call i32 @llvm.nvvm.read.ptx.sreg.%s.x()"
        blocks, width = self.add(call % "nctaid"), self.add(call % "ntid")
        step = self.add("mul i32 %s, %s" % (blocks, width))
        step = self.add("sext i32 %s to i64" % step)
        width, block, thread = (self.add(call % n) for n in ("ntid", "ctaid", "tid"))
        first = self.add("mul i32 %s, %s" % (width, block))
        first = self.add("add i32 %s, %s" % (thread, first))
        first = self.add("sext i32 %s to i64" % first)
        return self.add("add i64 %s, 0" % first), step

    def cell(self, x, y, radius, border):
        total = None
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                value = self.load(x, y, dx, dy, border)
                weight = WEIGHTS[min(2, abs(dx) + abs(dy))]
                value = self.add("fmul %s%s %s, %r" % (self.flags, self.type, value, weight))
                total = self.add("fadd %s%s %s, %s" % (self.flags, self.type, total, value)) if total else value
        start = self.add("mul i64 %s, %%out.sh0" % y)
        index = self.add("add i64 %s, %s" % (start, x))
        place = self.add("getelementptr inbounds %s, ptr %%out.ad0, i64 %s" % (self.type, index))
        self.lines.append("  store %s %s, ptr %s" % (self.type, total, place))


def kernel(name, type_, flags, radius, border):
    f = Function(type_, flags)
    f.label("entry")
    total = f.add("mul i64 %shInside1, %shInside0")
    first, step = f.first_index()
    f.lines.append("  br label %while.entry")
    f.label("while.entry")
    any_ = f.add("icmp slt i64 %s, %s" % (first, total))
    f.lines.append("  br i1 %s, label %%while.top, label %%while.exit" % any_)
    f.label("while.top")
    phi, at = len(f.lines), f.add("phi")
    row, column = f.add("sdiv i64 %s, %%shInside0" % at), f.add("srem i64 %s, %%shInside0" % at)
    f.add("sdiv i64 %s, %%shInside1" % row)
    x = f.add("add i64 %s, %s" % (column, "%shFrom0" if border else radius))
    y = f.add("add i64 %s, %s" % (row, "%shFrom1" if border else radius))
    f.cell(x, y, radius, border)
    after = f.add("add i64 %s, %s" % (at, step))
    more = f.add("icmp slt i64 %s, %s" % (after, total))
    f.lines[phi] = "  %s = phi i64 [%s, %%while.entry], [%s, %%%s]" % (at, first, after, f.block)
    f.lines.append("  br i1 %s, label %%while.top, label %%while.exit" % more)
    f.lines += ["while.exit:", "  ret void", "}"]
    start = "i64 %shFrom1, i64 %shFrom0, " if border else ""
    print("define void @%s(%si64 %%shInside1, i64 %%shInside0, ptr %%out.ad0, i64 %%out.sh1, i64 %%out.sh0, "
          "ptr %%in.ad0, i64 %%in.sh1, i64 %%in.sh0) {" % (name, start))
    print("\n".join(f.lines))


def main(argv):
    radius, type_ = int(argv[0]), argv[1] if len(argv) > 1 else "float"
    flags = "" if "strict" in argv else FLAGS
    print(DESCRIPTIONS.format(r=radius, type=type_) + HEAD)
    kernel("stencil_inside", type_, flags, radius, False)
    kernel("stencil_border", type_, flags, radius, True)
    print(TAIL, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
