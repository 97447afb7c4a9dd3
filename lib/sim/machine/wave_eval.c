/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The results that operations of a wave give each lane. Shuffles: PTX ISA, shfl.sync. Data-parallel
 * primitives (DPP) and permutes through LDS hardware: AMD's GCN3 and CDNA3 ISA manuals. Where a
 * manual leaves a value undefined, lanes get SIM_LOUD.
 */
#include "sim/machine/machine.h"

typedef struct group {
    sim_thread *lanes; /* the wave's threads */
    uint64_t active;
    uint32_t size;
} group;

static uint64_t value_at(const group *g, uint32_t lane, int operand) {
    return lane < g->size && g->active >> lane & 1 ? g->lanes[lane].operand[operand] : SIM_LOUD;
}

const char *sim_wave_op_name(sim_wave_op op) {
    static const char *const names[] = {
        "shfl.idx",        "shfl.up",        "shfl.down",  "shfl.bfly",   "vote.all",
        "vote.any",        "vote.uni",       "ballot",     "match.any",   "match.all",
        "elect",           "warp barrier",   "activemask", "redux.add",   "redux.and",
        "redux.or",        "redux.xor",      "redux.min",  "redux.max",   "redux.umin",
        "redux.umax",      "ds_bpermute",    "ds_permute", "dpp",         "readlane",
        "readfirstlane",   "ds_swizzle",     "permlane16", "permlanex16", "permlane64",
        "permlane16_swap", "permlane32_swap"};
    return names[op];
}

uint32_t sim_shuffle_source(sim_wave_op op, uint32_t b, uint32_t c, uint32_t lane, bool *inside) {
    int32_t by = (int32_t)(b & 31), clamp = (int32_t)(c & 31);
    int32_t segment = (int32_t)(c >> 8 & 31), here = (int32_t)(lane & 31);
    int32_t low = here & segment, bound = low | (clamp & ~segment), from = 0;
    switch (op) {
    case SIM_SHFL_UP:
        from = here - by;
        *inside = from >= bound;
        break;
    case SIM_SHFL_DOWN:
        from = here + by;
        *inside = from <= bound;
        break;
    case SIM_SHFL_BFLY:
        from = here ^ by;
        *inside = from <= bound;
        break;
    default:
        from = low | (by & ~segment);
        *inside = from <= bound;
        break;
    }
    return (lane & ~31u) + (uint32_t)(*inside ? from : here);
}

/* Operands: value, b, c. The predicate goes to bit 32 of the result. */
static uint64_t shuffle(const group *g, const sim_thread *t, uint32_t lane) {
    bool inside;
    uint32_t from =
        sim_shuffle_source(t->op, (uint32_t)t->operand[1], (uint32_t)t->operand[2], lane, &inside);
    return (value_at(g, from, 0) & 0xffffffff) | (uint64_t)inside << 32;
}

static uint64_t ballot(const group *g, int operand) {
    uint64_t bits = 0;
    for (uint32_t l = 0; l < g->size; ++l)
        bits |= (uint64_t)(g->active >> l & 1 && g->lanes[l].operand[operand] & 1) << l;
    return bits;
}

static uint64_t match(const group *g, const sim_thread *t) {
    uint64_t same = 0;
    for (uint32_t l = 0; l < g->size; ++l)
        same |= (uint64_t)(g->active >> l & 1 && g->lanes[l].operand[0] == t->operand[0]) << l;
    if (t->op == SIM_MATCH_ANY)
        return same;
    return same == g->active ? same | 1ull << 32 : 0;
}

static uint64_t reduce(const group *g, sim_wave_op op) {
    bool first = true;
    uint32_t r = 0;
    for (uint32_t l = 0; l < g->size; ++l) {
        if (!(g->active >> l & 1))
            continue;
        uint32_t v = (uint32_t)g->lanes[l].operand[0];
        if (first)
            r = v;
        else if (op == SIM_REDUX_ADD)
            r += v;
        else if (op == SIM_REDUX_AND)
            r &= v;
        else if (op == SIM_REDUX_OR)
            r |= v;
        else if (op == SIM_REDUX_XOR)
            r ^= v;
        else if (op == SIM_REDUX_MIN)
            r = (int32_t)v < (int32_t)r ? v : r;
        else if (op == SIM_REDUX_MAX)
            r = (int32_t)v > (int32_t)r ? v : r;
        else if (op == SIM_REDUX_UMIN)
            r = v < r ? v : r;
        else
            r = v > r ? v : r;
        first = false;
    }
    return r;
}

/* The lane that a DPP control reads from; -1 if it reads none. */
static int dpp_source(uint32_t control, int lane, int size) {
    int row = lane & ~15, at = lane & 15, n = (int)(control & 15);
    if (control <= 0xff)
        return (lane & ~3) + (int)(control >> 2 * (lane & 3) & 3);
    switch (control >> 4) {
    case 0x10:
        return at + n < 16 ? lane + n : -1; /* row_shl */
    case 0x11:
        return at - n >= 0 ? lane - n : -1; /* row_shr */
    case 0x12:
        return row + ((at - n) & 15); /* row_ror */
    case 0x15:
        return row + n; /* row_share */
    case 0x16:
        return row + (at ^ n); /* row_xmask */
    default:
        break;
    }
    switch (control) {
    case 0x130:
        return lane + 1 < size ? lane + 1 : -1; /* wave_shl:1 */
    case 0x134:
        return (lane + 1) % size; /* wave_rol:1 */
    case 0x138:
        return lane - 1; /* wave_shr:1 */
    case 0x13c:
        return (lane + size - 1) % size; /* wave_ror:1 */
    case 0x140:
        return row + 15 - at; /* row_mirror */
    case 0x141:
        return (lane & ~7) + 7 - (lane & 7); /* row_half_mirror */
    case 0x142:
        return row - 1; /* row_bcast:15 */
    case 0x143:
        return lane >= 32 ? 31 : -1; /* row_bcast:31 */
    default:
        return -2;
    }
}

/* Operands: old, source, control | row mask << 16 | bank mask << 20 | bound_ctrl << 24. */
static uint64_t dpp(const group *g, sim_thread *t, uint32_t lane) {
    uint32_t packed = (uint32_t)t->operand[2];
    bool row_on = packed >> (16 + lane / 16) & 1, bank_on = packed >> (20 + lane % 16 / 4) & 1;
    if (!row_on || !bank_on)
        return t->operand[0];
    int from = dpp_source(packed & 0xffff, (int)lane, (int)g->size);
    if (from >= 0 && g->active >> from & 1)
        return g->lanes[from].operand[1];
    return packed >> 24 & 1 ? 0 : t->operand[0];
}

static uint64_t permute_forward(const group *g, uint32_t lane) {
    for (uint32_t l = g->size; l-- > 0;) /* of several writers the last lane wins */
        if (g->active >> l & 1 && (g->lanes[l].operand[0] >> 2) % g->size == lane)
            return g->lanes[l].operand[1];
    return 0;
}

static uint64_t swizzle(const group *g, const sim_thread *t, uint32_t lane) {
    uint32_t pattern = (uint32_t)t->operand[1], from;
    if (pattern & 0x8000)
        from = (lane & ~3u) + (pattern >> 2 * (lane & 3) & 3);
    else
        from = (lane & ~31u) +
               ((((lane & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
    return from < g->size && g->active >> from & 1 ? g->lanes[from].operand[0] : 0;
}

/* Operands: old, source, 16 four-bit selectors, bound control. */
static uint64_t permute_row(const group *g, const sim_thread *t, uint32_t lane) {
    uint32_t row = lane & ~15u;
    if (t->op == SIM_PERMLANEX16)
        row ^= 16;
    uint32_t from = row + (uint32_t)(t->operand[2] >> 4 * (lane & 15) & 15);
    if (from < g->size && g->active >> from & 1)
        return g->lanes[from].operand[1];
    return t->operand[3] & 1 ? 0 : t->operand[0];
}

/* Odd rows of the first operand and even rows of the second change places. Both operands are
 * results. */
static uint64_t swap_rows(const group *g, const sim_thread *t, uint32_t lane, uint32_t rows) {
    uint64_t first = t->operand[0], second = t->operand[1];
    if (lane & rows)
        first = value_at(g, lane ^ rows, 1);
    else
        second = value_at(g, lane ^ rows, 0);
    return (first & 0xffffffff) | second << 32;
}

static uint64_t eval(const group *g, sim_thread *t, uint32_t lane) {
    uint32_t first = (uint32_t)__builtin_ctzll(g->active);
    switch (t->op) {
    case SIM_SHFL_IDX:
    case SIM_SHFL_UP:
    case SIM_SHFL_DOWN:
    case SIM_SHFL_BFLY:
        return shuffle(g, t, lane);
    case SIM_VOTE_ALL:
        return ballot(g, 0) == g->active;
    case SIM_VOTE_ANY:
        return ballot(g, 0) != 0;
    case SIM_VOTE_UNI:
        return ballot(g, 0) == g->active || ballot(g, 0) == 0;
    case SIM_BALLOT:
        return ballot(g, 0);
    case SIM_MATCH_ANY:
    case SIM_MATCH_ALL:
        return match(g, t);
    case SIM_ELECT:
        return first | (uint64_t)(first == lane) << 32;
    case SIM_SYNC:
        return 0;
    case SIM_ACTIVE:
        return g->active;
    case SIM_BPERMUTE: {
        uint32_t from = (uint32_t)(t->operand[0] >> 2) % g->size;
        return g->active >> from & 1 ? g->lanes[from].operand[1] : 0;
    }
    case SIM_PERMUTE:
        return permute_forward(g, lane);
    case SIM_DPP:
        return dpp(g, t, lane);
    case SIM_READLANE:
        return value_at(g, (uint32_t)t->operand[1] % g->size, 0);
    case SIM_READFIRST:
        return g->lanes[first].operand[0];
    case SIM_SWIZZLE:
        return swizzle(g, t, lane);
    case SIM_PERMLANE16:
    case SIM_PERMLANEX16:
        return permute_row(g, t, lane);
    case SIM_PERMLANE64:
        return value_at(g, g->size == 64 ? lane ^ 32 : lane, 0);
    case SIM_SWAP16:
        return swap_rows(g, t, lane, 16);
    case SIM_SWAP32:
        return swap_rows(g, t, lane, 32);
    default:
        return reduce(g, t->op);
    }
}

/* Do all lanes get the same result? Then it is computed once. */
static bool is_same_for_all(sim_wave_op op) {
    return (op >= SIM_VOTE_ALL && op <= SIM_BALLOT) || (op >= SIM_SYNC && op <= SIM_REDUX_UMAX) ||
           op == SIM_READFIRST;
}

void sim_wave_eval(sim_worker *worker, sim_wave *wave, uint64_t active) {
    group g = {.lanes = wave->threads, .active = active, .size = worker->wave_size};
    uint64_t common = 0;
    bool same = false;
    for (uint64_t left = active; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint64_t result = same ? common : eval(&g, &g.lanes[lane], lane);
        g.lanes[lane].result = common = result;
        same = is_same_for_all(g.lanes[lane].op);
    }
}
