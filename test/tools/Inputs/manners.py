# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""manners.py SOURCE FOLDER: every program of tools/, in a copy of the sources without a build, answers --help, names an
option that it does not know, and says what is missing."""
import os
import shutil
import subprocess
import sys

source, copy = sys.argv[1:]
shutil.rmtree(copy, ignore_errors=True)
for folder in "tools", "test", "docs", "lib":
    shutil.copytree(os.path.join(source, folder), os.path.join(copy, folder), symlinks=True)

# What each says where there is no build; the others need none.
WITHOUT = {
    "tools/soak": (["1"], "no plugin at"), "tools/packages": ([], "no plugin at"), "tools/wheel": ([], "no build in"),
    "tools/bench/compile": ([], "no plugin at"), "tools/bench/compile-time": ([], "no plugin at"),
    "tools/bench/amdgpu": ([], "no plugin at"), "tools/bench/sanitize": (["--build", "x"], "no plugin at"),
    **{"tools/bench/" + n: (["--build", "x"], "no plugin at") for n in ("suite", "forms", "search", "sizes", "kernels", "apps")},
}
# What they say where there is nothing to measure.
NOTHING = {"tools/bench/" + n: (["--run", "x"], "x/%s.tar.xz is not there; make it with --build x" % n)
           for n in ("suite", "forms", "search", "sizes", "kernels", "apps", "columns")}
OTHERS = ("tools/accelerate-clang",)  # all words are clang's


def call(name, words):
    done = subprocess.run([os.path.join(copy, name), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          cwd=copy, timeout=60)
    return done.returncode, done.stdout, done.stderr


def complain(name, words, status, out, err):
    print("%s %s: status %d: %s" % (name, " ".join(words), status, (out + err)[:300]))
    return 1


def main():
    wrong = count = 0
    names = [os.path.join(folder, n) for folder in ("tools", "tools/bench") for n in sorted(os.listdir(os.path.join(copy, folder)))]
    for name in names:
        path = os.path.join(copy, name)
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            continue
        count += 1
        status, out, err = call(name, ["--help"])
        if status or len(out.splitlines()) < 2 or err:
            wrong += complain(name, ["--help"], status, out, err)
        status, out, err = call(name, ["--no-such-option"] if name != "tools/check" else ["--help"])
        if name not in OTHERS and name != "tools/check" and (status != 2 or out or "Traceback" in err):
            wrong += complain(name, ["--no-such-option"], status, out, err)
        for words, message in filter(None, (WITHOUT.get(name), NOTHING.get(name))):
            status, out, err = call(name, words)
            if not status or message not in err or "Traceback" in err:
                wrong += complain(name, words, status, out, err)
    print("%d programs, %d wrong" % (count, wrong))
    sys.exit(wrong > 0 or count < 15)


main()
