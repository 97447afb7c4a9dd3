# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what was counted."""

import collections
import os

import nests

PAGE = """# Coverage

How many loop nests of programs that others wrote the plugin takes. For each program the nests that a user would
expect to run on a GPU were listed by hand, before it was tried: sweeps over a grid that read neighbours or that stand
in the time loop beside such sweeps. A nest is taken if it runs on the device, alone or with its whole time loop.
Each program was built plain and with the plugin, run at a small size on the simulator, and what it printed and wrote
was compared byte for byte, but for times. Libraries that programs use for output (MPI, netCDF, PNG) were replaced by
stubs. Of the sixty halo nests of CloverLeaf four are listed, those of one field; in one program of one function and in
three of classes the time loop is ours and not counted. Where the table says thin LTO, the files were compiled by
clang alone with `-flto=thin`, and the plugin was loaded by the link, so that it sees the sweeps of other files in their
time loop. `tools/coverage` makes the tables of the list
[programs.toml](../tools/coverage.d/programs.toml); [tools.md](tools.md) says how.

"""


def share(n, of):
    return "%d of %d (%.0f %%)" % (n, of, 100.0 * n / of) if of else "0 of 0"


def numbers(result):
    taken = sum(s.taken for s in result.states)
    return taken, len(result.states), len(result.whole), len(result.program.loops), len(nests.blocked(result.records))


def print_result(result):
    taken, expected, whole, loops, blocked = numbers(result)
    print("%s: %s nests, %d of %d whole time loops, %d blocked; %s; %.1f s plain, %.1f s" % (
        result.program.name, share(taken, expected), whole, loops, blocked,
        result.trouble or "results equal", *result.seconds))
    for s in result.states:
        n = s.nest
        print("  %s:%d %s: %s%s" % (n.file, n.line, n.function, s.state, " (%s): %s" % (s.reason, s.text) if s.reason else ""))
    for l, reason, text in result.loops_lost:
        print("  time loop %s not whole: %s" % (place(l), text or "no remark"))


def sums(results):
    columns = list(zip(*(numbers(r) for r in results))) or [()] * 5
    return [sum(c) for c in columns]


def print_sum(results):
    taken, expected, whole, loops, blocked = sums(results)
    equal = sum(not r.trouble for r in results)
    print("all: %s nests, %d of %d whole time loops, %d blocked; %d of %d programs with equal results" % (
        share(taken, expected), whole, loops, blocked, equal, len(results)))


def by_reason(results):
    """Reason -> list of (program, state)."""
    lost = collections.defaultdict(list)
    for r in results:
        for s in r.states:
            if not s.taken:
                lost[s.reason or s.state].append((r.program.name, s))
    return sorted(lost.items(), key=lambda x: -len(x[1]))


def print_reasons(results):
    for reason, lost in by_reason(results):
        programs = collections.Counter(name for name, _ in lost)
        print("%4d %s: %s" % (len(lost), reason, ", ".join("%s %d" % p for p in programs.most_common())))


def print_build(found):
    """A user's own build: one line a nest."""
    seen = set()
    for r in sorted(found, key=lambda r: (r.file, r.line, not r.taken)):
        if r.kind == "Analysis" or (r.file, r.line) in seen:
            continue
        seen.add((r.file, r.line))
        print("%s:%d (%s): %s" % (r.file, r.line, r.function, "taken: " + r.text if r.taken else "%s: %s" % (r.values.get("Reason", r.name), r.text)))
    taken = {(r.file, r.line) for r in found if r.taken}
    print("%s nests and time loops, %d whole time loops, %d blocked" % (
        share(len(taken), len(seen)), len({(r.file, r.line) for r in found if r.whole}), len(nests.blocked(found))))


def row(result):
    taken, expected, whole, loops, blocked = numbers(result)
    p = result.program
    source = p.source.removeprefix("github:")
    return "| %s | %s | %s | %s | %d | %d | %s | %d | %s |" % (
        p.name, p.about, source, p.commit[:10], expected, taken, "%d of %d" % (whole, loops) if loops else "", blocked,
        "yes" if not result.trouble else "no: " + result.trouble)


def place(nest):
    return "%s:%d%s" % (nest.file, nest.line, " (%s)" % nest.function if nest.function else "")


def sentence(reason, text):
    for start in "loop nest not offloaded: ", "time loop not offloaded: ":
        text = text.removeprefix(start)
    return ", %s: %s" % (reason, text) if reason else ""


def page(results):
    taken, expected, whole, loops, blocked = sums(results)
    programs = sum(bool(r.program.loops) and len(r.whole) > 0 for r in results)
    lines = ["| program | what | repository | commit | nests expected | taken | whole time loops | blocked | results equal |",
             "|---|---|---|---|---|---|---|---|---|"]
    lines += [row(r) for r in results]
    lines += ["| all: %d programs | | | | %d | %d (%.0f %%) | %d of %d, in %d programs | %d | %d |" % (
        len(results), expected, taken, 100.0 * taken / max(expected, 1), whole, loops, programs, blocked, sum(not r.trouble for r in results))]
    lines += ["", "## Reasons", "", "| nests lost | reason | programs |", "|---|---|---|"]
    for reason, lost in by_reason(results):
        names = collections.Counter(name for name, _ in lost)
        lines.append("| %d | %s | %s |" % (len(lost), reason, ", ".join("%s (%d)" % n for n in names.most_common())))
    lines += ["", "## Each nest that is not taken", ""]
    for r in results:
        lost = [s for s in r.states if not s.taken]
        if lost:
            lines.append("- " + r.program.name)
            lines += ["  - %s: %s%s" % (place(s.nest), s.state, sentence(s.reason, s.text)) for s in lost]
    lines += ["", "## Each time loop that does not run whole", ""]
    lines += ["- %s, %s: %s" % (r.program.name, place(l), sentence(reason, text)[2:] or "no remark: the sweeps are in functions that it calls, of other files or not inlined")
              for r in results for l, reason, text in r.loops_lost]
    return PAGE + "\n".join(lines).rstrip() + "\n"


def write_page(results, file):
    with open(file, "w") as f:
        f.write(page(results))
