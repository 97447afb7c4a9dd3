/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Life until nothing changes: a flag that cells set ends the loop. FORM: 1 the flag is set to 1 by
 * a number, 2 a bool, 3 cleared where a cell differs, 4 set to -3 from 5. TURN: 1 pointers
 * exchanged, 2 copied back. */
#include "harness.h"
#include <stdbool.h>

#ifndef FORM
#define FORM 1
#endif
#ifndef TURN
#define TURN 1
#endif
#ifndef TYPE
#define TYPE int
#endif
#define CELL(a, i, j) (a[(i) * m + (j)] & 1)
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)

KERNEL static TYPE flags2d(long n, long m, long steps, TYPE *a, TYPE *b) {
    long t = 0;
#if FORM == 1
    int flag = 1;
#define GOES flag
#define BEFORE 0
#define SET 1
#elif FORM == 2
    bool flag = true;
#define GOES flag
#define BEFORE false
#define SET true
#elif FORM == 3
    bool flag = false;
#define GOES !flag
#define BEFORE true
#define SET false
#else
    int flag = -3;
#define GOES (flag == -3)
#define BEFORE 5
#define SET -3
#endif
    while (GOES && t < steps) {
        flag = BEFORE;
        EACH {
            TYPE s = CELL(a, i - 1, j - 1) + CELL(a, i - 1, j) + CELL(a, i - 1, j + 1) +
                     CELL(a, i, j - 1) + CELL(a, i, j + 1) + CELL(a, i + 1, j - 1) +
                     CELL(a, i + 1, j) + CELL(a, i + 1, j + 1);
            b[i * m + j] = s == 3 || (s == 2 && CELL(a, i, j));
            if (b[i * m + j] != a[i * m + j])
                flag = SET;
        }
#if TURN == 1
        TYPE *was = a;
        a = b;
        b = was;
#else
        EACH a[i * m + j] = b[i * m + j];
#endif
        t++;
    }
    return (TYPE)(t * 2 + (flag ? 1 : 0));
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(TYPE *)b[2] = flags2d(n[0], n[1], steps, b[0], b[1]),
        INTEGERS("a", TYPE, n[0] * n[1], 0, 2), INTEGERS("b", TYPE, n[0] * n[1], 0, 2),
        INTEGERS("found", TYPE, 1, 0, 2))
