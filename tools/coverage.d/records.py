# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin told about a build: the optimization records of its passes (docs/reports.md)."""

import dataclasses
import glob
import os
import re

WHOLE = "whole time loop"


@dataclasses.dataclass
class Record:
    kind: str  # Passed, Missed, Analysis
    name: str
    file: str
    line: int
    function: str
    text: str
    values: dict

    @property
    def taken(self):
        return self.kind == "Passed" and self.name == "Offloaded"

    @property
    def sequence(self):
        """Of a sweep in a sequence: where that begins, as regions tell it; else nothing."""
        return self.values.get("Sequence", "") if self.kind == "Analysis" else ""

    @property
    def whole(self):
        what = self.values.get("What", "")
        return self.taken and (WHOLE in what or what == "time loop")

    @property
    def dimensions(self):
        return int(self.values.get("Dimensions", 0) or 0)


def unquote(text):
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text


def arguments(lines):
    """The list under Args as pairs; continued lines are joined."""
    pairs = []
    for line in lines:
        m = re.match(r"  - (\w+):\s*(.*)", line)
        if m:
            pairs.append([m[1], m[2]])
        elif pairs and not line.startswith("    DebugLoc"):
            pairs[-1][1] += " " + line.strip()
    return [(k, unquote(v)) for k, v in pairs]


def record(text):
    """One record of a file in the form that LLVM writes; None if it is another pass's."""
    kind = re.match(r"--- !(\w+)", text)
    fields = dict(re.findall(r"^(\w+):\s*(.*)$", text, re.M))
    if not kind or fields.get("Pass") != "stencil":
        return None
    at = re.search(r"File: (?:'([^']*)'|\"([^\"]*)\"|([^,]*)), Line: (\d+)", fields.get("DebugLoc", ""))
    pairs = arguments(text.partition("\nArgs:")[2].splitlines())
    shown = [v for k, v in pairs if k not in ("Reason", "Stops", "Registers", "Cache", "Width", "Height")]
    return Record(kind[1], fields.get("Name", ""), (at[1] or at[2] or at[3]) if at else "", int(at[4]) if at else 0,
                  unquote(fields.get("Function", "")), "".join(shown), dict(pairs))


def read(file):
    with open(file, errors="replace") as f:
        found = [record(text) for text in f.read().split("\n...\n")]
    return [r for r in found if r and not r.function.startswith("stencilopt.")]


def read_all(folder):
    return [r for file in sorted(glob.glob(os.path.join(folder, "*.yaml"))) for r in read(file)]


def same_file(a, b):
    """Is one the end of the other, folder by folder?"""
    a, b = (os.path.normpath(x).split(os.sep) for x in (a, b))
    n = min(len(a), len(b))
    return a[-n:] == b[-n:]
