/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Exact sums of floats. All numbers here are multiples of 2^-1074, the least double. Bit i of such
 * a number stands for 2^(i - 1074). Digit k has bits 32 k to 32 k + 31.
 */
#include "runtime/call/sum.h"

#include <string.h>

enum { DIGITS = 70, LEAST_FLOAT = 1074 - 149 /* the bit that stands for 2^-149 */ };

typedef struct long_sum {
    int64_t digit[DIGITS];
    bool finite;
} long_sum;

/* Adds a double to the digits, as kernels do (lib/codegen/sum.c). */
static void add_double(long_sum *sum, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7ff, mantissa = bits & (((uint64_t)1 << 52) - 1);
    sum->finite &= exponent != 0x7ff;
    mantissa |= (uint64_t)(exponent != 0) << 52;
    uint64_t at = exponent > 0 ? exponent - 1 : 0, shift = at % 32;
    uint64_t low = mantissa << shift, high = shift > 0 ? mantissa >> (64 - shift) : 0;
    int64_t sign = bits >> 63 ? -1 : 1, *digit = &sum->digit[at / 32];
    digit[0] += sign * (int64_t)(low & UINT32_MAX);
    digit[1] += sign * (int64_t)(low >> 32);
    digit[2] += sign * (int64_t)high;
}

static void add_slots(long_sum *sum, const stencilrt_reduction *r, const uint64_t *slots) {
    int words = STENCILRT_ACCUMULATOR(r->size), first = STENCILRT_FIRST_DIGIT(r->size);
    for (int a = 0; a < STENCILRT_ACCUMULATORS(r->size); a++, slots += words) {
        sum->finite &= slots[0] == 0;
        for (int i = 1; i < words && first + i - 1 < DIGITS; i++)
            sum->digit[first + i - 1] += (int64_t)slots[i];
    }
}

/* Makes all digits unsigned. True if the sum is negative; the digits are then those of its
 * opposite. */
static bool normalize(long_sum *sum) {
    bool negative = false;
    for (int pass = 0; pass < 2; pass++) {
        int64_t carry = 0;
        for (int i = 0; i < DIGITS; i++) {
            int64_t all = (negative ? -sum->digit[i] : sum->digit[i]) + carry;
            sum->digit[i] = all & UINT32_MAX;
            carry = (all - sum->digit[i]) / ((int64_t)1 << 32);
        }
        if (carry == 0)
            break;
        /* A negative number in two's complement: the second pass makes its opposite. */
        negative = true;
    }
    return negative;
}

static bool bit(const long_sum *sum, int i) {
    return i >= 0 && (sum->digit[i / 32] >> (i % 32) & 1);
}

static int top_bit(const long_sum *sum) {
    int i = 32 * DIGITS - 1;
    while (i >= 0 && !bit(sum, i))
        i--;
    return i;
}

/* Rounds to the nearest number of so many bits, whose last bit is not below bit `least`. Of two
 * nearest numbers takes the even one. The result is a multiple of what bit *unit stands for. */
static uint64_t rounded(const long_sum *sum, int bits, int least, int *unit) {
    int top = top_bit(sum);
    bool below = false;
    uint64_t number = 0;
    *unit = top - bits + 1 > least ? top - bits + 1 : least;
    for (int i = top; i >= *unit; i--)
        number = number << 1 | bit(sum, i);
    for (int i = *unit - 2; i >= 0; i--)
        below |= bit(sum, i);
    return number + (bit(sum, *unit - 1) && (below || (number & 1)));
}

/* Encodes the sum in a format that stores `mantissa` bits. Its least number is what bit `least`
 * stands for. The implicit bit adds one to the exponent. */
static uint64_t encode(const long_sum *sum, int mantissa, int least, uint64_t infinity) {
    int unit;
    uint64_t number = rounded(sum, mantissa + 1, least, &unit);
    uint64_t bits = ((uint64_t)(unit - least) << mantissa) + number;
    return bits < infinity ? bits : infinity;
}

bool rt_sum(const stencilrt_reduction *r, const uint64_t *slots, uint64_t initial,
            uint64_t *value) {
    long_sum sum = {.finite = true};
    uint32_t narrow = (uint32_t)initial;
    float f;
    double d;
    memcpy(&f, &narrow, sizeof f);
    memcpy(&d, &initial, sizeof d);
    add_double(&sum, r->size == 4 ? f : d);
    add_slots(&sum, r, slots);
    bool negative = normalize(&sum);
    if (r->size == 4)
        *value = encode(&sum, 23, LEAST_FLOAT, (uint64_t)0xff << 23) | (uint64_t)negative << 31;
    else
        *value = encode(&sum, 52, 0, (uint64_t)0x7ff << 52) | (uint64_t)negative << 63;
    return sum.finite;
}
