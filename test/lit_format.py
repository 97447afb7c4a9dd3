# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs a test. Where STENCIL_TESTS=few, two of three tests in the folders named here compile without code for GPUs, other
ones each turn: most of the time goes into LLVM's code generators, and these tests look at what comes before. A RUN line that
looks at code says -stencilopt-code=1. Where STENCIL_PROCESSOR_TIMES names a file, the processor time of all that each test ran
is added there."""

import copy
import os
import resource
import zlib

import lit.formats

WITHOUT_CODE = ("detect", "offload")


def has_code(path):
    turn = zlib.crc32("/".join(path).encode()) + int(os.environ.get("STENCIL_TURN", 0))
    return os.environ.get("STENCIL_TESTS") != "few" or path[0] not in WITHOUT_CODE or turn % 3 == 0


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class Test(lit.formats.ShTest):
    def execute(self, test, lit_config):
        if not has_code(test.path_in_suite):
            test.config = copy.copy(test.config)
            test.config.environment = {**test.config.environment, "STENCILOPT_CODE": "0"}
        before = used()
        result = super().execute(test, lit_config)
        if "STENCIL_PROCESSOR_TIMES" in os.environ:
            with open(os.environ["STENCIL_PROCESSOR_TIMES"], "a") as times:
                times.write("%8.2f %s\n" % (used() - before, "/".join(test.path_in_suite)))
        return result
