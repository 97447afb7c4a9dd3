# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The main loop of a kernel in machine code, AMD's by llvm-objdump or NVIDIA's by nvdisasm, and what it consists of."""

import re

from common import call

# Of what an instruction is, the first that matches; the rest is control. AMD's names, then NVIDIA's.
CLASSES = [("exchange", r"\S*_dpp\b|v_permlane|ds_b?permute|ds_swizzle|SHFL"), ("lds", r"ds_|LDS\b|STS\b|LDGSTS"),
           ("memory", r"global_|flat_|buffer_|scratch_|LDG|STG"),
           ("valu", r"v_|F(ADD|MUL|FMA|SEL|SETP|MNMX)|D(ADD|MUL|FMA|SETP)|I(ADD|MAD|MNMX|SETP)|MUFU|LOP3|SHF|PRMT|MOV\b|SEL")]
WHOLE = r"global_store_(dwordx4|b128)|STG\.E\.128"  # a lane's vector of 16 bytes..
SINGLE = r"global_store_(dword|b32)(x2)? |global_store_b64|STG\.E(\.64)? "  # ..or one cell, at the border
LDS_BITS = r"ds_(?:read|write|load|store)(2?)\w*?_b(\d+)"


def _amd(objdump, path, kernel):
    """(address, text, address of the target of a branch or None) of each instruction."""
    code = []
    text = call([objdump, "-d", "--no-show-raw-insn", "--disassemble-symbols=" + kernel, path])
    for line in text.splitlines():
        found = re.match(r"\s+(\S.*?)\s*// ([0-9A-F]+):(?: .*<%s\+0x([0-9a-f]+)>)?" % kernel, line)
        if found:
            code.append((int(found.group(2), 16), found.group(1), found.group(3)))
    start = code[0][0] if code else 0
    return [(a, t, start + int(to, 16) if to and re.match(r"s_c?branch", t) else None) for a, t, to in code]


def _nvidia(nvdisasm, path, kernel):
    code, labels, here = [], {}, False
    for line in call([nvdisasm, "-c", path]).splitlines():
        if line.startswith(".section") or line.startswith("//--"):
            here = ".text.%s" % kernel in line
        label = re.match(r"(\.L_x_\d+):", line)
        if here and label:
            labels[label.group(1)] = len(code)
        found = re.match(r"\s+/\*([0-9a-f]+)\*/\s+(?:@!?\w+\s+)?(.*?)\s*;", line)
        if here and found:
            code.append((found.group(2), re.search(r"`\((\.L_x_\d+)\)", line)))
    return [(k, t, labels.get(to.group(1)) if to and t.startswith("BRA") else None) for k, (t, to) in enumerate(code)]


def count(loop, pattern):
    return sum(bool(re.match(pattern, text)) for text in loop)


def main_loop(tools, path, kernel):
    """The instructions between a branch back and its target: of the loops that store vectors of cells, the longest
    of those with the fewest stores of single cells, which are the border's."""
    code = _nvidia(tools.nvdisasm, path, kernel) if tools.arch.startswith("sm_") else _amd(tools.objdump, path, kernel)
    best, best_key = [], (-1 << 30, 0)
    ends = {target: k for k, (address, _, target) in enumerate(code) if target is not None and target <= address}
    for target, k in ends.items():
        loop = [t for a, t, _ in code[:k + 1] if a >= target]
        key = (-count(loop, SINGLE), len(loop))
        if count(loop, WHOLE) and key > best_key:
            best, best_key = loop, key
    return best


def mix(loop):
    """{class: instructions}; and "lds bytes", of a lane."""
    counted = dict.fromkeys([name for name, _ in CLASSES], 0)
    counted["lds bytes"] = 0
    for text in loop:
        name = next((name for name, pattern in CLASSES if re.match(pattern, text)), None)
        if name:
            counted[name] += 1
        bits = re.match(LDS_BITS, text)
        if bits:
            counted["lds bytes"] += int(bits.group(2)) // 8 * (2 if bits.group(1) else 1)
    return counted


def wait_states(loop):
    """s_nop: what the compiler found nothing to fill with."""
    return sum(int(text.split()[1]) + 1 for text in loop if text.startswith("s_nop"))


def cycles(tools, loop, triple="amdgcn"):
    """Of an iteration of a wave that is alone, by LLVM's model of the processor, in which an instruction for all lanes
    takes one; None where there is none."""
    known = "\n".join(t for t in loop if not re.match(r"s_c?branch", t)) + "\n"
    text = call([tools.mca, "-mtriple=" + triple, "-mcpu=" + tools.arch, "-iterations=10", "-instruction-info=0",
                 "-resource-pressure=0", "-"], input=known)
    found = re.search(r"Total Cycles: +(\d+)", text)
    return int(found.group(1)) / 10 if found else None
