// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler loses negations in minima and maxima of three: there are none in them.
// RUN: rm -rf %t && mkdir %t && %clang -O2 -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/largest.*.ptx | FileCheck %s --check-prefix=MAX
// RUN: cat %t/products.*.ptx | FileCheck %s --check-prefix=PRODUCTS
// RUN: cat %t/shorts.*.ptx | FileCheck %s --check-prefix=SHORTS
// RUN: cat %t/bytes.*.ptx | FileCheck %s --check-prefix=SHORTS
// RUN: cat %t/quotients.*.ptx | FileCheck %s --check-prefix=MAX
// RUN: cat %t/sums.*.ptx | FileCheck %s --check-prefix=SUMS
// MAX-NOT: neg.s
// MAX: not.b32
// MAX: add.s32 {{.*}}, 1;
// MAX-NOT: neg.s
// MAX: max.s32
// MAX-NOT: neg.s
// PRODUCTS-NOT: neg.s
// PRODUCTS-COUNT-2: not.b32
// PRODUCTS-NOT: neg.s
// PRODUCTS: min.s32
// SHORTS-NOT: neg.s
// SHORTS: not.b16
// SHORTS: max.s16
// SHORTS-NOT: neg.s
// SUMS-NOT: not.b
// SUMS: sub.s32
// SUMS: max.s32
// SUMS-NOT: not.b
#define SWEEP(name, type, e)                                                                       \
    void name(int n, const type *a, type *b) {                                                     \
        for (int i = 1; i < n - 1; i++) {                                                          \
            type x = a[i - 1], y = a[i], z = a[i + 1];                                             \
            b[i] = e;                                                                              \
        }                                                                                          \
    }
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
SWEEP(largest, int, MAX(MAX(x, -y), z))
SWEEP(products, int, MIN(MIN(-8 * x, -2 * y), z))
SWEEP(shorts, short, MAX(MAX(x, (short)-y), z))
SWEEP(bytes, signed char, MAX(MAX(x, (signed char)-y), z))
SWEEP(quotients, int, MAX(MAX(x, y / -4), z))
SWEEP(sums, int, MAX(MAX(x, z - y), z))
