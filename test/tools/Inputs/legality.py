# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""legality.py PAGE [ROOT]: does each rule of a page (docs/legality*.md) name what keeps it
and a test, and do all exist? In a cell a name without a folder is in the folder of the one before it, or somewhere in
lib or passes."""

import glob
import os
import re
import sys

NAME = re.compile(r"[\w./-]+\.(?:cu|c|h|ll|test)\b|(?:lib|test)/[\w./-]*\w")


def somewhere(root, name):
    """In a folder of lib or passes, if the name has at most the last part of its path."""
    return any(glob.glob(os.path.join(root, top, "**", name), recursive=True) for top in ("lib", "passes"))


def missing(root, cell):
    """Those named that do not exist, or that nothing is named."""
    folder, names = "", NAME.findall(cell)
    for name in names:
        folder = os.path.dirname(name) if "/" in name else folder
        if not os.path.exists(os.path.join(root, folder, os.path.basename(name))) and not somewhere(root, name):
            yield os.path.join(folder, os.path.basename(name))
    if not names:
        yield "(nothing named)"


def main(page, root=None):
    root, rules, faults = root or os.path.join(os.path.dirname(page), ".."), 0, []
    for number, line in enumerate(open(page), 1):
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
        if not line.startswith("| ") or cells == ["rule", "kept by", "test"]:
            continue
        rules += 1
        if len(cells) != 3:
            faults.append("%d: not a rule, what keeps it and its test" % number)
            continue
        faults += ["%d: %s" % (number, name) for cell in cells[1:] for name in missing(root, cell)]
        if not any(name.startswith("test/") for name in NAME.findall(cells[2])):
            faults.append("%d: no test" % number)
    print("\n".join("%s:%s" % (page, f) for f in faults + ["%d rules" % rules]))
    return len(faults) > 0 or rules < 20


sys.exit(main(*sys.argv[1:]))
