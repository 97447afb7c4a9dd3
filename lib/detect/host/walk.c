/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loops around a store its address moves with: those are the spatial ones.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/nest.h"

#include <string.h>

static br_scev without_extension(br_scev s) {
    bool extends = s && (br_scev_kind(s) == BR_ZEXT || br_scev_kind(s) == BR_SEXT);
    return extends ? br_scev_operand(s, 0) : s;
}

/* Does the loop have as many iterations as s says? */
static bool is_trip_count(br_function *f, br_loop l, br_scev s) {
    int64_t count, number;
    br_scev trips = br_trip_count(f, l);
    if (trips && br_scev_int(trips, &count) && br_scev_int(s, &number))
        return count == number;
    return trips && without_extension(trips) == without_extension(s);
}

/* A quotient of it takes a recurrence back to its start: a remainder, written x - x / 3 * 3. One by
 * the number of the loop's iterations does not: (x + n) % n. */
static void mark_quotient(host_movement *m, br_scev x, br_scev by) {
    x = without_extension(x);
    for (int i = 0; i < m->count && br_scev_kind(x) == BR_ADDREC; i++)
        m->turns[i] |= m->loops[i] == br_scev_loop(x) && !is_trip_count(m->f, m->loops[i], by);
}

static void mark_loops(host_movement *m, br_scev s);

/* Notes an index that is brought back at the ends: i == 0 ? n - 1 : i - 1, or (i + n) % n. Choices
 * may be nested; after so many the rest is left out. */
static void mark_choice(host_movement *m, LLVMValueRef v) {
    enum { MOST_CHOICES = 64 };
    bool remains = LLVMGetInstructionOpcode(v) == LLVMSRem;
    if ((!LLVMIsASelectInst(v) && !remains) || m->chosen++ >= MOST_CHOICES)
        return;
    br_scev first = br_scev_of(m->f, LLVMGetOperand(v, !remains));
    if (remains)
        mark_quotient(m, first, br_scev_of(m->f, LLVMGetOperand(v, 1)));
    else
        mark_loops(m, br_scev_of(m->f, LLVMGetOperand(v, 2)));
    mark_loops(m, first);
}

/* Notes a table of rows: a[i] of T **a. */
static void mark_value(host_movement *m, LLVMValueRef v) {
    if (!host_in_loop(m->loops[m->count - 1], v))
        return;
    if (m->tables && LLVMIsALoadInst(v))
        mark_loops(m, br_scev_of(m->f, LLVMGetOperand(v, 0)));
    else if (m->choices && LLVMIsAInstruction(v))
        mark_choice(m, v);
}

/* Which loops does an address move with? A recurrence of one bit only alternates. */
static void mark_loops(host_movement *m, br_scev s) {
    if (br_scev_kind(s) == BR_CONSTANT)
        return;
    if (br_scev_kind(s) == BR_UNKNOWN) {
        mark_value(m, br_scev_value(s));
        return;
    }
    if (br_scev_kind(s) == BR_UDIV)
        mark_quotient(m, br_scev_operand(s, 0), br_scev_operand(s, 1));
    bool recurs = br_scev_kind(s) == BR_ADDREC && br_scev_bits(m->f, s) > 1;
    for (int i = 0; recurs && i < m->count; i++)
        m->moves[i] |= m->loops[i] == br_scev_loop(s);
    for (size_t i = 0; i < br_scev_count(s); i++)
        mark_loops(m, br_scev_operand(s, i));
}

/* How many of the innermost loops, one around the other, does the address move with? */
int host_count_spatial(host_movement *m, br_scev address, bool tables) {
    int spatial = 0;
    m->tables = tables;
    m->chosen = 0;
    memset(m->moves, 0, sizeof m->moves);
    memset(m->turns, 0, sizeof m->turns);
    mark_loops(m, address);
    while (spatial < m->count && m->moves[spatial] && !m->turns[spatial])
        spatial++;
    return spatial;
}

/* The innermost loop and those around it. */
host_movement host_chain_of(br_function *f, br_loop innermost) {
    host_movement m = {.f = f, .loops = {innermost}, .count = 1};
    while (m.count <= HOST_MAX_LOOPS && br_loop_parent(m.loops[m.count - 1])) {
        m.loops[m.count] = br_loop_parent(m.loops[m.count - 1]);
        m.count++;
    }
    return m;
}

static int walked(br_function *f, br_loop innermost, LLVMValueRef pointer, bool choices,
                  br_loop *chain, int *length, bool *beyond) {
    host_movement m = host_chain_of(f, innermost);
    m.choices = choices;
    br_scev address = br_scev_of(f, pointer);
    int spatial = host_count_spatial(&m, address, true);
    if (spatial > ST_MAX_RANK)
        spatial = host_count_spatial(&m, address, false);
    memcpy(chain, m.loops, sizeof m.loops);
    *length = m.count;
    *beyond = spatial < m.count && m.moves[spatial];
    return spatial;
}

int host_walked(br_function *f, br_loop innermost, LLVMValueRef pointer, br_loop *chain,
                int *length, bool *beyond) {
    return walked(f, innermost, pointer, false, chain, length, beyond);
}

int host_walked_by_load(br_function *f, br_loop innermost, LLVMValueRef load, br_loop *chain,
                        int *length) {
    bool beyond;
    return walked(f, innermost, LLVMGetOperand(load, 0), true, chain, length, &beyond);
}

LLVMValueRef host_only_store(br_loop l, int *count) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    LLVMValueRef store = NULL;
    size_t n = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    *count = 0;
    for (size_t b = 0; b < n && b < HOST_MAX_BLOCKS; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i))
                continue;
            store = i;
            ++*count;
        }
    }
    return *count == 1 ? store : NULL;
}
