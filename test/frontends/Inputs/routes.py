# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""routes.py PLUGIN LLVM LIBRARIES INPUTS PYTHON ROUTE TYPE: compiles the loops of a language with the plugin and without, for float or double,
runs both, with the plugin on the simulator, and compares the bytes. A time loop must run with several steps a launch.
A route openmp-LANGUAGE compiles them with -fopenmp for the plugin, and runs them once more without a device: on the threads of team.c."""
import os
import re
import subprocess
import sys

plugin, llvm, libraries, inputs, python, route, element_type = sys.argv[1:]
openmp, language = route.startswith("openmp-"), route.removeprefix("openmp-")
clang, flang = os.path.join(llvm, "clang"), os.path.join(llvm, "flang")
EXACT = "-O2", "-ffp-contract=off"
KINDS = {"float": ("float", "c_float", "f32", "float32"), "double": ("double", "c_double", "f64", "float64")}
RUNS = [("heat2", "3", "3", "1"), ("heat2", "17", "31", "20"), ("heat3", "3", "3", "2"),
        ("heat3", "9", "17", "20"), ("smooth", "35", "50", "0")]


def call(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(words), done.stderr))


def source(name, element):
    """The file with its type filled in."""
    c, fortran, rust, _ = KINDS[element]
    real = rust if name.endswith(".rs") else c
    with open(os.path.join(inputs, name)) as given:
        text = given.read()
    text = re.sub(r"\bREAL\b", real, text).replace("_KIND", "_" + fortran).replace("(KIND)", "(%s)" % fortran)
    with open(name, "w") as out:
        out.write(text)
    return name


def from_ir(files, with_plugin):
    """Objects of files of LLVM IR from compilers with another LLVM."""
    for file in files:
        call(clang, *EXACT, *with_plugin, "-Wno-override-module", "-x", "ir", "-c", file, "-o", file + ".o")
    return [file + ".o" for file in files]


def compiled(element, with_plugin):
    """Objects, and what the link needs besides."""
    if language in ("c", "cpp"):
        call(clang, *EXACT, *with_plugin, "-c", source("heat." + language, element), "-o", "heat.o")
        return ["heat.o"]
    if language == "fortran":
        call(flang, *EXACT, *with_plugin, "-c", source("heat.f90", element), "-o", "heat.o")
        return ["heat.o", "-L" + os.path.join(llvm, "..", "lib"), "-lflang_rt.runtime", "-lm"]
    if route == "rust":
        call("rustc", "-Copt-level=2", "-Cno-prepopulate-passes", "-Cpanic=abort", "--emit=llvm-bc", source("heat.rs", element), "-o", "heat.bc")
        return from_ir(["heat.bc"], with_plugin)
    if route == "rust-plugin":
        plugins = ["-Zllvm-plugins=" + plugin] if with_plugin else []
        call("rustc", "-O", "-Cpanic=abort", *plugins, "--crate-type=lib", "--emit=obj", source("heat.rs", element), "-o", "heat.o",
             env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
        return ["heat.o"]
    if route == "ldc":
        call("ldc2", "-O0", "-release", "-betterC", "-output-ll", "-of=heat.ll", source("heat.d", element))
        return from_ir(["heat.ll"], with_plugin)
    call(python, os.path.join(inputs, "heat.py"), KINDS[element][3], "heat")
    # What is undefined is Numba's handling of errors, in the process of Python.
    return ["-no-pie", "-Wl,--unresolved-symbols=ignore-all"] + from_ir(["heat.%s.ll" % f for f in ("heat2", "heat3", "smooth")], with_plugin)


def program(element, with_plugin):
    name = "with" if with_plugin else "plain"
    runtime = ["-L" + libraries, "-lstencilrt", "-Wl,-rpath," + libraries] if with_plugin else []
    objects = compiled(element, with_plugin)
    if openmp and with_plugin:
        objects.append(os.path.join(inputs, "..", "..", "programs", "Inputs", "team.c"))
    call(clang, "-DREAL=" + element, os.path.join(inputs, "driver.c"), *objects, *runtime, "-o", name)
    return "./" + name


def run_on_threads(program, words, wanted):
    """Where there is no device, the program's own threads do all of the work."""
    environment = {**os.environ, "STENCILOPT_DEVICE": "off", "TEAM_REPORT": "1"}
    got = subprocess.run([program, *words], env=environment, capture_output=True, check=True)
    forks = b"forks: %d" % max(1, int(words[3]))
    if got.stdout != wanted or got.stderr.strip() != forks:
        sys.exit("%s without a device: bytes differ, or not %s: %s" % (words, forks, got.stderr))


def run(element):
    plain, ours = program(element, []), program(element, ["-fpass-plugin=" + plugin] + ["-fopenmp"] * openmp)
    environment = {**os.environ, "STENCILOPT_DEVICE": "sim", "STENCILOPT_REPORT": "each"}
    for words in RUNS:
        wanted = subprocess.run([plain, *words], capture_output=True, check=True)
        got = subprocess.run([ours, *words], env=environment, capture_output=True, check=True)
        if got.stdout != wanted.stdout:
            sys.exit("%s %s: bytes differ" % (element, words))
        if words[3] == "20" and not re.search(rb"sim.* steps \d+, bT ([2-9]|1\d)", got.stderr):
            sys.exit("%s %s did not run several steps at a time: %s" % (element, words, got.stderr.decode()))
        if words[0] == "smooth" and not re.search(rb"sim.* steps 1,", got.stderr):
            sys.exit("%s %s did not run on the device: %s" % (element, words, got.stderr.decode()))
        if openmp:
            run_on_threads(ours, words, wanted.stdout)
    print("%s %s: %d runs equal" % (route, element, len(RUNS)))


run(element_type)
