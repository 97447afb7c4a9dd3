# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""turns.py LIT: how many cases of a test with so many run in a turn, and how often each does (lit_format.py)."""

import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")]
import lit_format  # noqa: E402

ALL = 864  # turns of tools/check

for count in 2, 3, 5, 7, 13, 24, 33:
    drawn = []
    for turn in range(ALL):
        os.environ["STENCIL_TURN"] = str(turn)
        drawn.append(lit_format.chosen(count, "programs/a.test"))
    sizes, often = [len(d) for d in drawn], collections.Counter(k for d in drawn for k in d)
    each = {ALL // often[k] for k in range(count)}
    print(f"{count} cases: {min(sizes)} to {max(sizes)} in a turn; each in 1 of {', '.join(map(str, each))}")
