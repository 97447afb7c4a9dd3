#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs of this folder plain and with the plugin, does each of their acts on the simulator in
three ways (arrays stay on the device; are copied; one step a kernel), and compares exit code and output. A run
may take twice the plain time and 2 s; one that takes longer is killed and counts as hanging. Time that others
keep the processors busy does not count (limits.py).

  trust.py --build build signals.c exits.c          all acts of two programs, a line an act
  trust.py --build build forks.c:spawned --runs 20  one act, 20 times each way
  trust.py --build build --all --runs 20            everything
  trust.py --build build --all --user 65534         by a user without rights: system calls are trapped
  trust.py --build build --all --devices 3          three devices share each grid
  trust.py --build build --all --build-only DIR     what --run-only DIR runs, on any machine
"""

import argparse
import glob
import os
import shlex
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
import limits  # noqa: E402

WAYS = (("resident", {}), ("copied", {"STENCILOPT_RESIDENT": "off"}), ("one step", {"STENCILOPT_MAX_BT": "1"}))
FLAGS = ["-O2", "-w", "-ffp-contract=off", "-pthread"]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("programs", nargs="*", metavar="FILE.c[:ACT]")
    p.add_argument("--all", action="store_true", help="all programs of this folder")
    p.add_argument("--build", default="build", help="the build folder (default: %(default)s)")
    p.add_argument("--clang", default="clang-22")
    p.add_argument("--device", default="sim", help="STENCILOPT_DEVICE (default: %(default)s)")
    p.add_argument("--devices", help="of the simulator, which share each grid (default: one)")
    p.add_argument("--runs", type=int, default=1, help="of each act and way (default: %(default)s)")
    p.add_argument("--share", action="store_true", help="of the ways the first, and the others in turn, act by act")
    p.add_argument("--may-differ", action="append", default=[], metavar="ACT",
                   help="an act whose output docs/residency.md says may differ: it must end, and not by a signal")
    p.add_argument("--user", help="the number of the user who runs them, without any right")
    p.add_argument("--build-only", metavar="DIR")
    p.add_argument("--run-only", metavar="DIR", help="what --build-only left, and no compiler")
    return p.parse_args()


# ---- building -------------------------------------------------------------------------------

def call(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("failed (%d): %s\n%s" % (done.returncode, shlex.join(words), done.stdout))


def build(o, name, folder):
    source = os.path.join(HERE, name + ".c")
    plugin = os.path.join(os.path.abspath(o.build), "lib", "libstencilopt.so")
    # No machine code: the simulator runs the bitcode.
    code = [] if o.device != "sim" else ["-mllvm", "-stencilopt-code=0"]
    for kind, extra in ("plain", []), ("stencil", ["-fpass-plugin=" + plugin, *code]):
        call([o.clang, *FLAGS, *extra, source, "-o", os.path.join(folder, "%s.%s" % (name, kind)), "-lm"])


# ---- running --------------------------------------------------------------------------------

def environment(o, extra=None):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("STENCILOPT_")}
    if o.devices:
        clean.update(STENCILOPT_SIM_DEVICES=o.devices, STENCILOPT_DEVICES=o.devices)
    clean["STENCILOPT_RUNTIME"] = os.path.join(os.path.abspath(o.build), "lib", "libstencilrt.so")
    return dict(clean, STENCILOPT_DEVICE=o.device, **extra or {})


def fault(want, have):
    """What is wrong with a run, or nothing."""
    if have.status == "hangs":
        return "hangs"
    if have.status != want.status:
        return "exit code %s, plain %s: %s" % (have.status, want.status, have.errors.strip()[-200:])
    if have.output != want.output:
        pairs = zip(have.output.splitlines() + [b"(nothing)"], want.output.splitlines() + [b"(nothing)"])
        mine, plain = next((p for p in pairs if p[0] != p[1]), (b"", b""))
        return "prints %r, plain %r" % (mine.decode(errors="replace"), plain.decode(errors="replace"))
    return ""


def words(o, folder, kind, act):
    """The command that does an act."""
    drop = ["setpriv", "--reuid=" + o.user, "--regid=" + o.user, "--clear-groups", "--inh-caps=-all"] if o.user else []
    return [*drop, os.path.join(folder, kind), act]


def crash(run):
    return run.status if run.status == "hangs" or run.status < 0 else ""


def ran_on_device(o, folder, program, act):
    run = limits.Run(words(o, folder, program + ".stencil", act), folder, environment(o, {"STENCILOPT_REPORT": "1"}), 20)
    return "GCells/s" in run.errors


def line(program, act, seconds, cells, faults):
    print("%-46s %6.2f  %s%s" % ("%s:%s" % (program, act), seconds, "  ".join(cells), "".join("\n    " + f for f in faults)), flush=True)


def try_act(o, folder, program, act, number):
    """Whether all runs are right."""
    plain = [limits.Run(words(o, folder, program + ".plain", act), folder, environment(o), 60) for _ in "ab"]
    if plain[0].status == "hangs" or fault(plain[0], plain[1]):
        line(program, act, plain[0].seconds, [], ["the plain program: " + (fault(plain[0], plain[1]) or "hangs")])
        return False
    cells, faults, most = [], [], max(p.seconds for p in plain)
    for way, extra in (WAYS[0], WAYS[1 + number % 2]) if o.share else WAYS:
        right, slowest, first = 0, 0.0, ""
        for _ in range(o.runs):
            run = limits.Run(words(o, folder, program + ".stencil", act), folder, environment(o, extra), 2 * most + 2)
            wrong = crash(run) if act in o.may_differ else fault(plain[0], run)
            right, slowest, first = right + (not wrong), max(slowest, run.seconds), first or wrong
        cells.append("%s %2d/%d %5.2f s" % (way, right, o.runs, slowest))
        faults += ["%s: %s" % (way, first)] * bool(first)
    line(program, act, most, cells, faults)
    return not faults


def acts_of(folder, program):
    done = subprocess.run([os.path.join(folder, program + ".plain")], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


def turn():
    """0 where all are run."""
    return int(os.environ.get("STENCIL_TURN", 0)) if os.environ.get("STENCIL_TESTS") == "few" else 0


def in_turn(o, acts):
    """Of the tests' acts every fourth where few are run, others in other turns; one at least."""
    few = o.share and os.environ.get("STENCIL_TESTS") == "few"
    return acts[turn() // 3 % min(4, len(acts))::4] if few and acts else acts


def try_program(o, folder, program, wanted):
    acts = in_turn(o, [a for a in acts_of(folder, program) if wanted in ("", a)])
    wrong = [a for number, a in enumerate(acts) if not try_act(o, folder, program, a, number + turn() // 12)]
    # Where no act of the program uses the device nothing is shown. One act alone may run the original loops.
    if acts and not any(ran_on_device(o, folder, program, a) for a in acts + acts_of(folder, program)):
        print("%s: no act ran on the device" % program)
        return len(acts)
    return len(wrong) if acts else 1


def main():
    o = options()
    names = [os.path.basename(p) for p in (glob.glob(os.path.join(HERE, "*.c")) if o.all else o.programs)]
    wanted = [(n.partition(":")[0].removesuffix(".c"), n.partition(":")[2]) for n in sorted(names)]
    failures, start = 0, time.time()
    with tempfile.TemporaryDirectory(prefix="trust-") as place:
        folder = os.path.abspath(o.run_only or o.build_only or place)
        os.makedirs(folder, exist_ok=True)
        if o.user:
            os.chmod(folder, 0o777)
        for program, act in wanted:
            if not o.run_only:
                build(o, program, folder)
            if not o.build_only:
                failures += try_program(o, folder, program, act)
    print("%d acts FAILED" % failures if failures else "no failure", "in %.0f s" % (time.time() - start))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
