/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

void sweep(int n, int m, const float *a, float *b);
void whole(int n, int m, int steps, float *a, float *b);

static float a[97 * 65], b[97 * 65];

int main(void) {
    for (int i = 0; i < 97 * 65; i++)
        a[i] = b[i] = (float)(i % 17);
    sweep(97, 65, a, b);
    whole(97, 65, 5, b, a);
    for (int i = 0; i < 97 * 65; i++)
        printf("%a %a\n", a[i], b[i]);
    return 0;
}
