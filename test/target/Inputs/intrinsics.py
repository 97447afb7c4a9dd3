# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""intrinsics.py KNOWN ROOT: do the targets' tables of calls (lib/target/*/intrinsics.def) agree with
what LLVM says of its intrinsics, with their names, and with what the simulator makes of them (lib/sim/lower/*.c)?
KNOWN is the program known-calls; llvm-tblgen and llvm-config are on PATH."""

import json
import re
import subprocess
import sys
import tempfile

TARGETS = {"nvvm": "nvptx64-nvidia-cuda", "amdgcn": "amdgcn-amd-amdhsa"}
# What has one of these in its name works on several lanes or asks where it runs, whatever LLVM says of it..
TELLS = re.compile(r"lane|warp|wave|shfl|shuffle|vote|ballot|match|redux|reduce|dpp|permute|swizzle|mma|mfma|mfmac|wqm|wwm|"
                   r"inactive|elect|active|barrier|\bbar\b|sync|smid|gridid|clock|time\b|timer|ctarank|cluster|getreg|getpc|"
                   r"mbcnt|exec|icmp|fcmp|async|\bsreg\b|workgroup|workitem|ds\.append|ds\.consume|gws")
# ..but for these.
HARMLESS = ("wavefrontsize", "warpsize", "isspacep")
REFUSED = ("exchanges", "waits", "locates", "updates", "samples", "unknown")
# Convergent so that they keep their place among other instructions.
HINTS = ("llvm.amdgcn.sched.barrier", "llvm.amdgcn.sched.group.barrier", "llvm.amdgcn.iglp.opt")
# Convergent, with a mask of lanes as an operand; the pass refuses them by that attribute.
BY_ATTRIBUTE = re.compile(r"llvm\.amdgcn\.cvt\.scale\.")
# The simulator's functions that lower a call, by what that does.
MEANINGS = {"exchanges": "wave masked unmasked redux dpp permute_back permute_row compare write_lane inverse_ballot async_copy "
                         "async_commit async_wait",
            "locates": "lane_id warp_id lane_mask count_lanes", "launch": "id", "waits": "barrier", "updates": "atomic"}
# Names that LLVM has replaced when a module is read, or that are not LLVM's.
OLDER = re.compile(r"__|llvm\.nvvm\.(abs|barrier0)")


def intrinsics():
    """{name: its properties}, of each target."""
    include = subprocess.run(["llvm-config", "--includedir"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["llvm-tblgen", "-I", include, "-dump-json", include + "/llvm/IR/Intrinsics.td", "-o", out.name], check=True)
        records = json.load(open(out.name))
    found = {target: {} for target in TARGETS}
    for key in records["!instanceof"]["Intrinsic"]:
        record = records[key]
        name = record["LLVMName"] or "llvm." + key[4:].replace("_", ".")
        if record["TargetPrefix"] in found and name.startswith("llvm.%s." % record["TargetPrefix"]):
            found[record["TargetPrefix"]][name] = {p["def"] for p in record["IntrProperties"]}
    return found


def ask(known, target, names):
    out = subprocess.run([known, TARGETS[target]], input="\n".join(names) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.rsplit(" ", 1) for line in out.stdout.splitlines())


def against_llvm(all, kinds):
    for name, properties in all.items():
        kind, short = kinds[name], name.split(".", 2)[2]
        if "IntrConvergent" in properties and kind not in REFUSED and name not in HINTS and not BY_ATTRIBUTE.match(name):
            yield "%s is convergent, but the table says that it %s" % (name, kind)
        if TELLS.search(short) and not any(h in short for h in HARMLESS) and name not in HINTS and kind not in REFUSED + ("launch",):
            yield "%s: its name tells otherwise, but the table says that it %s" % (name, kind)
        if kind in ("computes", "uniform", "launch") and "IntrNoMem" not in properties:
            yield "%s accesses memory, but the table says that it %s" % (name, kind)


def against_table(all, table):
    for name in table:
        wanted = (lambda n: n.startswith(name[:-1])) if name.endswith("*") else (lambda n: n == name)
        if not OLDER.match(name) and not any(map(wanted, all)):
            yield "the table's %s is no intrinsic of LLVM's" % name


def against_simulator(root, target, known):
    text = open("%s/lib/sim/lower/%s.c" % (root, "nvptx" if target == "nvvm" else target)).read()
    rules = re.findall(r'\{"(llvm\.[\w.]+\*?)", (\w+), ', text)
    if len(rules) < 20:
        yield "the simulator's rules are not found"
    kinds = ask(known, target, [name.rstrip("*") for name, _ in rules])
    for name, function in rules:
        kind = kinds[name.rstrip("*")]
        wanted = [meaning for meaning, functions in MEANINGS.items() if function in functions.split()]
        if wanted and kind not in wanted + ["waits"] * ("sync" in name or name.endswith("barrier")):
            yield "%s %s in the simulator, but the table says %s" % (name, wanted[0], kind)


def main(known, root):
    faults = []
    for target, all in intrinsics().items():
        kinds = ask(known, target, all)
        listed = subprocess.run([known, TARGETS[target], "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
        faults += [*against_llvm(all, kinds), *against_table(all, [line.rsplit(" ", 1)[0] for line in listed.splitlines()]),
                   *against_simulator(root, target, known)]
        count = {kind: list(kinds.values()).count(kind) for kind in sorted(set(kinds.values()))}
        print("%s: %d intrinsics: %s" % (target, len(all), ", ".join("%d %s" % (n, kind) for kind, n in count.items())))
    print(*faults, sep="\n")
    return len(faults) > 0


sys.exit(main(*sys.argv[1:]))
