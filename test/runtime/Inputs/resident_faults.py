# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""resident_faults.py PLAIN PROGRAM MODE STRIDE: the k-th call of the driver fails, alone or with all
that follow, for each STRIDE-th k. The output must be the plain program's, or the program must have
said that it lost an array and ended itself. Both must happen."""

import os
import signal
import subprocess
import sys

plain, program, mode, stride = sys.argv[1:5]
want = subprocess.run([plain, mode], capture_output=True, check=True).stdout
right = lost = 0
for sticky in "0", "1":
    k = 1
    while True:
        env = dict(os.environ, STUBGPU_FAIL="all:%d" % k, STUBGPU_STICKY=sticky, STUBGPU_TRACE="1")
        ran = subprocess.run([program, mode], capture_output=True, env=env, timeout=60)
        if ran.returncode == -signal.SIGABRT and b"the only copy of an array" in ran.stderr:
            lost += 1
        elif ran.returncode == 0 and ran.stdout == want:
            right += 1
        else:
            sys.exit("call %d, sticky %s: status %d, %r, %r"
                     % (k, sticky, ran.returncode, ran.stdout, ran.stderr[-500:]))
        if b" fails" not in ran.stderr:
            break
        k += int(stride)
print("right %d, lost %d" % (right, lost))
sys.exit(right < 10 or lost < 10)
