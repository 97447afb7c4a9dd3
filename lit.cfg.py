# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit runs the tests under test/. The build's own paths come from test/lit.site.cfg.py.in:
# run `lit build/test`, or `ninja -C build check`.

import atexit
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(config.stencilopt_source, "test"))
import lit_format  # noqa: E402

config.name = "StencilOpt"
config.test_format = lit_format.Test(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".cu", ".f90", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.stencilopt_source, "test")
config.test_exec_root = os.path.join(config.stencilopt_build, "test")


def program(*candidates):
    """The first that exists: a path, or a name on LLVM's path or the caller's."""
    for candidate in candidates:
        found = shutil.which(candidate, path=config.environment["PATH"])
        if found:
            return found
    return None


config.environment["PATH"] = os.pathsep.join([config.llvm_tools, os.environ.get("PATH", "")])
# The simulator compiles many kernels that do little each.
config.environment["STENCILOPT_SIM_OPTIMISE"] = "0"
for name in "HOME", "STENCILOPT_RUNTIME", "STENCIL_TESTS", "STENCIL_TURN", "CUDA_PATH":
    if name in os.environ:
        config.environment[name] = os.environ[name]
# What tests share that build the same (test/programs/compare.py); it goes when lit ends. One that was killed leaves it behind.
os.makedirs(config.test_exec_root, exist_ok=True)
for left in glob.glob(os.path.join(config.test_exec_root, "shared-*-*")):
    if not os.path.exists("/proc/" + os.path.basename(left).split("-")[1]):
        shutil.rmtree(left, True)
config.environment["STENCIL_SHARED"] = tempfile.mkdtemp(prefix="shared-%d-" % os.getpid(), dir=config.test_exec_root)
atexit.register(shutil.rmtree, config.environment["STENCIL_SHARED"], True)
# A plugin with sanitizers is loaded by programs without. LLVM frees little at its end.
if config.stencilopt_preload:
    config.available_features.add("sanitizers")
    config.environment["LD_PRELOAD"] = config.stencilopt_preload
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allocator_may_return_null=1"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
if config.stencilopt_tiny_limits:
    config.available_features.add("tiny-limits")

cuda = [p for p in (os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/usr/lib/nvidia-cuda-toolkit")
        if p]
nvcc = program("nvcc", *(os.path.join(p, "bin", "nvcc") for p in cuda))
ptxas = program("ptxas", *(os.path.join(p, "bin", "ptxas") for p in cuda))
def has_z3(python):
    return subprocess.run([python, "-c", "import z3"], capture_output=True).returncode == 0


# Debian's package is for Debian's Python, which may not be the one that CMake found.
python_z3 = next((p for p in (config.python, "/usr/bin/python3") if os.path.exists(p) and has_z3(p)), None)
flang = program(os.path.join(config.llvm_tools, "flang"))  # another version takes no plugin for this one
for feature, tool in ("cuda-toolkit", nvcc), ("ptxas", ptxas), ("flang", flang), ("z3", python_z3):
    if tool:
        config.available_features.add(feature)

# Both MPIs of Debian, which may be installed together.
for mpi in "openmpi", "mpich":
    if program("mpicc." + mpi) and program("mpiexec." + mpi):
        config.available_features.add("mpicc." + mpi)

# May arrays be watched (lib/runtime/watch/watch.h)? The runtime itself says so.
asks = "import ctypes, sys; sys.exit(not ctypes.CDLL(sys.argv[1]).stencilrt_notify(5, None, ctypes.c_uint64(0)))"
runtime = os.path.join(config.stencilopt_build, "lib", "libstencilrt.so")
if subprocess.run([config.python, "-c", asks, runtime], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("userfaultfd")



def reads_as_nobody():
    """Can a user without rights run what is built here?"""
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "cat", runtime]
    return os.geteuid() == 0 and bool(program("setpriv")) and subprocess.run(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


if "userfaultfd" in config.available_features and os.uname().machine == "x86_64" and reads_as_nobody():
    config.available_features.add("plain-user")


def runs_set_user_id():
    """Has a root's program with the set-user-id bit root's rights for another user, in the tests' folder? Not
    where we are not root ourselves, the file system is mounted nosuid, or a parent gave up new privileges."""
    id_program = program("id")
    if os.geteuid() != 0 or not id_program:
        return False
    os.makedirs(config.test_exec_root, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=config.test_exec_root) as folder:
        os.chmod(folder, 0o755)
        copy = shutil.copy(id_program, folder)
        os.chmod(copy, 0o4755)
        try:
            said = subprocess.run([copy, "-u"], user=65534, group=65534, extra_groups=[], capture_output=True)
        except OSError:
            return False
    return said.stdout == b"0\n"


if runs_set_user_id():
    config.available_features.add("set-user-id")

# lit replaces them in this order, and before its own, so %plugin is not taken for %p.
plugin = os.path.join(config.stencilopt_build, "lib", "libstencilopt.so")
config.substitutions += [
    ("%plugin", plugin),
    ("%build", config.stencilopt_build),
    ("%runtime-name", "libstencilrt.so." + config.stencilopt_abi),
    ("%clang", os.path.join(config.llvm_tools, "clang")),
    ("%opt", "%s -load-pass-plugin=%s" % (os.path.join(config.llvm_tools, "opt"), plugin)),
    ("%stencil-sim", os.path.join(config.stencilopt_build, "bin", "stencil-sim")),
    ("%python-z3", python_z3 or "python3"),
    ("%python", config.python),
    ("%nvcc", nvcc or "nvcc"),
    ("%ptxas", ptxas or "ptxas"),
    ("%toolkit", os.path.dirname(os.path.dirname(nvcc or "/bin/nvcc"))),
    ("%flang", os.path.join(config.llvm_tools, "flang")),
]

# May a test mount what it likes, in a namespace of its own?
if shutil.which("unshare") and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0:
    config.available_features.add("mount-namespace")
