# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rates.py FOLDER: what `rate` might print for the plans in FOLDER/search.tar.xz. The pick gets 100 GCells/s, the next
plan 104, all others less."""

import json
import sys
import tarfile

with tarfile.open(sys.argv[1] + "/search.tar.xz") as archive:
    facts = json.load(archive.extractfile("facts.json"))
for case in facts.values():
    for k, plan in enumerate(case["plans"]):
        print("%s registers 9 spilled 0 resident 1 chunk 7 rate %.2f spread 0.01" % (plan["name"], [100, 104][k] if k < 2 else 50))
