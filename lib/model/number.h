/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small functions of whole numbers.
 */
#ifndef STENCILOPT_NUMBER_H
#define STENCILOPT_NUMBER_H

#include <stdint.h>

static inline int64_t st_min(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static inline int64_t st_max(int64_t a, int64_t b) {
    return a > b ? a : b;
}
static inline int32_t st_min32(int32_t a, int32_t b) {
    return a < b ? a : b;
}
static inline int32_t st_max32(int32_t a, int32_t b) {
    return a > b ? a : b;
}
/* To a multiple of the unit; a is not negative. */
static inline int64_t st_round_up(int64_t a, int64_t unit) {
    return (a + unit - 1) / unit * unit;
}

#endif
