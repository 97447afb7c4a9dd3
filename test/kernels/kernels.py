# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the lines before the kernels in test/kernels/*.cu say, and launches that fit them. A file of
LLVM IR may have such lines too, with ; for // and anywhere.

    // types: float double int [; also short char]      what -DT= may be in this file, or may be on request
    // NAME: ARGUMENT... [| CELLS]; threads X[,Y[,Z]] [; block X[,Y[,Z]]] [; strided] [; once] [; bench SIZES...]

ARGUMENT, in the kernel's order:
    a           a buffer of T with CELLS elements (the product of all sizes, unless said after |)
    a[EXPR]     a buffer of EXPR elements; a:i32[EXPR] of that type
    a:i32(EXPR,EXPR) a buffer of these numbers
    b@a         the buffer a again; b@a+EXPR from that element on, and less long
    n nx ny nz  a size, i32; nx:i64 and nx:u32 are of that type
    p=EXPR      an i32 that follows from the sizes; p:i64=EXPR is of that type
    w=0.3       a T
    { ... }     a struct of these, passed by value; of two fields at least (for AMD's GPUs clang passes others as
                their field)
threads: as many along each dimension cover the grid; launches may be smaller or larger, also in
dimensions not named. With `exactly` in its place just as many are launched (there is no guard).
block: the only block that the kernel is made for. strided: any number of threads does all cells. once:
no two threads have the same cell, of which each would read what the other wrote.
bench: the sizes to measure it at, all alike (4096) or one by one (1024x16384), in alphabetical order.
EXPR are of the sizes; quotients are rounded up."""

import math
import os
import random
import re

TYPES = {"float": "f32", "double": "f64", "int": "i32", "short": "i16", "char": "i8"}
SIZE = re.compile(r"n[xyz]?$")
MOST_THREADS = 1024
LARGEST = {1: 5000, 2: 300, 3: 70}  # a size, by how many there are
CELLS = 12000
EDGES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 24, 31, 32, 33, 34, 35, 40, 50, 63, 64, 65,
         66, 70, 96, 100, 127, 128, 129, 200, 255, 256, 257, 300, 511, 512, 513, 1000, 1025, 2500, 5000]
BLOCKS = {
    1: [(b,) for b in (256, 128, 64, 512, 1024, 32, 1, 7, 33, 96, 100, 200)],
    2: [(32, 8), (16, 16), (32, 4), (64, 4), (8, 8), (32, 32), (128, 2), (256, 1), (32, 1), (1, 32), (1, 1),
        (13, 7), (33, 3), (16, 4), (5, 9)],
    3: [(32, 4, 4), (8, 8, 4), (32, 2, 2), (4, 4, 4), (16, 4, 2), (64, 2, 2), (8, 4, 8), (32, 8, 1), (32, 1, 1),
        (1, 1, 1), (5, 3, 2), (33, 2, 1)],
}


def value(text, sizes):
    return math.ceil(eval(text, {"__builtins__": {}}, dict(sizes)))


class Argument:
    def __init__(self, text):
        name, self.elements, self.expression, self.type = text, None, None, None
        self.is_size = self.is_buffer = False
        self.same = None
        self.numbers = None
        listed = re.match(r"(\w+):(\w+)\(([^()]*)\)$", text)
        if "@" in text:
            name, self.same = text.split("@")
            self.same, _, self.after = self.same.partition("+")
            self.is_buffer = True
        elif listed:
            name, self.type, numbers = listed.groups()
            self.numbers, self.is_buffer = numbers.split(","), True
        elif "[" in text:
            name, self.elements = text.rstrip("]").split("[")
            name, _, self.type = name.partition(":")
            self.is_buffer = True
        elif "=" in text:
            name, self.expression = text.split("=")
            name, _, self.type = name.partition(":")
            self.type = self.type or ("i32" if re.search("[a-z]", self.expression) else "T")
        elif SIZE.match(text.split(":")[0]):
            name, _, self.type = text.partition(":")
            self.is_size, self.type, self.expression = True, self.type or "i32", name
        else:
            self.is_buffer = True
        self.name = name

    def text(self, kernel, sizes, element, seed):
        """As stencil-sim's --arg takes it."""
        if self.numbers:
            return "buf:%s:%d:values=%s" % (self.type, len(self.numbers), "+".join(str(value(n, sizes)) for n in self.numbers))
        if self.is_buffer:
            number, of = next((n, a) for n, a in enumerate(kernel.arguments) if a.name == (self.same or self.name))
            elements = value(of.elements or kernel.cells, sizes)
            if self.same:
                after = min(value(self.after or "0", sizes), elements - 1)
                return "buf:%s:%d:same=%d+%d" % (of.type or element, elements - after, number, after)
            return "buf:%s:%d:rand=%d" % (self.type or element, elements, seed)
        if self.type == "T":
            return "%s:%s" % (element, self.expression if element[0] == "f" else "3")
        return "%s:%d" % (self.type, value(self.expression, sizes))


def structs_of(words):
    """{number of a struct's first field: how many it has}"""
    found, count, first = {}, 0, None
    for word in words:
        if word in "{}" and (word == "{") != (first is None) or len(word) > 1 and set(word) & set("{}"):
            raise SystemExit("structs are { FIELD ... }, apart and not in each other: " + " ".join(words))
        if word == "{":
            first = count
        elif word == "}":
            found[first], first = count - first, None
        else:
            count += 1
    return found


class Kernel:
    def __init__(self, name, description):
        arguments, *rest = [part.strip() for part in description.split(";")]
        arguments, _, self.cells = arguments.partition("|")
        self.name = name
        words = arguments.split()
        self.arguments = [Argument(text) for text in words if text not in "{}"]
        self.structs = structs_of(words)
        listed = [n for a in self.arguments for n in a.numbers or () if SIZE.match(n)]
        self.sizes = [a.name for a in self.arguments if a.is_size] + listed or ["nx", "ny"]
        words = dict(part.partition(" ")[::2] for part in rest)
        self.exact = "exactly" in words
        self.once = "once" in words
        self.threads = words["exactly" if self.exact else "threads"].split(",")
        free = set(re.findall(r"\bn[xyz]?\b", " ".join(self.threads))) - set(self.sizes)
        self.sizes = sorted(set(self.sizes) | free)
        self.cells = self.cells or "*".join(self.sizes)
        self.block = words["block"].split(",") if "block" in words else None
        self.strided, self.bench = "strided" in words, words.get("bench", "").split()

    def buffers(self):
        return [n for n, a in enumerate(self.arguments) if a.is_buffer]

    def values(self, sizes, element, seed):
        return [a.text(self, sizes, element, seed + n) for n, a in enumerate(self.arguments)]


def parse(path, requested=None):
    """The types, or those of them that are requested, and the kernels of a file."""
    source = open(path).read()
    types, _, more = re.search(r"^(?://|;) types: (.*)", source, re.M).group(1).partition("; also ")
    types = [t for t in (types + " " + more).split() if t in requested] if requested else types.split()
    if path.endswith(".ll"):
        return types, [Kernel(*found) for found in re.findall(r"^; (\w+): (.*;.*)", source, re.M)]
    kernels = [Kernel(*found) for found in
               re.findall(r"^// (\w+): (.*;.*)\nKERNEL\b", source, re.M)]
    if len(kernels) != len(re.findall(r"^KERNEL\b", source, re.M)):
        raise SystemExit("%s: each KERNEL wants a line before it that describes it" % path)
    return types, kernels


def ptx_feature(arch):
    """Without a toolkit clang assumes a PTX version that knows no new GPU."""
    return "--cuda-feature=+ptx%d" % (80 if int(re.sub(r"\D", "", arch)) < 100 else 87)


def front_end(clang, path, type_, arch, level):
    """clang's command line that makes device code of a file, on standard output."""
    words = [clang, "--cuda-device-only", "-O" + level, "-DT=" + type_, "-S", "-o", "-",
             "-I", os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")]
    if arch.startswith("sm_"):
        return words + ["-nocudainc", "-nocudalib", "--cuda-gpu-arch=" + arch, ptx_feature(arch),
                        "-Wno-unknown-cuda-version", "-x", "cuda", path]
    return words + ["-nogpuinc", "-nogpulib", "--offload-arch=" + arch, "-x", "hip", path]


def random_sizes(kernel, rng):
    largest = LARGEST[len(kernel.sizes)]
    pool = [n for n in EDGES if n <= largest]
    while True:
        sizes = {s: rng.choice(pool) if rng.random() < 0.7 else rng.randint(1, largest)
                 for s in kernel.sizes}
        if kernel.block:
            if math.prod(value(b, sizes) for b in kernel.block) > MOST_THREADS:
                continue
        if value(kernel.cells, sizes) <= CELLS:
            return sizes


def usual_sizes(kernel):
    """With several blocks in each dimension; divisible by nothing unless they have to be."""
    if kernel.exact:
        return dict(zip(kernel.sizes, {1: [1280], 2: [96, 40], 3: [32, 12, 8]}[len(kernel.sizes)]))
    return dict(zip(kernel.sizes, {1: [1333], 2: [131, 45], 3: [67, 13, 11]}[len(kernel.sizes)]))


def divisor(n, rng, most):
    return rng.choice([d for d in range(1, min(n, most) + 1) if n % d == 0])


def random_block(rank, rng):
    if rng.random() < 0.7:
        return list(rng.choice(BLOCKS[rank]))
    block, room = [], MOST_THREADS
    for _ in range(rank):
        block.append(rng.randint(1, max(1, min(room, 40 if rank > 1 else room))))
        room //= block[-1]
    return block


def exact_launch(kernel, sizes, rng):
    threads = [value(t, sizes) for t in kernel.threads]
    block, room = [], MOST_THREADS
    for d, n in enumerate(threads):
        if kernel.block:
            block.append(value(kernel.block[d], sizes) if d < len(kernel.block) else 1)
        else:
            block.append(divisor(n, rng, room))
        room //= block[-1]
    return [n // b for n, b in zip(threads, block)], block


def covering_grid(threads, block):
    return [max(1, -(-t // b)) for t, b in zip(threads, block)]


def one_thread(kernel, block):
    """Along dimensions with one thread all further ones would do the same cells: where that must not be, it stays alone.
    These dimensions."""
    alone = [d for d, t in enumerate(kernel.threads) if t == "1" and kernel.once and not kernel.block]
    for d in alone:
        block[d] = 1
    return alone


def free_launch(kernel, sizes, rng):
    threads = [value(t, sizes) for t in kernel.threads]
    block = [value(b, sizes) for b in kernel.block] if kernel.block else random_block(len(threads), rng)
    alone = one_thread(kernel, block)
    grid, kind = covering_grid(threads, block), rng.random()
    along = rng.choice([d for d in range(len(grid)) if d not in alone])
    if kind < 0.15:
        grid[along] += rng.randint(1, 3)
    elif kind < 0.3:
        grid[along] = rng.randint(1, grid[along])
    elif kind < 0.4 and len(grid) < 3 and not kernel.once:
        grid.append(2)
    elif kind < 0.45 and len(block) < 3 and not kernel.block and not kernel.once and math.prod(block) <= MOST_THREADS // 2:
        block.append(2)
        grid.append(1)
    return grid, block


class Launch:
    """One launch of a kernel; `line` holds stencil-sim's options for it."""

    def __init__(self, kernel, element, rng, usual):
        self.kernel = kernel
        sizes = usual_sizes(kernel) if usual else random_sizes(kernel, rng)
        if usual and not kernel.block:
            self.block = list(BLOCKS[len(kernel.threads)][0])
            one_thread(kernel, self.block)
            self.grid = covering_grid([value(t, sizes) for t in kernel.threads], self.block)
        elif kernel.exact:
            self.grid, self.block = exact_launch(kernel, sizes, rng)
        else:
            self.grid, self.block = free_launch(kernel, sizes, rng)
        words = ["--kernel", kernel.name, "--grid", ",".join(map(str, self.grid)), "--block",
                 ",".join(map(str, self.block))]
        if not usual and rng.random() < 0.2:  # vectors of cells are not aligned then
            words += ["--offset", str(rng.randint(1, 3))]
        for n, text in enumerate(kernel.values(sizes, element, rng.randrange(1000))):
            words += ["--struct", str(kernel.structs[n])] if n in kernel.structs else []
            words += ["--arg", text]
        for n in kernel.buffers():
            words += ["--hash", str(n)]
        self.line = " ".join(words)


def launches(kernel, type_, seed, count):
    """The first is as a user would launch it."""
    rng = random.Random("%s %s %d" % (kernel.name, type_, seed))
    return [Launch(kernel, TYPES[type_], rng, n == 0) for n in range(count)]
