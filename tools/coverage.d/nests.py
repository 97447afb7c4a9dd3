# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of the nests that a user would expect to run on a GPU."""

import dataclasses
import os
import re

import corpus
import records

TAKEN, WHOLE, ROWS, REFUSED, SILENT, NOT_RUN = "taken", "whole time loop", "rows alone", "refused", "no remark", "taken, not run"


@dataclasses.dataclass
class State:
    nest: corpus.Nest
    state: str
    reason: str = ""  # the reason's name
    text: str = ""

    @property
    def taken(self):
        return self.state in (TAKEN, WHOLE)


def end_in_c(lines, first):
    """The last line of the statement that begins with the loop in line first (0-based)."""
    depth = parens = 0
    begun = False
    for i in range(first, len(lines)):
        code = re.sub(r'/\*.*?\*/|//.*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'', "", lines[i])
        for c in code:
            parens += (c == "(") - (c == ")")
            depth += (c == "{") - (c == "}")
            begun |= c == "{"
            if (begun and depth <= 0 and c == "}") or (c == ";" and parens == 0 and depth == 0):
                return i
            if depth < 0:
                return i
    return len(lines) - 1


def end_in_fortran(lines, first):
    depth = 0
    for i in range(first, len(lines)):
        code = lines[i].split("!")[0].lower()
        if re.match(r"\s*(\w+\s*:)?\s*do\b(?!\s*=)", code):
            depth += 1
        elif re.match(r"\s*(\d+\s+)?end\s*do\b", code):
            depth -= 1
            if depth <= 0:
                return i
    return min(first + 40, len(lines) - 1)


def span(nest, folder):
    """The nest's first and last line. A file that is not found, or has no such line: the line alone."""
    file = os.path.join(folder, nest.file)
    if not os.path.exists(file):
        return nest.line, nest.line
    with open(file, errors="replace") as f:
        lines = f.read().splitlines()
    if nest.line > len(lines):
        return nest.line, nest.line
    first = nest.line
    while first > 1 and re.match(r"\s*(#\s*(pragma|endif)|!\$omp)\b", lines[first - 2], re.IGNORECASE):
        first -= 1  # the compiler names the line of directives in front of a loop
    ends = end_in_fortran if re.search(r"\.(f|for|f\d\d)$", nest.file.lower()) else end_in_c
    return first, ends(lines, nest.line - 1) + 1


def where(region):
    """File and line of a region; it may have none."""
    m = re.match(r"(.*):(\d+)( |$)", region["where"])
    return (m[1], int(m[2])) if m else (region["where"], 0)


def heads(nest, folder):
    """The lines of the nest in which loops begin; none of a file that is not found."""
    file = os.path.join(folder, nest.file)
    if not os.path.exists(file):
        return []
    with open(file, errors="replace") as f:
        lines = f.read().splitlines()
    first, last = nest.line - 1, span(nest, folder)[1]
    fortran = re.search(r"\.(f|for|f\d\d)$", nest.file.lower())
    head = r"\s*(\w+\s*:)?\s*do\b(?!\s*=)" if fortran else r".*\b(for|while)\s*\("
    return [l for l in lines[first:last] if re.match(head, l, re.IGNORECASE)]


def rounds(head):
    """How often a loop between two numbers goes round; 0: it is another loop."""
    fortran = re.match(r"\s*do\s+\w+\s*=\s*(\d+)\s*,\s*(\d+)\s*$", head.split("!")[0], re.IGNORECASE)
    c = re.match(r".*\bfor\s*\((?:\w+ )*\w+\s*=\s*(\d+)\s*;\s*\w+\s*(<=?)\s*(\d+)\s*;\s*(?:\+\+\w+|\w+\+\+)\s*\)", head)
    if fortran:
        return int(fortran[2]) - int(fortran[1]) + 1
    return int(c[3]) - int(c[1]) + (c[2] == "<=") if c else 0


def is_unrolled(record, here, loops):
    """Is all of the nest in this record, since LLVM unrolled one of its two loops: the outer one into the sweeps of a
    sequence, or the inner one into the outputs of a sweep?"""
    if len(loops) != 2 or record.line == 0 or not record.taken:
        return False
    sweeps = 1 + sum(r.line == record.line and r.function == record.function for r in here if r.sequence)
    outputs = int(record.values.get("Outputs", 0))
    return (1 < sweeps == rounds(loops[0]) and record.values.get("Sweeps") == str(sweeps)) or 1 < outputs == rounds(loops[1])


NOT_ENTERED = ("NotEntered", "the program came to no code that the plugin made from this file, but to other copies of its loops")


def did_not_run(record, regions):
    """The reason, if the program came to no region of the file, or if the region's original loops ran each time. The
    report names a function where the program has no lines."""
    begins = where({"where": record.sequence}) if record.sequence else (record.file, record.line)
    here = [r for r in regions if where(r)[1] == begins[1] and records.same_file(where(r)[0], begins[0])]
    if any(r["on_device"] for r in here):
        return None
    if here:
        why = here[0]["original_loops"][0]
        return why["reason"], why["sentence"] + (" (%s)" % why["detail"] if why["detail"] else "")
    entered = any(line == 0 or records.same_file(file, begins[0]) for file, line in map(where, regions))
    return None if entered else NOT_ENTERED


def at(found, file, first, last):
    return [r for r in found if first <= r.line <= last and records.same_file(r.file, file)]


def loop_state(loop, program, found, regions, folder):
    """Does the listed time loop run whole? A record names a line in it, a region of the program the loop itself.
    Time loops that are listed and lie in this one are others."""
    for region in regions:
        file, line = where(region)
        if line == loop.line and records.same_file(file, loop.file):
            return bool(region["on_device"])
    first, last = span(loop, folder)
    inner = [span(l, folder) for l in program.loops if l is not loop and l.file == loop.file and first < l.line <= last]
    return any(r.whole and not did_not_run(r, regions) and not any(a <= r.line <= b for a, b in inner)
               for r in at(found, loop.file, first, last))


def why_not_whole(loop, found, folder):
    """The reason that a listed time loop does not run whole, as (reason, text); empty if nothing was told."""
    missed = [r for r in at(found, loop.file, *span(loop, folder)) if r.kind == "Missed"]
    missed.sort(key=lambda r: (r.name != "TimeLoop", r.line))
    told = [r for r in missed if r.name == "TimeLoop" or r.line == loop.line]
    return (told[0].values.get("Reason", told[0].name), told[0].text) if told else ("", "")


def state(nest, whole, found, regions, folder):
    if (nest.loop in whole) and nest.loop:
        return State(nest, WHOLE)
    here = at(found, nest.file, *span(nest, folder))
    refusal = None
    loops = heads(nest, folder)
    for r in here:
        begins = r.line == nest.line or r.dimensions > 1 or len(loops) == 1
        if (r.taken or r.sequence) and (begins or is_unrolled(r, here, loops)):
            why = did_not_run(r, regions)
            if not why:
                return State(nest, TAKEN)
            refusal = State(nest, NOT_RUN, *why)
    if refusal:
        return refusal
    refused = [r for r in here if r.kind == "Missed"]
    refused.sort(key=lambda r: (r.line != nest.line, r.function != nest.function, r.line))
    rows = any(r.taken for r in here)
    if refused:
        return State(nest, ROWS if rows else REFUSED, refused[0].values.get("Reason", refused[0].name), refused[0].text)
    return State(nest, ROWS if rows else SILENT)


def judge(program, found, regions, folder):
    """The state of each nest, the listed time loops that run whole, and why the others do not."""
    whole = {(l.file, l.line) for l in program.loops if loop_state(l, program, found, regions, folder)}
    lost = [(l, *why_not_whole(l, found, folder)) for l in program.loops if (l.file, l.line) not in whole]
    return [state(n, whole, found, regions, folder) for n in program.nests], whole, lost


def blocked(found):
    """Time loops whose kernels advance several steps."""
    return {(r.file, r.line) for r in found if r.name == "Plan" and int(r.values.get("bT", "0") or 0) > 1}
