/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the programs of tools/bench/small print after each call: a hash of the arrays. */
#ifndef SMALL_H
#define SMALL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CALLS = 4 }; /* of each size */

static void print_hash(const void *at, size_t bytes, int call) {
    uint64_t h = 1469598103934665603u;
    const uint32_t *words = at;
    for (size_t i = 0; i < bytes / 4; i++)
        h = (h ^ words[i]) * 1099511628211u;
    fprintf(stderr, "hash %016llx%s\n", (unsigned long long)h, call == CALLS - 1 ? " next" : "");
}

#endif
