// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of heat.c in D: pointers, and slices whose indices are not checked (-release).
extern (C) void heat2(REAL* pa, REAL* pb, long h, long w, long steps)
{
    REAL[] a = pa[0 .. h * w], b = pb[0 .. h * w];
    foreach (t; 0 .. steps)
    {
        foreach (i; 1 .. h - 1)
            foreach (j; 1 .. w - 1)
                b[i * w + j] = a[i * w + j] * cast(REAL) 0.5 + (a[(i - 1) * w + j] + a[(i + 1) * w + j] + a[i * w + j - 1] + a[i * w + j + 1]) * cast(REAL) 0.125;
        auto c = a;
        a = b;
        b = c;
    }
}

extern (C) void heat3(REAL* a, REAL* b, long d, long h, long w, long steps)
{
    foreach (t; 0 .. steps)
    {
        foreach (k; 1 .. d - 1)
            foreach (i; 1 .. h - 1)
                foreach (j; 1 .. w - 1)
                    b[(k * h + i) * w + j] = a[(k * h + i) * w + j] * cast(REAL) 0.5 + (a[((k - 1) * h + i) * w + j] + a[((k + 1) * h + i) * w + j] + a[(k * h + i - 1) * w + j] + a[(k * h + i + 1) * w + j] + a[(k * h + i) * w + j - 1] + a[(k * h + i) * w + j + 1]) * cast(REAL) 0.125;
        auto c = a;
        a = b;
        b = c;
    }
}

extern (C) void smooth(REAL* a, REAL* b, long h, long w)
{
    foreach (i; 1 .. h - 1)
        foreach (j; 1 .. w - 1)
            b[i * w + j] = a[i * w + j] * cast(REAL) 0.5 + (a[(i - 1) * w + j] + a[(i + 1) * w + j]) * cast(REAL) 0.25;
}
