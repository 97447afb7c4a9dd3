/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small random changes of a function's IR.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct random_state {
    uint64_t at;
} random_state;

uint64_t random_next(random_state *r);
uint64_t random_below(random_state *r, uint64_t limit); /* limit > 0 */

/* One change. The function may be invalid after it, which LLVM's verifier sees. False if nothing
 * was changed. */
bool mutate(LLVMValueRef function, random_state *r);

#endif
