# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels on the simulator with cells close together, and with rows or planes more than
2 GiB apart, in memory of which only the touched pages exist: the results must be the same.

  strides.py LIBSTENCILSIM FOLDER    with what save-temps left in the folder: one float stencil
                                     without scalars"""

import array
import ctypes
import glob
import itertools
import random
import re
import sys

FAR = (1 << 29) + 32  # elements; times the fourth row no longer fits 31 bits, nor 32 bits in bytes
AROUND = 48           # rows and planes that padding may take, at either end
LEFT, WIDTH = 64, 576
RADIUS, CHUNK = 4, 5
EXTENTS = {2: (150, 20), 3: (130, 11, 9)}
RANDOM = array.array("f", (random.Random(k).random() for k in range(6000))).tobytes()
TILE = re.compile(r"(\S+_cell): .* a thread has (\d+)x(\d+)x(\d+) cells")
PLAN = re.compile(r"(\S+_stream\d+): bT \d+, tile (\d+)x(\d+), (\d+) warps,.* scratchpad (\d+) bytes")


class Launch(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("grid", ctypes.c_uint32 * 3),
                ("block", ctypes.c_uint32 * 3), ("scratchpad", ctypes.c_uint32),
                ("wave", ctypes.c_uint32), ("args", ctypes.c_void_p),
                ("sizes", ctypes.c_void_p), ("nargs", ctypes.c_uint32)]


class Simulator:
    def __init__(self, path, ir):
        self.library = ctypes.CDLL(path)
        self.library.stencilsim_load.restype = ctypes.c_void_p
        self.library.stencilsim_alloc.restype = ctypes.c_void_p
        self.library.stencilsim_alloc.argtypes = [ctypes.c_size_t, ctypes.c_char_p]
        self.library.stencilsim_free.argtypes = [ctypes.c_void_p]
        self.error = ctypes.create_string_buffer(300)
        self.module = self.library.stencilsim_load(ir, ctypes.c_size_t(len(ir)), self.error, 300)
        assert self.module, self.error.value

    def alloc(self, size):
        memory = self.library.stencilsim_alloc(size, b"grid")
        assert memory, "no address space"
        return memory

    def run(self, kernel, grid, block, scratchpad, values):
        cells = [ctypes.c_uint64(v & (1 << 64) - 1) for v in values]
        args = (ctypes.c_void_p * len(cells))(*map(ctypes.addressof, cells))
        sizes = (ctypes.c_size_t * len(cells))(*[8] * len(cells))
        launch = Launch(kernel.encode(), (ctypes.c_uint32 * 3)(*grid), (ctypes.c_uint32 * 3)(*block),
                        scratchpad, 32, ctypes.addressof(args), ctypes.addressof(sizes), len(cells))
        status = self.library.stencilsim_run(ctypes.c_void_p(self.module), ctypes.byref(launch),
                                             self.error, 300)
        assert status == 0, self.error.value


class Grid:
    """Cells of a layout, `strides` along y and z: those of the halo too start with random values."""

    def __init__(self, simulator, extent, strides, seed):
        self.strides, self.extent, self.free = strides, extent, simulator.library.stencilsim_free
        last = sum((2 * AROUND + e - 1) * s for e, s in zip(extent[1:], strides))
        self.memory = simulator.alloc(4 * (last + WIDTH))
        self.zero = self.memory + 4 * (LEFT + AROUND * sum(strides))
        rng = random.Random(seed)
        width = extent[0] + 2 * RADIUS
        for at in itertools.product(*(range(-RADIUS, e + RADIUS) for e in extent[1:])):
            row = RANDOM[4 * rng.randrange(5000):][:4 * width]
            ctypes.memmove(self.address(at) - 4 * RADIUS, row, 4 * width)

    def address(self, at):
        return self.zero + 4 * sum(a * s for a, s in zip(at, self.strides))

    def domain(self):
        return b"".join(ctypes.string_at(self.address(at), 4 * self.extent[0])
                        for at in itertools.product(*map(range, self.extent[1:])))

    def release(self):
        self.free(self.memory)


def ceil_div(a, b):
    return -(-a // b)


def stream_launch(line, rank, extent):
    kernel, width, height, warps, scratchpad = line
    grid = [ceil_div(extent[0], int(width) * (int(warps) if rank == 2 else 1)), 1, 1]
    if rank == 3:
        grid[1] = ceil_div(extent[1], int(height))
    grid[rank - 1] = ceil_div(extent[-1], CHUNK)
    return kernel, grid, (32 * int(warps), 1, 1), int(scratchpad)


def cell_launch(tile, rank, extent):
    """The blocks, and how many cells of rows are in no tile at the low end: -1: a thread has a cell."""
    block, n = (32, 8, 1), tile or (1, 1, 1)
    grid = [ceil_div(e, b * t) for e, b, t in zip(extent + (1,) * (3 - rank), block, n)]
    if tile:
        columns = extent[0] // n[0]
        grid[0] = ceil_div(columns, block[0]) + (columns * n[0] < extent[0])
    return grid, block, 0 if tile else -1


def run(simulator, kernel, rank, strides, stream, same, tile):
    """The domain of what a kernel wrote, and of what that was before."""
    extent = EXTENTS[rank]
    name, pointers, integers = kernel
    grids = [Grid(simulator, extent, strides, seed) for seed in range(pointers)]
    zeros = [g.zero for g in grids]
    before = grids[0].domain()
    sizes = list(extent) + list(strides) * ((integers - rank) // (rank - 1))
    if stream:
        zeros[2] = zeros[1] if same else zeros[2]
        simulator.run(*stream_launch(stream, rank, extent), zeros + [0] + sizes[:integers - 2] + [CHUNK])
    else:
        grid, block, peeled = cell_launch(tile, rank, extent)
        simulator.run(name, grid, block, 0, zeros + [0] * rank + sizes[:integers - rank - 1] + [peeled])
    after = grids[0].domain()
    for g in grids:
        g.release()
    return before, after


def main():
    simulator = Simulator(sys.argv[1], open(glob.glob(sys.argv[2] + "/*.ll")[0], "rb").read())
    text = open(glob.glob(sys.argv[2] + "/*.ll")[0]).read()
    rank = int(re.search(r"rank (\d)", open(glob.glob(sys.argv[2] + "/*.stencil")[0]).read()).group(1))
    streams = {m.group(1): m.groups() for m in PLAN.finditer(
        open(glob.glob(sys.argv[2] + "/*.plan")[0]).read())}
    assert streams
    tiles = {m.group(1): tuple(map(int, m.groups()[1:])) for m in TILE.finditer(
        open(glob.glob(sys.argv[2] + "/*.plan")[0]).read())}
    assert tiles
    compact = (WIDTH, WIDTH * 160)[:rank - 1]
    layouts = [(FAR,)] if rank == 2 else [(WIDTH, FAR), (FAR, WIDTH)]
    for name, parameters in re.findall(r"define ptx_kernel void @(\w+)\(([^)]*)\)", text):
        kernel = name, parameters.count("ptr"), parameters.count("i64")
        forms = [(False, None), (True, None)] if name in streams else [(False, None), (False, tiles[name])]
        cells = None
        for same, tile in forms:
            arguments = simulator, kernel, rank
            before, wanted = run(*arguments, compact, streams.get(name), same, tile)
            assert before != wanted, name + " wrote nothing"
            cells = cells or wanted
            assert not tile or wanted == cells, name + ": another result with tiles"
            for layout in layouts:
                found = run(*arguments, layout, streams.get(name), same, tile)[1]
                assert found == wanted, "%s, strides %s: another result" % (name, layout)
                print("ok", name, *layout, "same halo" if same else "tiles" if tile else "")


main()
