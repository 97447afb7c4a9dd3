# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the lines that simulated caches fetch with the formulas of N. Prasetya, "Improving Cache
Performance in Structured GPGPU Workloads via Specialized Thread Schedules" (2022).

    cache_formulas.py STENCIL-SIM

L is the cells of a line, M the lines of the cache, F the lines fetched. Each formula has a
condition on M; where it holds, F must be within 5 %.

The thesis counts a stencil's halo as if the input had it, so here the input does (`pad`).

Equation 3.7, for a cache of a row of A and a column of B, has a term D I_w I_h: that counts each
element of B that is read, although a column's lines hold L columns. It is right for L = 1; for
larger ones its I_w must be ceil(I_w / L), as in equation 3.10. Both are tested. For a product in
columns the thesis gives the least M (section 4.4) and no F: what it implies is that A is read once
for each column of outputs, and B once.

Equation 3.9 and that least M count one row of A beside what is kept of B. With LRU two rows must
have room: when a row of B comes again, the last row of A has been used after it, and so has the
new one.
"""

import sys

from cache_runs import Product, Stencil, fetched, run

TOLERANCE = 0.05


def ceil_div(n, d):
    return -(-n // d)


def row_lines(s, width, L):
    """Lines under `width` outputs: the ceiling in equations 3.2, 3.3, 3.5 and 4.8."""
    return ceil_div(width + s.sw, L)


def eq_3_2(s, L):
    return row_lines(s, s.iw, L) * s.sh


def f_naive_small(s, L):
    """Section 3.3.1, where equation 3.2 does not hold."""
    return row_lines(s, s.iw, L) * s.ih * s.sh


def f_naive(s, L):
    """Section 3.3.1, where it does."""
    return row_lines(s, s.iw, L) * s.ih


def eq_3_3(s, L):
    return row_lines(s, s.w, L) * s.sh


def eq_3_4(s, L, M):
    """The widest tile or column for a cache."""
    return L * M // s.sh - s.sw


def eq_3_5(s, L):
    tiles = ceil_div(s.iw, s.w) * ceil_div(s.ih, s.h)
    return tiles * row_lines(s, s.w, L) * (s.h + s.sh)


def eq_4_8(s, L):
    return ceil_div(s.iw, s.w) * row_lines(s, s.w, L) * (s.ih + s.sh)


def column_width(s, L, M):
    """Section 4.3: c from M_size, in cells, with one active thread."""
    return (L * M - (s.sh * s.sw + 1)) // s.sh


def eq_3_6(p, L):
    return ceil_div(p.d, L) + p.d + 1


def eq_3_7(p, L):
    return ceil_div(p.d, L) * p.ih + p.d * p.iw * p.ih


def f_3_7_by_lines(p, L):
    return ceil_div(p.d, L) * p.ih + p.d * ceil_div(p.iw, L) * p.ih


def eq_3_8(p, L):
    return (ceil_div(p.d, L) + p.d) * p.iw * p.ih


def eq_3_9(p, L):
    return ceil_div(p.d, L) + ceil_div(p.iw * p.d, L) + 1


def eq_3_10(p, L):
    return ceil_div(p.d, L) * p.ih + ceil_div(p.iw, L) * p.d


def m_product_columns(p, L):
    return ceil_div(p.d, L) + p.d * ceil_div(p.w, L)


def f_product_columns(p, L):
    return ceil_div(p.iw, p.w) * ceil_div(p.d, L) * p.ih + ceil_div(p.iw, L) * p.d


class Check:
    def __init__(self, simulator):
        self.simulator, self.failures = simulator, 0

    def measure(self, case, L, M):
        buffers = (0,) if isinstance(case, Stencil) else (0, 1)
        return fetched(run(self.simulator, case, M, L), buffers)

    def close(self, name, case, L, M, expected):
        got = self.measure(case, L, M)
        off = got / expected - 1
        good = abs(off) <= TOLERANCE
        self.failures += not good
        print(f"{'ok' if good else 'FAILED':6} {name:34} M {M:4} L {L}  formula {expected:6}  "
              f"simulated {got:6}  {100 * off:+.1f} %")

    def apart(self, name, case, L, M, expected):
        """Where the condition does not hold, more is fetched."""
        got = self.measure(case, L, M)
        good = got > (1 + TOLERANCE) * expected
        self.failures += not good
        print(f"{'ok' if good else 'FAILED':6} {name:34} M {M:4} L {L}  above   {expected:6}  "
              f"simulated {got:6}")


def check_stencils(check):
    L = 4
    naive = Stencil(64, 160, 7, 7, 64, 160, pad=3)
    check.close("3.2 holds", naive, L, eq_3_2(naive, L), f_naive(naive, L))
    check.close("3.2 holds by far", naive, L, 4 * eq_3_2(naive, L), f_naive(naive, L))
    check.close("3.2 does not hold", naive, L, 24, f_naive_small(naive, L))
    wide = Stencil(248, 96, 9, 3, 248, 96, pad=4)
    check.close("3.2 holds, 9x3", wide, L, eq_3_2(wide, L), f_naive(wide, L))
    check.close("3.2 does not hold, 9x3", wide, L, 24, f_naive_small(wide, L))
    tiles = Stencil(64, 64, 7, 7, 32, 32, pad=3)
    M = eq_3_3(tiles, L)
    check.close("3.3, 3.5: tiles", tiles, L, M, eq_3_5(tiles, L))
    assert tiles.w <= eq_3_4(tiles, L, M) < 2 * tiles.w
    larger = Stencil(128, 128, 7, 7, 64, 64, pad=3)
    check.apart("3.4: tiles too wide", larger, L, M, eq_3_5(larger, L))
    columns = Stencil(64, 160, 7, 7, 32, 160, pad=3)
    check.close("4.8: columns", columns, L, eq_3_3(columns, L), eq_4_8(columns, L))
    table_3_1 = Stencil(16, 16, 7, 7, 4, 16, pad=3)
    assert table_3_1.w <= column_width(table_3_1, L, 24) < 2 * table_3_1.w
    check.close("4.8: figure 4.4", table_3_1, L, 24, eq_4_8(table_3_1, L))
    too_wide = Stencil(16, 64, 7, 7, 8, 64, pad=3)
    check.apart("4.3: table 3.1's width of 8", too_wide, L, 24, eq_4_8(too_wide, L))


def check_products(check):
    naive = Product(32, 32, 32, 32, 32)
    check.close("3.6, 3.7", naive, 1, eq_3_6(naive, 1), eq_3_7(naive, 1))
    check.close("3.6, 3.7 with lines of B", naive, 4, eq_3_6(naive, 4), f_3_7_by_lines(naive, 4))
    check.close("3.6 does not hold: 3.8", naive, 4, eq_3_6(naive, 4) // 2, eq_3_8(naive, 4))
    row = ceil_div(naive.d, 4)
    check.close("3.9 for LRU, 3.10", naive, 4, eq_3_9(naive, 4) + row, eq_3_10(naive, 4))
    check.apart("3.9 as it stands", naive, 4, eq_3_9(naive, 4), eq_3_10(naive, 4))
    table_3_2 = Product(16, 16, 16, 16, 16)
    check.close("table 3.2, naive", table_3_2, 4, 32, f_3_7_by_lines(table_3_2, 4))
    columns = Product(32, 32, 32, 8, 32)
    check.close("4.4 for LRU: columns", columns, 4, m_product_columns(columns, 4) + row,
                f_product_columns(columns, 4))
    figure = Product(16, 16, 16, 4, 16)
    check.close("4.4: figure 4.6", figure, 4, 32, f_product_columns(figure, 4))


def main():
    check = Check(sys.argv[1])
    check_stencils(check)
    check_products(check)
    print(f"{check.failures} failed")
    return check.failures != 0


if __name__ == "__main__":
    sys.exit(main())
