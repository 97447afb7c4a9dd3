# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs a test. Where STENCIL_TESTS=few, each test runs one of its cases, others in other turns (STENCIL_TURN); two, where
their number is not in SHARES. A case is

  - what stands between a line with `CASE:` and the next one, or a line with `ALWAYS:`;
  - where a test has no such lines, a RUN line that matches `config.cases`, a regular expression of the folder's lit.local.cfg. A line
    that builds what the test itself runs afterwards, %t.dir/NAME.., always runs.

All other lines always run. How many cases were left out is added to the test's output.

Two of three tests in the folders WITHOUT_CODE then compile without code for GPUs, too (what compare.py builds has its own turns): much of the
time goes into LLVM's code generators, and these tests look at what comes before, or run on the simulator. Tests that name code, or the stubs
of drivers, which look for it, have it always. Two of three in WITHOUT_PTXAS, but kernels in CUDA, have no ptxas on PATH; then the plugin leaves PTX as it is.
Tests that name it, or a toolkit, have it.

Where STENCIL_PROCESSOR_TIMES names a file, the processor time of all that each test ran is added there."""

import copy
import os
import re
import resource
import zlib

import lit.formats
import lit.TestRunner

CODE = re.compile(r"\bptx|gfx\d|hsaco|libdevice|stencilopt-code|libcuda|libamdhip64|SAVE_TEMPS|STUBGPU|COMPRESS")
TOOLKIT = re.compile(r"ptxas|cubin|toolkit|nvcc|nvlink|cuda-path|CUDA_PATH")
MARK = re.compile(r"^\W*(CASE|ALWAYS):")
WITHOUT_CODE = "detect", "runtime", "offload", "frontends", "mlir", "mpi", "programs"
WITHOUT_PTXAS = *WITHOUT_CODE, "codegen"
TURNS = 108  # in which each choice but that of one of many cases comes with each other one
SHARES = 24, 12, 8, 6, 4, 3, 2, 1  # one of so many cases runs: as many as there are, or the next number below


def few():
    return os.environ.get("STENCIL_TESTS") == "few"


def turn():
    """Whoever chooses by it divides it by another number first, so that all choices come together: cases by 1, what a case leaves
    out (compare.py, differ.py, trust.py) by 3, what tools/hostile runs by 9. Cases of more than three have further turns, by 108: eight."""
    return int(os.environ.get("STENCIL_TURN", 0))


def text_of(test):
    with open(test.getSourcePath(), encoding="utf-8", errors="replace") as source:
        return source.read()


def has(test, names):
    """Is it the turn of this test, or does it name that?"""
    path = "/".join(test.path_in_suite)
    return not few() or (zlib.crc32(path.encode()) + turn() // 3) % 3 == 0 or names.search(text_of(test)) is not None


def without_ptxas(path):
    """PATH without the folders that have it. Where it is beside other tools (Debian's package), it stays."""
    folders = path.split(os.pathsep)
    return os.pathsep.join(f for f in folders if not os.path.exists(os.path.join(f, "ptxas")) or os.path.exists(os.path.join(f, "env")))


def environment_of(test):
    """What differs from the other tests' environment."""
    changed = {}
    if test.path_in_suite[0] in WITHOUT_CODE and not has(test, CODE):
        changed["STENCILOPT_CODE"] = "0"
    if test.path_in_suite[0] in WITHOUT_PTXAS and not test.path_in_suite[-1].endswith(".cu") and not has(test, TOOLKIT):
        changed["PATH"] = without_ptxas(test.config.environment["PATH"])
    return changed


# ---- cases ------------------------------------------------------------------------------------

def marked(lines):
    """For each line the number of its case, or None."""
    number, inside = -1, False
    for line in lines:
        mark = MARK.match(line)
        if mark:
            inside = mark.group(1) == "CASE"
            number += inside
        yield number if inside else None


def builds(command, file):
    """Does it build that file? Its name begins with the program's and its definitions (compare.py), and has the type."""
    real = re.search(r"--real (float|double)\b", command)
    stems = ("_".join(re.sub(r"[^\w.-]+", "-", part) for part in re.split("[:,]", word)) + "_" for word in command.split())
    return any(file.startswith(stem) for stem in stems) and (not real or "_" + real.group(1) in file)


def needed(at, runs, is_case):
    """Does the line build, or write, what a later line uses by itself?"""
    written = re.findall(r">\s*(%t\S*)", runs[at])
    for number in range(at + 1, len(runs)):
        if is_case(runs[number]):
            continue
        if any(name in runs[number] for name in written):
            return True
        for file in re.findall(r"%t\.dir/([\w.-]+)", runs[number]):
            makers = [n for n in range(number) if is_case(runs[n]) and builds(runs[n], file)]
            if makers[-1:] == [at]:
                return True
    return False


def matched(script, cases):
    """For each directive the number of its case, or None. RUN lines may name what matches by a substitution of the test."""
    names = [re.escape(d.name) for d in script if not is_run(d) and re.search(cases, d.body)]
    is_case = re.compile("|".join([cases, *names])).search
    runs = [d.command for d in script if is_run(d)]
    number, at = -1, -1
    for d in script:
        at += is_run(d)
        mine = is_run(d) and is_case(d.command) and not needed(at, runs, is_case)
        number += bool(mine)
        yield number if mine else None


def is_run(directive):
    return isinstance(directive, lit.TestRunner.CommandDirective)


def cases_of(test, script):
    """For each directive of the script the number of its case, or None."""
    lines = text_of(test).split("\n")
    if any(MARK.match(line) for line in lines):
        by_line = list(marked(lines))
        return [by_line[d.start_line_number - 1] if is_run(d) else None for d in script]
    if not getattr(test.config, "cases", None):
        return [None] * len(script)
    return list(matched(script, test.config.cases))


def chosen(count, path):
    """Of so many cases those whose turn it is: at least one. All numbers in SHARES divide that of turns, so each case has equally many."""
    share = next(s for s in SHARES if s <= max(1, count))
    now = turn() % 3 + turn() // TURNS * 3
    first = (zlib.crc32(path.encode()) + now) % share
    return set(range(first, count, share))


def in_turn(test, script):
    """The script without the cases that have other turns, and how many these are."""
    numbers = cases_of(test, script)
    cases = sorted(set(numbers) - {None})  # not those without a RUN line
    mine = {cases[n] for n in chosen(len(cases), "/".join(test.path_in_suite))}
    return [d for d, n in zip(script, numbers) if n is None or n in mine], len(cases) - len(mine)


def parse(test, *words, **more):
    script = parse_all(test, *words, **more)
    if few() and isinstance(script, list):
        script, test.cases_left_out = in_turn(test, script)
    return script


parse_all = lit.TestRunner.parseIntegratedTestScript
lit.TestRunner.parseIntegratedTestScript = parse


# ---- a test -----------------------------------------------------------------------------------

def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class Test(lit.formats.ShTest):
    def execute(self, test, lit_config):
        test.config = copy.copy(test.config)
        test.config.environment = {**test.config.environment, **environment_of(test)}
        before = used()
        result = super().execute(test, lit_config)
        left_out = getattr(test, "cases_left_out", 0)
        if left_out:
            result.output += "\ncases with other turns: %d" % left_out
        if "STENCIL_PROCESSOR_TIMES" in os.environ:
            with open(os.environ["STENCIL_PROCESSOR_TIMES"], "a") as times:
                times.write("%8.2f %s\n" % (used() - before, "/".join(test.path_in_suite)))
        return result
