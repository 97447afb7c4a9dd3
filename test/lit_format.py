# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs a test. Where STENCIL_TESTS=few, two of three tests in test/detect compile without code for GPUs, other ones each
turn: much of the time goes into LLVM's code generators, and these tests look at what comes before. Tests that name code have it
always. Where STENCIL_PROCESSOR_TIMES names a file, the processor time of all that each test ran is added there."""

import copy
import os
import re
import resource
import zlib

import lit.formats

CODE = re.compile(r"\bptx|gfx\d|hsaco|libdevice|stencilopt-code")


def has_code(test):
    path = test.path_in_suite
    number = int(os.environ.get("STENCIL_TURN", 0))
    turn = zlib.crc32("/".join(path).encode()) + number + number // 3  # tools/hostile runs a test every third turn
    if os.environ.get("STENCIL_TESTS") != "few" or path[0] != "detect" or turn % 3 == 0:
        return True
    with open(test.getSourcePath(), encoding="utf-8", errors="replace") as source:
        return CODE.search(source.read()) is not None


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class Test(lit.formats.ShTest):
    def execute(self, test, lit_config):
        if not has_code(test):
            test.config = copy.copy(test.config)
            test.config.environment = {**test.config.environment, "STENCILOPT_CODE": "0"}
        before = used()
        result = super().execute(test, lit_config)
        if "STENCIL_PROCESSOR_TIMES" in os.environ:
            with open(os.environ["STENCIL_PROCESSOR_TIMES"], "a") as times:
                times.write("%8.2f %s\n" % (used() - before, "/".join(test.path_in_suite)))
        return result
