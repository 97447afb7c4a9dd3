/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * driver heat2|heat3|smooth ROWS COLUMNS STEPS: calls one of the loops of this folder, written in any language; heat3 on 7 planes.
 * Writes both arrays to the standard output.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heat2(REAL *a, REAL *b, int64_t h, int64_t w, int64_t steps);
void heat3(REAL *a, REAL *b, int64_t d, int64_t h, int64_t w, int64_t steps);
void smooth(REAL *a, REAL *b, int64_t h, int64_t w);

enum { PLANES = 7 };

int main(int argc, char **argv) {
    if (argc < 5)
        return 2;
    int64_t h = atoi(argv[2]), w = atoi(argv[3]), steps = atoi(argv[4]);
    int64_t d = strcmp(argv[1], "heat3") ? 1 : PLANES;
    size_t count = (size_t)(d * h * w);
    REAL *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    if (!a || !b)
        return 2;
    for (size_t i = 0; i < count; i++) {
        a[i] = (REAL)(i * 7919 % 1000) / 999;
        b[i] = (REAL)(i * 104729 % 1000) / 999;
    }
    if (d > 1)
        heat3(a, b, d, h, w, steps);
    else if (!strcmp(argv[1], "heat2"))
        heat2(a, b, h, w, steps);
    else
        smooth(a, b, h, w);
    return fwrite(a, sizeof *a, count, stdout) != count ||
           fwrite(b, sizeof *b, count, stdout) != count;
}
