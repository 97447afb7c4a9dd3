# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of programs: reads it, and brings their sources."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tomllib


@dataclasses.dataclass
class Nest:
    file: str
    line: int
    function: str
    loop: tuple = None  # file and line of the time loop around it


@dataclasses.dataclass
class Program:
    name: str
    source: str
    about: str = ""
    commit: str = ""
    folder: str = "."
    flags: str = "-O3 -ffp-contract=off"
    prepare: list = dataclasses.field(default_factory=list)
    build: list = dataclasses.field(default_factory=list)
    run: list = dataclasses.field(default_factory=list)
    files: list = dataclasses.field(default_factory=list)
    ignore: str = ""
    nests: list = dataclasses.field(default_factory=list)
    loops: list = dataclasses.field(default_factory=list)
    large: list = dataclasses.field(default_factory=list)
    manifest: str = ""


def place(text):
    """'heat.c:12' or 'heat.c:12 step' as file, line and function."""
    m = re.fullmatch(r"([^:\s]+):(\d+)(?:\s+(\S+))?", text.strip())
    if not m:
        sys.exit("coverage: '%s' is not FILE:LINE or FILE:LINE FUNCTION" % text)
    return m[1], int(m[2]), m[3] or ""


def nests_of(entry):
    """The expected nests; those of a time loop are listed with it: {at = ..., nests = [...]}."""
    nests = [Nest(*place(t)) for t in entry.get("nests", [])]
    loops = []
    for loop in entry.get("loops", []):
        file, line, function = place(loop["at"])
        loops.append(Nest(file, line, function))
        nests += [Nest(*place(t), loop=(file, line)) for t in loop["nests"]]
    return nests, loops


def read(manifest):
    with open(manifest, "rb") as f:
        entries = tomllib.load(f).get("program", [])
    programs = []
    for entry in entries:
        known = {f.name for f in dataclasses.fields(Program)} - {"manifest"}
        strange = [k for k in entry if k not in known]
        strange += [k for loop in entry.get("loops", []) for k in loop if k not in ("at", "nests")]
        for key in strange:
            sys.exit("coverage: %s: program %s has an unknown key '%s'" % (manifest, entry.get("name"), key))
        nests, loops = nests_of(entry)
        rest = {k: v for k, v in entry.items() if k not in ("nests", "loops")}
        programs.append(Program(**rest, nests=nests, loops=loops, manifest=os.path.abspath(manifest)))
    return programs


def enlarge(program):
    """Sizes at which the plain program takes seconds: each pair of `large` replaces a text in the program's commands."""
    commands = {key: getattr(program, key) for key in ("prepare", "build", "run")}
    for old, new in program.large:
        if not any(old in c for list_ in commands.values() for c in list_):
            sys.exit("coverage: program %s: no command has '%s', which 'large' replaces" % (program.name, old))
        commands = {key: [c.replace(old, new) for c in list_] for key, list_ in commands.items()}
    return dataclasses.replace(program, **commands)


def fetch(url, commit, to):
    """One commit of a repository, nothing else of it."""
    for command in (["init", "-q", to], ["-C", to, "fetch", "-q", "--depth", "1", url, commit],
                    ["-C", to, "checkout", "-q", "FETCH_HEAD"]):
        if subprocess.run(["git"] + command).returncode != 0:
            shutil.rmtree(to, ignore_errors=True)
            sys.exit("coverage: %s at %s cannot be fetched; --sources names a folder that has it" % (url, commit))


def sources(program, o):
    """The folder that holds the program's sources. Nothing is written there."""
    kind, _, where = program.source.partition(":")
    if kind == "folder":
        return os.path.join(os.path.dirname(program.manifest), where)
    if kind != "github":
        sys.exit("coverage: program %s: a source is github:OWNER/NAME or folder:PATH" % program.name)
    name = where.replace("/", "+")
    if o.sources and os.path.isdir(os.path.join(o.sources, name)):
        return os.path.join(o.sources, name)
    here = os.path.join(o.work, "sources", name + "@" + program.commit)
    if not os.path.isdir(here):
        os.makedirs(os.path.dirname(here), exist_ok=True)
        fetch("https://github.com/" + where, program.commit, here)
    return here
