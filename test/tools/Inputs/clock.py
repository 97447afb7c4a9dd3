# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clock.py REGION OPTIONS: seconds that a plan is said to take; bt=8 with cells=8 and chunk=32 is the fastest."""
import sys

options = dict(word.split("=") for word in sys.argv[2].split(";") if word)
seconds = 1 + 0.1 * abs(int(options.get("bt", 9)) - 8) + 0.02 * abs(int(options.get("cells", 4)) - 8)
print(seconds - 0.05 * (options.get("chunk") == "32") + 0.01 * ("max-bt" in options))
