# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random scripts for a set of sweeps (main.c says what they are): threads with their acts, signals, an allocator,
an end. A script is plain data, so that a failing one can be made smaller."""

import random

POOL = 1 << 20
HOWS = ("mmap", "mmap", "mmap", "malloc", "malloc", "static", "aligned", "calloc")
ENDS = ("return", "return", "return", "exit", "_exit", "kill", "busy", "thread", "main-first", "at-exit", "at-exit")
ALLOCATORS = ("", "", "", "jemalloc", "mimalloc", "checking")


def sweeps(rng, most=6):
    """Form, steps, times."""
    return [rng.randrange(5), rng.randint(1, most), rng.randint(1, 3)]


# How often, and with which numbers.
KINDS = {
    "sweep": (30, lambda r: sweeps(r)),
    "look": (8, lambda r: [r.randrange(4)]),
    "poke": (5, lambda r: [r.randrange(4), r.randrange(1 << 20), r.randrange(16)]),
    "copy": (2, lambda r: [r.randrange(4), r.randrange(4)]),
    "refill": (2, lambda r: [r.randrange(4), r.randrange(4)]),
    "again": (3, lambda r: [r.randrange(4)]),
    "resize": (3, lambda r: [r.randrange(4), r.randrange(5)]),
    "remap": (2, lambda r: [r.randrange(4)]),
    "discard": (2, lambda r: [r.randrange(4), r.randrange(300)]),
    "hole": (2, lambda r: [r.randrange(4), r.randrange(300)]),
    "protect": (2, lambda r: [r.randrange(4)]),
    "advise": (2, lambda r: [r.randrange(4), r.randrange(8)]),
    "churn": (4, lambda r: [r.randint(1, 20), r.randrange(999)]),
    "pipe": (3, lambda r: [r.randrange(4)]),
    "file": (3, lambda r: [r.randrange(4), r.randrange(4)]),
    "peek": (2, lambda r: [r.randrange(4), r.randrange(1 << 20)]),
    "rounding": (3, lambda r: [r.randrange(6), *sweeps(r)]),
    "small": (3, lambda r: [*sweeps(r), r.randrange(5)]),
    "jump": (3, lambda r: [r.randrange(5), r.choice((1, 4, 100, 100000)), r.randint(100, 9000), 0]),
    "cancel": (2, lambda r: [r.randrange(5), r.choice((1, 4, 100, 100000)), r.randint(100, 9000), r.randrange(2)]),
    "fork": (5, lambda r: [*sweeps(r), r.randrange(4)]),
    "spawn": (1, lambda r: [0, 0, 0, r.randrange(2)]),
    "close": (3, lambda r: [*sweeps(r), r.randrange(2)]),
    "replace": (2, lambda r: [*sweeps(r), r.randrange(3)]),
    "standard": (2, lambda r: [*sweeps(r), 0]),
    "limit": (4, lambda r: [*sweeps(r), r.randrange(12)]),
}


def draw_shape(rng, family):
    """nx, ny, nz, pitch: 40 KB to 1 MB."""
    cells = int(rng.choice((40000, 150000, 300000, 700000)) * rng.uniform(0.7, 1.4) / family["bytes"])
    spare = rng.choice((4, 4, 8, 60))
    if family["rank"] == 1:
        nx, ny, nz = cells, 1, 1
    elif family["rank"] == 2:
        nx = rng.choice((64, 100, 250, 1020, 1024))
        ny, nz = max(8, cells // nx), 1
    else:
        nx = rng.choice((30, 60, 124))
        ny = rng.choice((16, 30))
        nz = max(8, cells // (nx * ny))
    while (nx + spare) * ny * nz * family["bytes"] > POOL:
        nx, ny, nz = (nx, ny, nz * 3 // 4) if nz > 8 else (nx, ny * 3 // 4, nz) if ny > 8 else (nx * 3 // 4, ny, nz)
    return [nx, ny, nz, nx + spare]


def draw_acts(rng, count):
    some = {k: KINDS[k][0] for k in KINDS}
    # Most programs are hostile in a few ways, often.
    for kind in rng.sample(sorted(k for k in KINDS if k not in ("sweep", "look")), 12):
        some[kind] = 0
    kinds = rng.choices(list(some), list(some.values()), k=count)
    return [{"kind": k, "numbers": (KINDS[k][1](rng) + [0] * 4)[:4]} for k in kinds]


def draw_thread(rng, families, count):
    family = rng.randrange(len(families))
    return {"family": family, "shape": draw_shape(rng, families[family]), "seed": rng.randint(1, 1 << 30),
            "hows": [rng.choice(HOWS) for _ in range(4)], "acts": draw_acts(rng, count)}


def draw(seed, sets):
    """sets: of each its families. A program's script, by its seed alone."""
    rng = random.Random("stress script %d" % seed)
    of = rng.randrange(len(sets))
    threads = rng.choice((1, 1, 1, 2, 2, 3, 4))
    case = {"seed": seed, "set": of, "threads": [draw_thread(rng, sets[of], rng.randint(6, 40 // threads + 4)) for _ in range(threads)]}
    case["signals"] = [[w, rng.choice((300, 1000, 5000)), rng.choice((1, 1, 2, 3, 4, 5))]
                       for w in rng.sample(("real", "prof", "virtual", "pester"), rng.choice((0, 0, 1, 1, 2)))]
    case["atfork"] = rng.random() < 0.15
    case["end"] = rng.choice(ENDS)
    case["allocator"] = rng.choice(ALLOCATORS)
    return case


def text(case):
    lines = []
    for t in case["threads"]:
        lines.append("thread %d %s %d %s" % (t["family"], " ".join(map(str, t["shape"])), t["seed"], " ".join(t["hows"])))
        lines += ["act %s %s" % (a["kind"], " ".join(map(str, a["numbers"]))) for a in t["acts"]]
    lines += ["signal %s %d %d" % tuple(s) for s in case["signals"]]
    lines += ["atfork"] * case["atfork"] + ["end " + case["end"]]
    return "\n".join(lines) + "\n"


def smaller(case):
    """Cases with less in them, the greatest cuts first."""
    if len(case["threads"]) > 1:
        for i in range(len(case["threads"])):
            yield dict(case, threads=case["threads"][:i] + case["threads"][i + 1:])
    for i in range(len(case["signals"])):
        yield dict(case, signals=case["signals"][:i] + case["signals"][i + 1:])
    for name, plain in ("allocator", ""), ("end", "return"), ("atfork", False):
        if case[name] != plain:
            yield dict(case, **{name: plain})
    for size in (8, 4, 2, 1):
        for i, t in enumerate(case["threads"]):
            for at in range(0, len(t["acts"]), size):
                if len(t["acts"]) >= size > 0:
                    less = dict(t, acts=t["acts"][:at] + t["acts"][at + size:])
                    yield dict(case, threads=case["threads"][:i] + [less] + case["threads"][i + 1:])
