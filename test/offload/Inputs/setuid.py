# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""setuid.py PROGRAM [NAME=VALUE...]: runs a copy of the program that belongs to root as another user,
with these variables: as it is, with the set-user-id bit, and with the set-group-id bit."""

import os
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534


def run(program, environment):
    child = subprocess.run([program], env=environment, cwd="/", user=NOBODY, group=NOBODY, extra_groups=[],
                           capture_output=True, text=True, timeout=60)
    return child.stdout + child.stderr + ("exit %d\n" % child.returncode if child.returncode else "")


def main():
    environment = dict(word.split("=", 1) for word in sys.argv[2:])
    with tempfile.TemporaryDirectory(dir=os.path.dirname(sys.argv[1])) as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(sys.argv[1], os.path.join(folder, "program"))
        for mode in 0o755, 0o4755, 0o2755:
            os.chmod(program, mode)
            print("mode %o" % mode)
            print(run(program, environment), end="")


main()
