#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""note.py CACHE PROGRAM [TEXT]: writes the note that an earlier run of the program would have left in the user's cache
(lib/runtime/noted.h), or this text in its place, or with the text "folder" a folder."""

import os
import sys


def place(cache, program):
    value = 0xCBF29CE484222325
    for byte in os.fsencode(os.path.realpath(program)):
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return os.path.join(cache, "stencilopt", "%016x" % value)


def line(program):
    s = os.stat(program)
    return "stencilopt 1: a GPU pays for %d bytes of %d.%09d\n" % (
        s.st_size, s.st_mtime_ns // 10**9, s.st_mtime_ns % 10**9)


path = place(sys.argv[1], sys.argv[2])
text = sys.argv[3] if len(sys.argv) > 3 else line(sys.argv[2])
os.makedirs(path if text == "folder" else os.path.dirname(path), exist_ok=True)
if text != "folder":
    with open(path, "w") as f:
        f.write(text)
