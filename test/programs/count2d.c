/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A forest fire: how many cells burn, the sum, and the extremes of numbers that may be of any sign
 * or size; it ends when nothing burns any more. EQUAL: both arrays begin alike. */
#include "harness.h"
#include <string.h>

#ifndef TYPE
#define TYPE int
#endif

KERNEL static void burn(long n, long m, long most_steps, TYPE *a, TYPE *b, TYPE *found) {
    TYPE all = 0, most = 0, least = 0;
    long step;
    for (step = 0; step < most_steps; step++) {
        all = most = least = (TYPE)(n - 5);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++) {
                TYPE near = (TYPE)(a[(i - 1) * m + j] | a[(i + 1) * m + j] | a[i * m + j - 1]);
                TYPE v = (TYPE)((near ^ a[i * m + j]) - 3);
                b[i * m + j] = v;
                all = (TYPE)(all + v);
                most = v > most ? v : most;
                least = v < least ? v : least;
            }
        TYPE *was = a;
        a = b;
        b = was;
        if (all == 7)
            break;
    }
    found[0] = all;
    found[1] = most;
    found[2] = least;
    found[3] = (TYPE)step;
}

#ifdef EQUAL
#define BEGIN(a, b, cells) memcpy(b, a, (size_t)(cells) * sizeof(TYPE))
#else
#define BEGIN(a, b, cells) (void)0
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        (BEGIN(b[0], b[1], n[0] * n[1]), burn(n[0], n[1], steps, b[0], b[1], b[2])),
        INTEGERS("a", TYPE, n[0] * n[1], (TYPE)-100, 200), INTEGERS("b", TYPE, n[0] * n[1], 0, 9),
        INTEGERS("found", TYPE, 4, 0, 9))
