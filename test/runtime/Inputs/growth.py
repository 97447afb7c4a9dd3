# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""growth.py MOST FEW MANY PROGRAM: does the processor time of PROGRAM MANY, less that of PROGRAM 2, grow by less than
MOST times from PROGRAM FEW? The least of three runs each: other processes only add to it."""

import os
import resource
import subprocess
import sys


def seconds(program, count):
    least = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, count], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = took if least is None else min(least, took)
    return least


most, few, many, program = float(sys.argv[1]), sys.argv[2], sys.argv[3], os.path.abspath(sys.argv[4])
start = seconds(program, "2")
a, b = seconds(program, few) - start, seconds(program, many) - start
print("%s: %.3f s, %s: %.3f s, %.1f times" % (few, a, many, b, b / a))
sys.exit(b > most * a)
