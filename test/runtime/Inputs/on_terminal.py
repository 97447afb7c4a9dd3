# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a terminal as standard error, and prints what it writes there, a line each time that it
goes back to the start of the line: how long after the start of the command, and what is there to be read."""

import os
import pty
import subprocess
import sys
import termios
import time



def is_progress(text):
    return text.endswith((" left", " steps"))


def tell(text, seconds):
    """What was written over what was there before."""
    wide = len(text) >= columns and "grid" not in text
    print("%5.2f s: [%s]%s%s" % (seconds, text.rstrip(), " too wide" if wide else "", "" if text.strip() else " erased"))


start, (ours, theirs) = time.monotonic(), pty.openpty()
columns, read, told = int(sys.argv[1]), b"", 0
termios.tcsetwinsize(theirs, (25, columns))
process = subprocess.Popen(sys.argv[2:], stderr=theirs)
os.close(theirs)
while True:
    try:
        part = os.read(ours, 65536)
    except OSError:  # nobody has it open any more
        break
    *lines, read = (read + part).split(b"\r")
    for line in (line.decode().replace("\n", "") for line in lines):
        if line:
            tell(line, time.monotonic() - start)
            told += is_progress(line.rstrip())
print("more than" if told > 4 * (time.monotonic() - start) + 2 else "at most", "4 lines a second")
sys.exit(process.wait())
